// A page that draws with WebGL 2 itself, in states that would spoil what the library draws, uploads and reads, and that the library
// would spoil if it did not restore them. `hostile` sets a state, `drawn` draws in it and reads the picture in it, and `state`
// is everything that the context tells. `check` compares both before and after each call of the library.
async function openHost() {
    const module = await import("/walk/rasterscan_host_page.js");
    await module.default();
    const gl = new OffscreenCanvas(64, 64).getContext("webgl2", { antialias: false });
    const size = 16;
    const points = 8;

    const shader = (kind, source) => {
        const made = gl.createShader(kind);
        gl.shaderSource(made, "#version 300 es\n" + source);
        gl.compileShader(made);
        return made;
    };
    const program = gl.createProgram();
    gl.attachShader(program, shader(gl.VERTEX_SHADER, `
        in vec2 place;
        layout(std140) uniform Shift { vec4 shift; };
        out vec2 where;
        void main() { where = place; gl_PointSize = 3.0; gl_Position = vec4(place + shift.xy, 0.25, 1.0); }`));
    gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `
        precision highp float;
        uniform sampler2D picture;
        in vec2 where;
        out vec4 colour;
        void main() { colour = texture(picture, where) * 0.5 + 0.25; }`));
    gl.transformFeedbackVaryings(program, ["where"], gl.SEPARATE_ATTRIBS);
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.uniform1i(gl.getUniformLocation(program, "picture"), 3);
    gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, "Shift"), 1);

    const buffer = (target, bytes) => {
        const made = gl.createBuffer();
        gl.bindBuffer(target, made);
        gl.bufferData(target, bytes, gl.DYNAMIC_COPY);
        return made;
    };
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const places = buffer(gl.ARRAY_BUFFER,
        Float32Array.from({ length: 2 * points }, (_, i) => ((i * 5) % 16) / 8 - 1));
    const place = gl.getAttribLocation(program, "place");
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 0, 0);
    const elements = buffer(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([2, 1, 0]));
    const other = buffer(gl.ARRAY_BUFFER, 64);
    const uniforms = [0, 1, 2].map((i) => buffer(gl.UNIFORM_BUFFER, new Float32Array(128).fill(i / 16)));
    const copies = [buffer(gl.COPY_READ_BUFFER, 32), buffer(gl.COPY_WRITE_BUFFER, 32)];
    const packed = buffer(gl.PIXEL_PACK_BUFFER, 4096);
    const unpacked = buffer(gl.PIXEL_UNPACK_BUFFER, 4096);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
    const captured = buffer(gl.TRANSFORM_FEEDBACK_BUFFER, 4096);
    const feedback = gl.createTransformFeedback();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, captured);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);

    const targets = [gl.TEXTURE_2D, gl.TEXTURE_2D_ARRAY, gl.TEXTURE_3D, gl.TEXTURE_CUBE_MAP];
    const units = gl.getParameter(gl.MAX_COMBINED_TEXTURE_IMAGE_UNITS);
    const bound = Array.from({ length: units }, (_, unit) => {
        gl.activeTexture(gl.TEXTURE0 + unit);
        const textures = targets.map((target) => {
            const made = gl.createTexture();
            gl.bindTexture(target, made);
            return made;
        });
        const texels = Uint8Array.from({ length: 64 }, (_, i) => i * 4);
        gl.bindTexture(gl.TEXTURE_2D, textures[0]);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
        const sampler = gl.createSampler();
        gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
        gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_S, gl.MIRRORED_REPEAT);
        return { textures, sampler };
    });
    gl.activeTexture(gl.TEXTURE0);
    const framebuffer = () => {
        const made = gl.createFramebuffer();
        const texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
        gl.bindFramebuffer(gl.FRAMEBUFFER, made);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        return { made, texture };
    };
    const [drawInto, readFrom] = [framebuffer(), framebuffer()];
    const renderbuffer = gl.createRenderbuffer();

    const switches = ["BLEND", "CULL_FACE", "DEPTH_TEST", "DITHER", "POLYGON_OFFSET_FILL", "SAMPLE_ALPHA_TO_COVERAGE",
        "SAMPLE_COVERAGE", "SCISSOR_TEST", "STENCIL_TEST", "RASTERIZER_DISCARD"];
    const modes = { UNPACK_ALIGNMENT: 2, UNPACK_ROW_LENGTH: 9, UNPACK_SKIP_ROWS: 3, UNPACK_SKIP_PIXELS: 2, UNPACK_IMAGE_HEIGHT: 21,
        UNPACK_SKIP_IMAGES: 1, UNPACK_FLIP_Y_WEBGL: true, UNPACK_PREMULTIPLY_ALPHA_WEBGL: true,
        UNPACK_COLORSPACE_CONVERSION_WEBGL: gl.NONE, PACK_ALIGNMENT: 8, PACK_ROW_LENGTH: 19, PACK_SKIP_ROWS: 2,
        PACK_SKIP_PIXELS: 1 };
    const told = ["ACTIVE_TEXTURE", "ARRAY_BUFFER_BINDING", "BLEND_COLOR", "BLEND_DST_ALPHA", "BLEND_DST_RGB", "BLEND_EQUATION_ALPHA",
        "BLEND_EQUATION_RGB", "BLEND_SRC_ALPHA", "BLEND_SRC_RGB", "COLOR_CLEAR_VALUE", "COLOR_WRITEMASK", "COPY_READ_BUFFER_BINDING",
        "COPY_WRITE_BUFFER_BINDING", "CULL_FACE_MODE", "CURRENT_PROGRAM", "DEPTH_CLEAR_VALUE", "DEPTH_FUNC", "DEPTH_RANGE",
        "DEPTH_WRITEMASK", "DRAW_BUFFER0", "DRAW_FRAMEBUFFER_BINDING", "ELEMENT_ARRAY_BUFFER_BINDING",
        "FRAGMENT_SHADER_DERIVATIVE_HINT", "FRONT_FACE", "GENERATE_MIPMAP_HINT", "LINE_WIDTH", "PIXEL_PACK_BUFFER_BINDING",
        "PIXEL_UNPACK_BUFFER_BINDING", "POLYGON_OFFSET_FACTOR", "POLYGON_OFFSET_UNITS", "READ_BUFFER", "READ_FRAMEBUFFER_BINDING",
        "RENDERBUFFER_BINDING", "SAMPLE_COVERAGE_INVERT", "SAMPLE_COVERAGE_VALUE", "SCISSOR_BOX", "STENCIL_BACK_FAIL",
        "STENCIL_BACK_FUNC", "STENCIL_BACK_PASS_DEPTH_FAIL", "STENCIL_BACK_PASS_DEPTH_PASS", "STENCIL_BACK_REF",
        "STENCIL_BACK_VALUE_MASK", "STENCIL_BACK_WRITEMASK", "STENCIL_CLEAR_VALUE", "STENCIL_FAIL", "STENCIL_FUNC",
        "STENCIL_PASS_DEPTH_FAIL", "STENCIL_PASS_DEPTH_PASS", "STENCIL_REF", "STENCIL_VALUE_MASK", "STENCIL_WRITEMASK",
        "TRANSFORM_FEEDBACK_ACTIVE", "TRANSFORM_FEEDBACK_BINDING", "TRANSFORM_FEEDBACK_BUFFER_BINDING", "TRANSFORM_FEEDBACK_PAUSED",
        "UNIFORM_BUFFER_BINDING", "VERTEX_ARRAY_BINDING", "VIEWPORT", ...Object.keys(modes)];
    const places4 = [0, 1, 2, 3];

    /// Sets all state to values that matter. `kind` is how the page draws: plainly, while it captures, or not at all.
    function hostile(kind) {
        gl.useProgram(kind === "discarding" ? null : program);
        gl.bindVertexArray(kind === "discarding" ? null : array);
        gl.bindBuffer(gl.ARRAY_BUFFER, other);
        gl.bindBuffer(gl.COPY_READ_BUFFER, copies[0]);
        gl.bindBuffer(gl.COPY_WRITE_BUFFER, copies[1]);
        uniforms.forEach((made, i) => gl.bindBufferRange(gl.UNIFORM_BUFFER, i, made, 0, 16 * (i + 1)));
        gl.bindBuffer(gl.UNIFORM_BUFFER, uniforms[2]);
        gl.bindBuffer(gl.PIXEL_PACK_BUFFER, packed);
        gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, unpacked);
        bound.forEach(({ textures, sampler }, unit) => {
            gl.activeTexture(gl.TEXTURE0 + unit);
            targets.forEach((target, i) => gl.bindTexture(target, textures[i]));
            gl.bindSampler(unit, sampler);
        });
        gl.activeTexture(gl.TEXTURE0 + 5);
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, drawInto.made);
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, kind === "plain" ? drawInto.made : readFrom.made);
        gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
        gl.viewport(1, 2, 13, 11);
        gl.scissor(2, 1, 11, 12);
        gl.colorMask(true, kind === "plain", false, true);
        gl.depthMask(false);
        gl.depthFunc(gl.NEVER);
        gl.stencilFuncSeparate(gl.FRONT, gl.NEVER, 3, 5);
        gl.stencilFuncSeparate(gl.BACK, gl.EQUAL, 2, 7);
        gl.stencilMask(11);
        gl.stencilOpSeparate(gl.BACK, gl.INCR, gl.DECR, gl.INVERT);
        gl.blendFuncSeparate(gl.DST_COLOR, gl.ONE, gl.SRC_ALPHA, gl.DST_ALPHA);
        gl.blendEquationSeparate(gl.FUNC_REVERSE_SUBTRACT, gl.MAX);
        gl.blendColor(0.1, 0.2, 0.3, 0.4);
        gl.clearColor(0.5, 0.25, 0.75, 1);
        gl.clearDepth(0.25);
        gl.clearStencil(9);
        gl.cullFace(gl.FRONT_AND_BACK);
        gl.frontFace(gl.CW);
        gl.polygonOffset(2, 3);
        gl.sampleCoverage(0.5, true);
        gl.hint(gl.GENERATE_MIPMAP_HINT, gl.NICEST);
        for (const name of switches) gl.enable(gl[name]);
        // Without a depth or stencil buffer these tests pass.
        if (kind !== "discarding") gl.disable(gl.RASTERIZER_DISCARD);
        for (const [name, value] of Object.entries(modes)) gl.pixelStorei(gl[name], value);
        gl.vertexAttrib4f(6, 1, 2, 3, 4);
        gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, kind === "plain" ? null : feedback);
        if (kind === "capturing" || kind === "paused") gl.beginTransformFeedback(gl.POINTS);
        if (kind === "paused") gl.pauseTransformFeedback();
    }

    function state() {
        const all = new Map(told.map((name) => [name, gl.getParameter(gl[name])]));
        for (const name of switches) all.set(name, gl.isEnabled(gl[name]));
        for (const i of places4) {
            for (const name of ["BINDING", "START", "SIZE"]) {
                for (const target of ["UNIFORM_BUFFER", "TRANSFORM_FEEDBACK_BUFFER"]) {
                    all.set(`${target} ${i} ${name}`, gl.getIndexedParameter(gl[`${target}_${name}`], i));
                }
            }
        }
        for (let unit = 0; unit < units; unit++) {
            gl.activeTexture(gl.TEXTURE0 + unit);
            for (const name of ["TEXTURE_BINDING_2D", "TEXTURE_BINDING_2D_ARRAY", "TEXTURE_BINDING_3D", "TEXTURE_BINDING_CUBE_MAP",
                "SAMPLER_BINDING"]) all.set(`unit ${unit} ${name}`, gl.getParameter(gl[name]));
        }
        gl.activeTexture(all.get("ACTIVE_TEXTURE"));
        for (const name of ["ENABLED", "SIZE", "TYPE", "BUFFER_BINDING"]) {
            all.set(`attribute ${name}`, gl.getVertexAttrib(place, gl[`VERTEX_ATTRIB_ARRAY_${name}`]));
        }
        all.set("attribute 6", gl.getVertexAttrib(6, gl.CURRENT_VERTEX_ATTRIB));
        return all;
    }

    const same = (one, other) =>
        ArrayBuffer.isView(one) || Array.isArray(one) ? String(one) === String(other) : one === other;

    /// A picture in the present state: cleared and drawn, and read through the page's buffer and modes.
    function drawn() {
        gl.clearBufferfv(gl.COLOR, 0, [0.75, 0.5, 0.25, 1]);
        if (gl.getParameter(gl.CURRENT_PROGRAM)) gl.drawArrays(gl.POINTS, 0, points);
        gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, 0);
        const picture = new Uint8Array(4096);
        gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, picture);
        return String(picture);
    }

    /// Draws and asks before and after a call. The faults that it finds, as texts.
    function check(name, kind, call) {
        const faults = [];
        const fault = (text) => faults.push(`${name}, ${kind}: ${text}`);
        hostile(kind);
        const [picture, before] = [drawn(), state()];
        const error = gl.getError();
        if (error) fault(`the page's own error ${error}`);
        try {
            if (call() !== true) fault("a wrong result");
        } catch (thrown) {
            fault(`${thrown}`);
        }
        const left = gl.getError();
        if (left) fault(`an error is left: ${left}`);
        for (const [what, value] of state()) {
            if (!same(before.get(what), value)) fault(`${what} was ${before.get(what)}, is ${value}`);
        }
        if (drawn() !== picture) fault("another picture");
        if (kind === "capturing" || kind === "paused") {
            gl.endTransformFeedback();
            gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
            const vertices = new Float32Array(4 * points);
            gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, captured);
            gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, vertices);
            gl.bufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, new Float32Array(4 * points));
            gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
            const half = (i) => String(vertices.subarray(i * 2 * points, (i + 1) * 2 * points));
            const empty = vertices.every((number) => number === 0);
            if (kind === "paused" ? !empty : empty || half(0) !== half(1)) fault("other vertices are captured");
        }
        const after = gl.getError();
        if (after) fault(`the page's own error ${after} after the call`);
        return faults;
    }

    /// Ends what a call may have left after a fault.
    function reset() {
        gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
        if (gl.getParameter(gl.TRANSFORM_FEEDBACK_ACTIVE)) gl.endTransformFeedback();
        gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
        while (gl.getError()) {}
    }

    const kinds = ["plain", "capturing", "paused", "discarding"];
    return { gl, module, check, kinds, hostile, reset, modes, switches };
}

const task = () => new Promise((done) => setTimeout(done));

/// Checks every call in every state.
async function checkHost() {
    const { gl, module, check, kinds } = await openHost();
    const faults = [];
    for (const kind of kinds) {
        let calls;
        faults.push(...check("begin", kind, () => {
            calls = new module.Calls(gl);
            return true;
        }));
        /// Asks again after each task, until there is an answer.
        const answer = async (name, ask) => {
            let right;
            for (let tasks = 0; right === undefined && tasks < 1000; tasks++) {
                await task();
                faults.push(...check(name, kind, () => {
                    right = ask();
                    return right !== false;
                }));
            }
            if (!right) faults.push(`${kind}: no answer to ${name}`);
        };
        for (const [number, name] of calls.names.entries()) {
            faults.push(...check(name, kind, () => calls.call(number)));
            if (name === "start a readback") await answer("arrived", () => calls.arrived());
            if (name === "start to prepare") await answer("prepared", () => calls.prepared());
        }
        faults.push(...check("end", kind, () => {
            calls.free();
            return true;
        }));
    }
    return faults;
}

/// Leaves out one restoration after the other: calls of the library that repeat what the page has called. Those whose absence no
/// check sees, by name.
async function checkChecks() {
    const { gl, module, check, hostile, reset, modes, switches } = await openHost();
    const restorations = [
        "useProgram", "bindVertexArray", "bindRenderbuffer", "viewport", "activeTexture", "bindSampler", "colorMask",
        ...["ARRAY_BUFFER", "PIXEL_PACK_BUFFER", "PIXEL_UNPACK_BUFFER"].map((target) => ["bindBuffer", target]),
        ...["DRAW_FRAMEBUFFER", "READ_FRAMEBUFFER"].map((target) => ["bindFramebuffer", target]),
        ...["TEXTURE_2D", "TEXTURE_2D_ARRAY"].map((target) => ["bindTexture", target]),
        // WebGL's sample coverage, polygon offset and dithering change nothing that the library draws.
        ...switches.filter((name) => !["DITHER", "POLYGON_OFFSET_FILL", "SAMPLE_COVERAGE", "RASTERIZER_DISCARD"].includes(name))
            .map((name) => ["enable", name]),
        ...Object.keys(modes).filter((name) => name !== "UNPACK_COLORSPACE_CONVERSION_WEBGL").map((name) => ["pixelStorei", name]),
    ].map((restoration) => [restoration].flat());
    const cases = restorations.map((restoration) => ["plain", restoration]);
    cases.push(["discarding", ["enable", "RASTERIZER_DISCARD"]], ["capturing", ["resumeTransformFeedback"]],
        ["capturing", ["bindTransformFeedback"]]);
    hostile("plain");
    const calls = new module.Calls(gl);
    const unseen = [];
    for (const [kind, [method, target]] of cases) {
        const made = [];
        const real = gl[method];
        const text = (options) => options.map((option) => typeof option === "object" ? made.indexOf(option) : Number(option)).join();
        const known = new Set();
        // What the page calls, and then what the library does.
        let inside = false;
        gl[method] = (...options) => {
            for (const option of options) {
                if (!inside && option && typeof option === "object" && !made.includes(option)) made.push(option);
            }
            const repeats = !target || options[0] === gl[target];
            if (!inside) known.add(text(options));
            else if (repeats && (known.has(text(options)) || method === "resumeTransformFeedback")) return;
            real.apply(gl, options);
        };
        const seen = calls.names.some((_, number) => {
            const faults = check("", kind, () => {
                inside = true;
                try {
                    return calls.call(number);
                } finally {
                    inside = false;
                }
            });
            reset();
            return faults.length > 0;
        });
        delete gl[method];
        if (!seen) unseen.push([method, target].join(" "));
    }
    return unseen;
}

/// Calls of WebGL that wait until everything issued before is carried out, within calls of the library that must not wait.
async function checkWaits() {
    const { gl, module } = await openHost();
    const calls = new module.Calls(gl);
    const waits = [];
    let inside = "";
    // A program that is said to be compiled is not waited for. A browser may not say it.
    const tells = gl.getExtension("KHR_parallel_shader_compile");
    const complete = new Set();
    for (const method of ["getError", "finish", "clientWaitSync", "readPixels", "getBufferSubData", "isTexture", "isBuffer",
        "checkFramebufferStatus", "getShaderParameter", "getProgramParameter", "getUniformLocation"]) {
        const real = gl[method];
        gl[method] = (...options) => {
            const asked = method === "getProgramParameter" &&
                (!tells || options[1] !== gl.LINK_STATUS || complete.has(options[0]));
            // Into a buffer, as a range of bytes.
            const stays = method === "readPixels" && typeof options[6] === "number";
            if (inside && !asked && !stays) waits.push(`${inside}: ${method}`);
            const answer = real.apply(gl, options);
            if (tells && options[1] === tells.COMPLETION_STATUS_KHR && answer) complete.add(options[0]);
            return answer;
        };
    }
    const call = (name) => calls.call(calls.names.indexOf(name));
    // The first readback of a format asks for it.
    call("start a readback");
    for (const name of ["write", "run", "start a readback", "start to prepare"]) {
        inside = name;
        call(name);
        inside = "";
    }
    let answers = 0;
    for (const ask of ["arrived", "prepared"]) {
        for (let tasks = 0, answer; answer === undefined && tasks < 1000; tasks++) {
            await task();
            const before = waits.length;
            inside = ask;
            answer = calls[ask]();
            inside = "";
            // The answer itself may be copied, and asked for errors.
            if (answer !== undefined) {
                waits.length = before;
                answers += answer;
            }
        }
    }
    return answers === 2 ? waits : ["no answer"];
}

/// Checks textures of the page: their sums, and what is said of those that are refused.
async function checkTextures() {
    const { gl, module } = await openHost();
    const calls = new module.Calls(gl);
    const faults = [];
    const size = new Uint32Array([7, 5]);
    const texels = size[0] * size[1];
    gl.activeTexture(gl.TEXTURE0);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    const texture = (internal, format, kind, data) => {
        const made = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, made);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl[internal], ...size, 0, gl[format], gl[kind], data);
        return made;
    };
    const sums = (numbers) => {
        let sum = 0;
        return numbers.map((number) => (sum += number));
    };
    const near = (one, other) => one.length === other.length &&
        one.every((number, i) => Math.abs(number - other[i]) <= 1e-5 * Math.abs(other[i]));
    const bytes = Uint8Array.from({ length: 4 * texels }, (_, i) => (i * 37) % 256);
    const halves = Uint16Array.from(bytes, (byte) => 0x3c00 + byte);
    const words = Uint32Array.from(bytes, (byte) => byte * 1000);
    const floats = Float32Array.from(bytes, (byte) => byte / 8);
    const of = (channels, channel, numbers) => Array.from(numbers).filter((_, i) => i % channels === channel);
    const right = (name, got, numbers) => {
        if (!near(Array.from(got), sums(numbers))) faults.push(`${name}: ${got}, not ${sums(numbers)}`);
    };
    const whole = texture("R32UI", "RED_INTEGER", "UNSIGNED_INT", words.subarray(0, texels));
    right("R32UI", calls.sumsOf(whole, size, 0, 0, 0), Array.from(words.subarray(0, texels)));
    const byte = (number) => number / 255;
    const half = (number) => 1 + number / 1024;
    for (const [internal, format, kind, channels, data, value] of [
        ["RGBA8", "RGBA", "UNSIGNED_BYTE", 4, bytes, byte],
        ["R8", "RED", "UNSIGNED_BYTE", 1, bytes.subarray(0, texels), byte],
        ["RGBA16F", "RGBA", "HALF_FLOAT", 4, halves, half],
        ["R16F", "RED", "HALF_FLOAT", 1, halves.subarray(0, texels), half],
        ["RGBA32F", "RGBA", "FLOAT", 4, floats, (number) => number / 8],
    ]) {
        const made = texture(internal, format, kind, data);
        const numbers = bytes.subarray(0, channels * texels);
        for (let channel = 0; channel < channels; channel++) {
            const values = of(channels, channel, numbers).map(value);
            right(`${internal} ${channel}`, calls.sumsOf(made, size, channels, channel, 0), values);
        }
        if (kind === "UNSIGNED_BYTE") right(`${internal} as bytes`, calls.sumsOf(made, size, channels, 0, 255), of(channels, 0, numbers));
        refused(made, size, 0, "they must be of R32UI");
    }
    function refused(made, asked, channels, reason) {
        try {
            calls.sumsOf(made, asked, channels, 0, 0);
            faults.push(`not refused: ${reason}`);
        } catch (error) {
            if (!String(error).includes(reason)) faults.push(`${error}, not ${reason}`);
        }
    }
    refused(whole, size, 1, "unsigned integers; they must be of floats");
    refused(whole, new Uint32Array([5, 7]), 0, "7 x 5 texels; the layout says 5 x 7");
    refused(whole, new Uint32Array([7, 4]), 0, "7 x 5 texels; the layout says 7 x 4");
    gl.deleteTexture(whole);
    refused(whole, size, 0, "no such texture");
    const error = gl.getError();
    if (error) faults.push(`an error is left: ${error}`);
    return faults;
}

/// Checks what calls say when a context is lost and given back.
async function checkLoss() {
    const module = (await openHost()).module;
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2");
    const event = (name) => new Promise((done) => canvas.addEventListener(name, (event) => done(event.preventDefault()), { once: true }));
    const said = [];
    const say = (calls) => {
        try {
            said.push(calls.call(calls.names.indexOf("read")));
        } catch (error) {
            said.push(String(error));
        }
    };
    const calls = new module.Calls(gl);
    say(calls);
    const extension = gl.getExtension("WEBGL_lose_context");
    const lost = event("webglcontextlost");
    extension.loseContext();
    say(calls);
    await lost;
    await task();
    const restored = event("webglcontextrestored");
    extension.restoreContext();
    await restored;
    say(calls);
    say(new module.Calls(gl));
    return said;
}

window.checks = { checkHost, checkChecks, checkWaits, checkTextures, checkLoss };
