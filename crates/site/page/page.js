// Starts the app. Where it cannot run, says why and what to do, and shows runs as still pictures.
import init, { PreparedJob, examples, frames, recordings, selftest, start, still } from "./rasterscan_web.js";

const canvas = document.getElementById("app");
const message = document.getElementById("message");

// For tests, and for the console of whoever reports a fault: rasterscan.selftest(0, 100)
window.rasterscan = { ready: false, PreparedJob, recordings, selftest };

// A figure in an article must not take the article's keys, or scroll to itself, before its reader touches it.
if (window.parent !== window) {
    const focus = HTMLElement.prototype.focus;
    let touched = false;
    addEventListener("pointerdown", () => { touched = true; }, { capture: true });
    HTMLElement.prototype.focus = function () {
        if (touched) focus.call(this, { preventScroll: true });
    };
    Object.defineProperty(HTMLElement.prototype, "autofocus", { get: () => false, set() {} });
}

// The app asks the browser for every frame, though it draws in few of them. Half a second after the last event or drawn frame
// it is called ten times a second instead, and the page sleeps between.
function sleepBetweenFrames() {
    const ask = window.requestAnimationFrame.bind(window);
    const parked = new Map();
    let awake = performance.now();
    let drawn = 0;
    const wake = () => {
        awake = performance.now();
        for (const [timer, callback] of parked) {
            clearTimeout(timer);
            ask(callback);
        }
        parked.clear();
    };
    const events = ["pointerdown", "pointermove", "pointerup", "touchstart", "touchmove", "touchend", "wheel", "keydown", "keyup",
        "input", "paste", "copy", "dragover", "drop", "resize", "focus", "blur", "hashchange", "popstate", "visibilitychange"];
    for (const event of events) addEventListener(event, wake, { capture: true, passive: true });
    window.requestAnimationFrame = (callback) => {
        if (frames() !== drawn) {
            // The message stays until there is a picture.
            if (drawn === 0) message.hidden = true;
            drawn = frames();
            awake = performance.now();
        }
        if (performance.now() - awake < 500) return ask(callback);
        const timer = setTimeout(() => {
            parked.delete(timer);
            callback(performance.now());
        }, 100);
        parked.set(timer, callback);
        return timer;
    };
}

/** An element with a text, or with other elements. */
function element(name, ...content) {
    const made = document.createElement(name);
    made.append(...content);
    return made;
}

/** Shows one part of the message, and elements after it. */
function say(id, ...content) {
    for (const part of message.children) part.hidden = part.id !== id;
    message.append(...content);
    message.hidden = false;
}

/** The module, which the browser compiles while it arrives. */
async function fetched() {
    const response = await fetch(new URL("rasterscan_web_bg.wasm", import.meta.url));
    if (response.ok) count(response.clone());
    return response;
}

/** Says how much is here: in bytes that travel, though the browser hands out a packed module unpacked. */
async function count(response) {
    const bar = document.querySelector("progress");
    const megabytes = (share) => (share * (Number(response.headers.get("content-length")) || bar.max) / 1e6)
        .toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const reader = response.body.getReader();
    for (let here = 0, piece; !(piece = await reader.read()).done;) {
        bar.value = here += piece.value.length;
        document.getElementById("bytes").textContent = `${megabytes(bar.position)} / ${megabytes(1)} MB`;
    }
}

function hasWebGl2() {
    try {
        return document.createElement("canvas").getContext("webgl2") !== null;
    } catch {
        return false;
    }
}

/** A viewer of runs: a job, which a visitor may type, a position, a picture and its text. */
function viewer() {
    const words = (link) => decodeURIComponent(link).replaceAll("&", " ");
    // The address asks for a run, as it does where the app runs.
    const asked = location.search.slice(1) || examples()[0];
    const run = Object.assign(document.createElement("input"), { value: words(asked), size: 60 });
    run.ariaLabel = "Job";
    run.setAttribute("list", "jobs");
    const jobs = element("datalist", ...examples().map((link) => {
        const option = document.createElement("option");
        option.value = words(link);
        return option;
    }));
    jobs.id = "jobs";
    const position = Object.assign(document.createElement("input"), { type: "range", min: 0, value: 0 });
    position.ariaLabel = "Completed passes";
    const picture = element("figure");
    const text = element("p");
    text.role = "status";
    const dark = matchMedia("(prefers-color-scheme: dark)");
    /** Shows the pass that the link names, or the one that was chosen. */
    function show(chosen) {
        try {
            const link = run.value.trim().split(/\s+/).map(encodeURIComponent).join("&");
            const shown = JSON.parse(still(chosen ? `${link}&--pass&${position.value}` : link, dark.matches));
            position.max = shown.last;
            position.value = shown.pass;
            picture.innerHTML = shown.svg;
            text.textContent = shown.lacks + shown.text;
            document.title = shown.title;
        } catch (error) {
            picture.replaceChildren();
            text.textContent = String(error);
        }
    }
    run.onchange = () => show(false);
    position.oninput = () => show(true);
    dark.onchange = () => show(true);
    show(false);
    return element("section", element("p", run, jobs, " ", position), picture, text);
}

function showStills() {
    canvas.hidden = true;
    document.documentElement.classList.add("still");
    say("no-webgl", viewer());
    document.getElementById("no-lesson").hidden = !location.hash.startsWith("#lesson=");
}

// The browser may take the picture's context away, for example while a laptop sleeps. The address holds the state.
canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    say("lost");
});
canvas.addEventListener("webglcontextrestored", () => location.reload());

async function begin() {
    const module = fetched();
    const draws = hasWebGl2();
    if (!draws) document.getElementById("no-webgl").hidden = false;
    await init({ module_or_path: module });
    if (draws) {
        sleepBetweenFrames();
        await start(canvas);
    } else {
        showStills();
    }
    window.rasterscan.ready = true;
}

// What a browser lacks for the rest is said already.
if (!document.documentElement.classList.contains("lacks")) {
    await begin().catch((error) => {
        say("failed", element("p", String(error)));
        throw error;
    });
}
