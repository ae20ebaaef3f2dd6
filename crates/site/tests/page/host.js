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

    const kinds = ["plain", "capturing", "paused", "discarding"];
    return { gl, module, check, kinds };
}

/// Checks every call in every state.
async function checkHost() {
    const { gl, module, check, kinds } = await openHost();
    const faults = [];
    const task = () => new Promise((done) => setTimeout(done));
    for (const kind of kinds) {
        let calls;
        faults.push(...check("begin", kind, () => {
            calls = new module.Calls(gl);
            return true;
        }));
        for (const [number, name] of calls.names.entries()) {
            faults.push(...check(name, kind, () => calls.call(number)));
            if (name !== "start a readback") continue;
            let right;
            for (let tasks = 0; right === undefined && tasks < 1000; tasks++) {
                await task();
                faults.push(...check("poll", kind, () => {
                    right = calls.arrived();
                    return right !== false;
                }));
            }
            if (!right) faults.push(`${kind}: the readback never arrived`);
        }
        faults.push(...check("end", kind, () => {
            calls.free();
            return true;
        }));
    }
    return faults;
}

window.checkHost = checkHost;
