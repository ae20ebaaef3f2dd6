// Times rasterscan's page beside other scans in one browser:
//
//     ./run web
//     cd peers/web && npm install && npm run measure
//
// Prints a table: the time to the first frame with a run, `packed` beside a replay of the same calls by plain JavaScript,
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
        const content = await readFile(file);
        answer.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
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
    const page = await browser.newPage();
    page.on("pageerror", (error) => { throw error; });
    const frames = [];
    for (let visit = 0; visit < 5; visit += 1) {
        const begin = performance.now();
        await page.goto(`${url}dist/`, { waitUntil: "commit" });
        await page.waitForFunction(() => document.title.includes(", pass "), null, { polling: "raf" });
        frames.push(performance.now() - begin);
    }
    frames.sort((a, b) => a - b);
    console.log(`navigation to the first frame with a run: ${frames[2].toFixed(0)} ms (of 5: ${frames.map((t) => t.toFixed(0)).join(", ")})`);
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
