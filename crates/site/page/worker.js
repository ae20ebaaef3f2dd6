// Measures beside the page, which stays usable meanwhile.
import init, { check, compare } from "./rasterscan_web.js";

onmessage = async ({ data: { problem, sizes, seconds, cores, system, date } }) => {
    try {
        await init({ module_or_path: new URL("rasterscan_web_bg.wasm", import.meta.url) });
        const told = (step) => postMessage({ step });
        const report = problem === null
            ? check(seconds, cores, system, date, told)
            : compare(problem, new Uint32Array(sizes), seconds, cores, system, date, told);
        postMessage({ report });
    } catch (error) {
        postMessage({ error: String(error) });
    }
};
