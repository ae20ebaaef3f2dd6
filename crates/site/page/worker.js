// Measures beside the page, which stays usable meanwhile.
import { measure } from "./measure.js";

// Workers of some browsers have no canvas, or one without WebGL.
const able = () => globalThis.OffscreenCanvas !== undefined && new OffscreenCanvas(1, 1).getContext("webgl2") !== null;

onmessage = async ({ data: job }) => {
    try {
        postMessage(able() ? { report: await measure(job, (step) => postMessage({ step })) } : { unable: true });
    } catch (error) {
        postMessage({ error: String(error) });
    }
};
