// Times rasterscan's page beside other scans in one browser:
//
//     ./run web
//     cd peers/web && npm install && npm run measure
//
// Prints tables: how long a visit takes to load, on this machine and as on a slower line and phone; `packed` beside a replay of the same calls by plain JavaScript,
// and f32 sums beside TensorFlow.js. Every result is verified before it is timed. CHROMIUM names another browser.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const folders = { dist: join(here, "../../dist"), tf: join(here, "node_modules/@tensorflow") };
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };

const server = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const [, first, ...rest] = path.split("/");
    const file = first in folders ? join(folders[first], ...(rest.join("") ? rest : ["index.html"])) : join(here, "measure.html");
    try {
        // As a server of pages does: packed, and kept by the browser.
        const packed = await readFile(`${file}.gz`).catch(() => null);
        const head = { "content-type": types[extname(file)] ?? "application/octet-stream", "cache-control": "max-age=600" };
        const content = packed ?? await readFile(file);
        answer.writeHead(200, { ...head, "content-length": content.length, ...(packed && { "content-encoding": "gzip" }) });
        answer.end(content);
    } catch {
        answer.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"],
});
try {
    console.log("| line | CPU | cache | first text, ms | first picture, ms |\n| --- | --- | --- | ---: | ---: |");
    await load("this machine", undefined, 1);
    await load("10 Mbit/s, 40 ms", { offline: false, latency: 40, downloadThroughput: 1.25e6, uploadThroughput: 1.25e6 }, 4);
    const page = await browser.newPage();
    page.on("pageerror", (error) => { throw error; });
    await page.goto(url);
    await page.waitForFunction(() => window.measure !== undefined);
    console.log(`${await browser.version()}, on ${await page.evaluate(() => navigator.hardwareConcurrency)} cores`);
    console.log("\n| rasterscan | ms | beside | ms | ratio |\n| --- | ---: | --- | ---: | ---: |");
    for (const { what, ours, peer, theirs } of await page.evaluate(() => window.measure())) {
        console.log(`| ${what} | ${ours.toFixed(2)} | ${peer} | ${theirs.toFixed(2)} | ${(theirs / ours).toFixed(2)} |`);
    }
} finally {
    await browser.close();
    server.close();
}

/** Prints the medians of five visits without a cache, each followed by one with what that visit has left. */
async function load(line, network, slower) {
    const times = { cold: [], warm: [] };
    for (let visit = 0; visit < 5; visit += 1) {
        const context = await browser.newContext();
        for (const cache of ["cold", "warm"]) {
            const page = await context.newPage();
            const tools = await context.newCDPSession(page);
            if (network) await tools.send("Network.emulateNetworkConditions", network);
            await tools.send("Emulation.setCPUThrottlingRate", { rate: slower });
            await page.goto(`${url}dist/`, { waitUntil: "commit" });
            const picture = await page.waitForFunction(
                () => document.getElementById("message")?.hidden && performance.now(), null, { polling: "raf" });
            const text = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
            times[cache].push([text, await picture.jsonValue()]);
            await page.close();
        }
        await context.close();
    }
    const median = (values) => values.sort((a, b) => a - b)[2].toFixed(0);
    for (const [cache, rows] of Object.entries(times)) {
        const [text, picture] = [0, 1].map((column) => median(rows.map((row) => row[column])));
        console.log(`| ${line} | ${slower === 1 ? "as it is" : `${slower} times slower`} | ${cache} | ${text} | ${picture} |`);
    }
}
