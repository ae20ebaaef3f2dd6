// The cost of calls of the package, beside the same calls of WebGL by hand and beside the library's own call that waits.
(async () => {
    const { attach } = await import("./node_modules/rasterscan/index.js");
    const walk = await import("/walk/rasterscan_host_page.js");
    await walk.default();
    const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
    const time = async (work) => {
        const begin = performance.now();
        await work();
        return performance.now() - begin;
    };
    const idle = async () => {
        const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl.flush();
        while (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) await new Promise((done) => setTimeout(done));
        gl.deleteSync(fence);
    };
    const lines = [];

    // 10,000 runs of each in turns, from an idle GPU, in batches that clocks of a millisecond can tell.
    const [batches, runs] = [100, 100];
    const numbers = texture(8, 8, "R32UI", "RED_INTEGER", "UNSIGNED_INT", new Uint32Array(64));
    const works = new Map();
    for (const openColorMask of [false, true]) {
        const own = await attach(gl, { openColorMask });
        const plan = await own.prepare("scan", own.texture(numbers, { width: 8, height: 8, format: "R32UI" }));
        plan.run();
        const calls = [];
        const kind = WebGL2RenderingContext.prototype;
        for (const name of Object.getOwnPropertyNames(kind)) {
            const { value } = Object.getOwnPropertyDescriptor(kind, name);
            if (typeof value === "function") gl[name] = (...given) => (calls.push([value, given]), value.apply(gl, given));
        }
        plan.run();
        for (const name of Object.keys(gl)) delete gl[name];
        const mask = openColorMask ? "promised" : "asked for";
        works.set(`a run of 64 items, colour mask ${mask}`, () => plan.run());
        works.set(`its ${calls.length} calls by hand`, () => calls.forEach(([call, given]) => call.apply(gl, given)));
    }
    const times = new Map();
    for (let batch = 0; batch < batches; batch++) {
        for (const [name, work] of works) {
            await idle();
            const took = await time(() => {
                for (let run = 0; run < runs; run++) work();
            });
            times.set(name, [...(times.get(name) ?? []), took]);
        }
    }
    for (const [name, all] of times) lines.push(`${name}: ${((1000 * median(all)) / runs).toFixed(1)} us`);

    // Questions, one after the other: those that wait for the GPU's process show.
    for (const name of ["COLOR_WRITEMASK", "ACTIVE_TEXTURE", "UNPACK_ROW_LENGTH", "TEXTURE_BINDING_2D", "VIEWPORT"]) {
        const took = await time(() => {
            for (let run = 0; run < 1000; run++) gl.getParameter(gl[name]);
        });
        lines.push(`getParameter(${name}): ${took.toFixed(2)} us`);
    }

    // 2^20 numbers from an array to an array, in turns with the library's own call, which waits.
    const short = new Uint32Array(1 << 20).fill(3);
    const own = new walk.Calls(document.createElement("canvas").getContext("webgl2"));
    const [package_, library] = [[], []];
    for (let run = 0; run < 16; run++) {
        library.push(await time(() => own.scan(short)));
        package_.push(await time(() => rs.scan(short)));
    }
    const [ours, its] = [package_, library].map((times) => median(times.slice(1)));
    lines.push(`scan of 2^20: ${ours.toFixed(0)} ms; the library's own ${its.toFixed(0)} ms; ratio ${(ours / its).toFixed(2)}`);

    // The longest task while 2^22 numbers are scanned, and the time of their upload.
    const long = new Uint32Array(1 << 22).fill(3);
    const sums = await rs.prepare("scan", long);
    sums.run();
    let [last, longest, goesOn] = [performance.now(), 0, true];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
        if (goesOn) port2.postMessage(0);
    };
    port2.postMessage(0);
    const whole = await time(() => rs.scan(long));
    goesOn = false;
    const upload = await time(() => sums.run(long));
    lines.push(`scan of 2^22: ${whole.toFixed(0)} ms, longest task ${longest.toFixed(0)} ms; upload and run alone ${upload.toFixed(0)} ms`);
    return lines.join("\n");
})().catch((error) => error.stack)
