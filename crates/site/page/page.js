// Starts the app. Where it cannot run, says why and what to do. There, and for who wants to read, it shows texts and still pictures.
import init, { PreparedJob, examples, frames, recordings, reply, selftest, start, still } from "./rasterscan_web.js";

const root = document.documentElement;
const canvas = document.getElementById("app");
const message = document.getElementById("message");
// A link with this word is read as text.
const READ = "--read";
const words = location.search.slice(1).split("&");
const reads = words.includes(READ);
const link = words.filter((word) => word && word !== READ).join("&");

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

// The app takes Tab for its own controls. After ctrl M, as in editors, it is the browser's, which goes on from the canvas.
let leaves = false;
addEventListener("keydown", (event) => {
    if (event.key === "Tab" && leaves) {
        event.stopImmediatePropagation();
        canvas.focus();
    }
    leaves = event.ctrlKey && event.key === "m" || leaves && ["Control", "Shift"].includes(event.key);
}, { capture: true });

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

/** Shows parts of the message, and none but them. */
function say(...names) {
    for (const part of message.children) part.hidden = !names.includes(part.id);
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
        .toLocaleString(root.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
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

/** Shows a run as text: the tour's stop with its question, each pass in words, and a still picture. */
async function read() {
    const part = Object.fromEntries([...document.querySelectorAll("#reader [id]")].map((part) => [part.id, part]));
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const language = root.lang === "en" ? [] : ["--language", root.lang];
    const catalogue = language.length ? await (await fetch(new URL(`languages/${root.lang}.toml`, import.meta.url))).text() : "";
    const to = (...words) => `?${words.filter(Boolean).join("&")}`;
    // Without a run in the address, the tour begins.
    let shown = link.startsWith("--language") || !link ? to("--tour&1", ...language).slice(1) : link;
    /** Shows the pass that the link names, or the one that was chosen. */
    function show(chosen) {
        try {
            const run = JSON.parse(still(chosen ? `${shown}&--pass&${part.position.value}` : shown, catalogue, dark.matches));
            document.title = run.title;
            part.title.textContent = run.stop?.title ?? run.job;
            part.lacks.textContent = run.lacks;
            part.text.replaceChildren(...(run.stop?.text ?? []).map((text) => element("p", text)));
            part.asked.hidden = !run.stop?.question;
            part.question.textContent = run.stop?.question ?? "";
            part.job.value = run.job;
            [part.position.max, part.position.value] = [run.history.length - 1, run.pass];
            part.position.ariaValueText = `${run.pass} / ${run.history.length - 1}`;
            part.told.textContent = run.told;
            part.picture.innerHTML = run.svg;
            part.history.replaceChildren(...run.history.map((texts) => element("li", ...texts.map((text) => element("p", text)))));
            part.stops.replaceChildren(...run.stops.map((title, number) => {
                const stop = Object.assign(element("a", title), { href: to(READ, "--tour", number + 1, ...language) });
                if (title === run.stop?.title) {
                    stop.ariaCurrent = "page";
                    part.next.href = to(READ, "--tour", number + 2, ...language);
                    part.next.hidden = number + 1 === run.stops.length;
                }
                return element("li", stop);
            }));
            part.back.href = to(shown);
        } catch (error) {
            part.picture.replaceChildren();
            part.history.replaceChildren();
            part.told.textContent = String(error);
        }
    }
    part.jobs.append(...examples().map((job) => new Option(decodeURIComponent(job).replaceAll("&", " "))));
    part.job.onchange = () => {
        shown = [...part.job.value.trim().split(/\s+/).map(encodeURIComponent), ...language].join("&");
        show(false);
    };
    part.position.oninput = () => show(true);
    part.asked.onsubmit = (event) => {
        event.preventDefault();
        // The same reply is spoken again.
        part.reply.textContent = "";
        setTimeout(() => { part.reply.textContent = reply(shown, catalogue, part.answer.value); });
    };
    dark.onchange = () => show(true);
    show(false);
}

async function showTexts(draws) {
    canvas.hidden = true;
    root.classList.add("still");
    say("reader", draws ? "" : "no-webgl", location.hash.startsWith("#lesson=") ? "no-lesson" : "");
    await read();
}

document.getElementById("read").onclick = (event) => {
    event.preventDefault();
    location.search = [READ, location.search.slice(1)].filter(Boolean).join("&");
};

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
    if (draws && !reads) {
        sleepBetweenFrames();
        await start(canvas);
    } else {
        await showTexts(draws);
    }
    window.rasterscan.ready = true;
}

// What a browser lacks for the rest is said already.
if (!root.classList.contains("lacks")) {
    await begin().catch((error) => {
        say("failed");
        document.getElementById("failed").append(element("p", String(error)));
        throw error;
    });
}
