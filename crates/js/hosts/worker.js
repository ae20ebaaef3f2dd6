// The sort that viewers of splats use: a counting sort of depths of 16 bits, beside the page.
import { FAR, MIDDLE, NEAR } from "./scene.js";

const KEYS = 65535;
let splats;

self.onmessage = ({ data }) => {
    if (data.splats) {
        splats = data.splats;
        return;
    }
    const count = splats.length / 4;
    const keys = new Uint16Array(count);
    const starts = new Uint32Array(KEYS + 2);
    const [x, z] = data.camera;
    for (let index = 0; index < count; index++) {
        const depth = MIDDLE + splats[4 * index] * x + splats[4 * index + 2] * z;
        keys[index] = Math.min(Math.max(((FAR - depth) * KEYS) / (FAR - NEAR), 0), KEYS);
        starts[keys[index] + 1]++;
    }
    for (let key = 0; key < KEYS; key++) starts[key + 1] += starts[key];
    const order = new Uint32Array(data.room);
    for (let index = 0; index < count; index++) order[starts[keys[index]]++] = index;
    self.postMessage({ order, frame: data.frame }, [order.buffer]);
};
