// Measures or checks, in a worker or in the page. `told` is called with each step.
import init, { check, compare } from "./rasterscan_web.js";

export async function measure({ problem, sizes, seconds, cores, system, date }, told) {
    await init({ module_or_path: new URL("rasterscan_web_bg.wasm", import.meta.url) });
    return problem === null
        ? check(seconds, cores, system, date, told)
        : compare(problem, new Uint32Array(sizes), seconds, cores, system, date, told);
}
