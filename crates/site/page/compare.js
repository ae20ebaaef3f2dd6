// Lets a worker compare or check, or does so itself where workers have no WebGL 2, and shows what was found. The document can
// be saved: `rasterscan compare --against` and
// `rasterscan results` read it.
const byId = (id) => document.getElementById(id);
const [form, start, check, save, status] = ["form", "start", "check", "save", "status"].map(byId);
let found = null;
let name = "";

// In the page itself, which does not answer meanwhile.
async function runHere(job) {
    status.textContent = "Measuring. Workers have no WebGL 2 in this browser, so the page does not answer until it is done …";
    // Two frames, so that this is seen.
    for (let frame = 0; frame < 2; frame++) await new Promise((done) => requestAnimationFrame(done));
    const { measure } = await import("./measure.js");
    return JSON.parse(await measure(job, () => {}));
}

function run(job) {
    return new Promise((done, failed) => {
        const worker = new Worker("worker.js", { type: "module" });
        worker.onmessage = ({ data }) => {
            if (data.step !== undefined) {
                status.textContent = data.step;
                return;
            }
            worker.terminate();
            if (data.unable) runHere(job).then(done, failed);
            else if (data.error !== undefined) failed(new Error(data.error));
            else done(JSON.parse(data.report));
        };
        worker.onerror = (event) => { worker.terminate(); failed(new Error(event.message)); };
        worker.postMessage(job);
    });
}

// `problem` is null for a check of correctness.
async function measure(problem) {
    start.disabled = check.disabled = true;
    status.textContent = "Loading …";
    try {
        found = await run({
            problem,
            sizes: byId("sizes").value.split(" ").map(Number).filter((size) => size >= 1 && size <= 26),
            seconds: Number(byId("seconds").value),
            cores: navigator.hardwareConcurrency || 1,
            system: navigator.userAgent,
            date: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
        });
        byId("chart").innerHTML = found.svg ?? "";
        byId("table").textContent = found.table;
        status.textContent = problem === null
            ? `Done: ${found.document.checked} cases, ${found.document.wrong.length} wrong.`
            : `Done: ${found.document.rows.length} times.`;
        name = problem === null ? "selftest.json" : "comparison.json";
        save.hidden = false;
    } catch (error) {
        status.textContent = `It could not be measured: ${error.message}`;
    }
    start.disabled = check.disabled = false;
}

form.onsubmit = (event) => {
    event.preventDefault();
    measure(byId("problem").value);
};

check.onclick = () => measure(null);

save.onclick = () => {
    const blob = new Blob([JSON.stringify(found.document)], { type: "application/json" });
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
};

// For tests: the form answers from here on.
window.rasterscan = { ready: true };
