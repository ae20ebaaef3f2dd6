// rasterscan for WebGL 2: scans, compactions, reductions, sorts and histograms in a context that is yours.
//
// `index.d.ts` says what each function does. Options are the words of the library's own grammar: `seedValue: 5` is
// `--seed-value 5`, and the module reads them.

import init, { Engine, Recipe } from "./rasterscan_js.js";

/** The class of an array of each element. */
const CLASSES = { u32: Uint32Array, i32: Int32Array, f32: Float32Array, u64: BigUint64Array, i64: BigInt64Array };

const EXPECTED = `${Object.values(CLASSES).map(({ name }) => name).join(", ")}, a stream or a texture`;

/** The element of a typed array, of any realm; undefined for everything else. */
const elementOf = (value) => {
    const name = ArrayBuffer.isView(value) ? value[Symbol.toStringTag] : undefined;
    return Object.keys(CLASSES).find((dtype) => CLASSES[dtype].name === name);
};

const refuse = (name, value) => {
    throw new TypeError(`${name}: expected ${EXPECTED}; got ${value?.constructor?.name ?? value}`);
};

const camel = (words) => words.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

/** Runs work of the module, whose sentences have options as a command line does: `--seed-value` is `seedValue`. */
const inWords = (work) => {
    try {
        return work();
    } catch (error) {
        error.message = error.message.replace(/--([a-z][a-z-]*)|^[a-z]+-[a-z-]+(?= )/g, (all, name) => camel(name ?? all));
        throw error;
    }
};

const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

const isStream = (value) =>
    value instanceof Stream || value instanceof HostTexture || elementOf(value) !== undefined;

/** The range of an array's numbers, NaN left out. */
const extent = (array) => {
    let [low, high] = [Infinity, -Infinity];
    for (const number of array) {
        if (number < low) low = number;
        if (number > high) high = number;
    }
    return low > high ? "0..1" : `${low}..${high}`;
};

/** The next task. */
const nextTask = () =>
    new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(port1.close());
        port2.postMessage(0);
    });

/**
 * A task a millisecond from now: a fence is passed between two. A timer that a timer sets waits for 4 ms, and one that a message sets
 * does not; tasks without a pause would take a core from a renderer in software.
 */
const pause = () => nextTask().then(() => new Promise((done) => setTimeout(done, 1)));

let loaded;

export async function attach(gl, { module, openColorMask = false } = {}) {
    if (typeof gl?.fenceSync !== "function") {
        throw new TypeError(`attach: expected a WebGL2RenderingContext, such as canvas.getContext("webgl2"); got ${gl?.constructor?.name ?? gl}`);
    }
    await (loaded ??= init(module === undefined ? undefined : { module_or_path: module }).catch((cause) => {
        loaded = undefined;
        const hint = "Vite's development server moves the package's files, unless its optimizeDeps exclude rasterscan";
        throw new Error(`attach: there is no rasterscan_js_bg.wasm at ${module ?? "the package's own files"}; ${hint}`, { cause });
    }));
    return new Rasterscan(gl, openColorMask);
}

/** A texture of the host's. */
class HostTexture {
    constructor(texture, shape) {
        if (typeof shape?.format !== "string") throw new TypeError('format: expected a name such as "RGBA32F"');
        for (const side of ["width", "height"]) {
            if (!(shape[side] > 0)) throw new TypeError(`${side}: expected the texture's, in texels`);
        }
        const channels = /32/.test(shape.format) && shape.channel === undefined ? /^R(GBA|G)?/.exec(shape.format)?.[0].length ?? 4 : 1;
        const most = Math.floor((shape.width * shape.height * channels) / (/64/.test(shape.dtype) ? 2 : 1));
        const { length = most } = shape;
        if (!(Number.isInteger(length) && length >= 0 && length <= most)) throw new RangeError(`length: expected at most the texture's ${most} numbers; got ${length}`);
        Object.assign(this, shape, { texture });
    }
}

/** Numbers on the GPU, in a texture of ours. */
class Stream {
    #held;

    constructor(gpu) {
        this.#held = gpu;
    }

    get #gpu() {
        if (this.isDisposed) throw new Error("this stream was disposed of; its numbers are gone");
        return this.#held;
    }

    async read() {
        const readback = this.#gpu.read();
        try {
            for (;;) {
                const bytes = readback.poll();
                if (bytes !== undefined) return new CLASSES[this.dtype](bytes.buffer);
                await pause();
            }
        } finally {
            readback.free();
        }
    }

    dispose() {
        this.#held?.free();
        this.#held = undefined;
    }

    get isDisposed() {
        return this.#held === undefined;
    }

    /** For the module. */
    static gpu(stream) {
        return stream.#gpu;
    }
}

for (const name of ["dtype", "length", "width", "height", "format", "itemsPerTexel", "texture"]) {
    Object.defineProperty(Stream.prototype, name, {
        get() {
            return Stream.gpu(this)[name];
        },
    });
}

/** The host's context, and the engine in it, which is made again once a lost context is back. */
class Context {
    #make;
    #engine;
    /** Streams of the host's textures, by how they lie: each texture is tried once. */
    #wrapped;

    constructor(gl, openColorMask) {
        this.#make = () => new Engine(gl, openColorMask);
        this.engine;
        gl.canvas?.addEventListener?.("webglcontextrestored", () => (this.#engine = undefined));
    }

    get engine() {
        if (this.#engine === undefined) {
            this.#engine = this.#make();
            this.#wrapped = new WeakMap();
        }
        return this.#engine;
    }

    wrapped(texture, layout, wrap) {
        const streams = this.#wrapped.get(texture) ?? new Map();
        if (!streams.has(layout)) streams.set(layout, wrap());
        this.#wrapped.set(texture, streams);
        return streams.get(layout);
    }
}

/** A job in its words, and the streams that it reads by their names. */
function wordsOf(problem, input, options) {
    const words = [problem, "-"];
    const streams = new Map([["input", input]]);
    let snippet;
    for (const [name, value] of Object.entries(options ?? {})) {
        const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        if (value === undefined || value === null || value === false) continue;
        if (value === true) words.push(option);
        else if (name === "length") streams.set(name, value);
        else if (isStream(value)) {
            words.push(option, "-");
            streams.set(option.slice(2), value);
        } else if (ArrayBuffer.isView(value)) {
            refuse(name, value);
        } else if (value.glsl !== undefined) {
            snippet = value;
            for (const [other, stream] of Object.entries(value.streams ?? {})) streams.set(other, stream);
        } else words.push(option, Array.isArray(value) ? `values:${value.join(",")}` : String(value));
    }
    return { words, streams, snippet };
}

/** A plan that is prepared, and prepared again in a context that is new. */
class Plan {
    #context;
    #job;
    #engine;
    #prepared;
    #names;
    #uniforms = new Map();
    #bound = new Map();
    #layouts;
    #results;
    #isDisposed = false;

    constructor(context, job) {
        this.#context = context;
        this.#job = job;
    }

    /** The job, for the context as it is now. */
    #recipe() {
        this.#engine = this.#context.engine;
        const { words, streams, snippet } = this.#job;
        const recipe = new Recipe(words);
        for (const [name, value] of streams) {
            const dtype = elementOf(value) ?? value?.dtype;
            if (value instanceof Stream) recipe.stream(name, Stream.gpu(value));
            else if (value instanceof HostTexture) {
                recipe.texture(name, value.format, dtype, value.width, value.height, value.length, value.channel);
            } else if (dtype === undefined) refuse(name, value);
            else recipe.array(name, dtype, value.length);
        }
        if (snippet) recipe.snippet(snippet.glsl);
        return recipe;
    }

    #take(prepared) {
        this.#prepared = prepared;
        this.#names = prepared.inputs();
        this.#bound.clear();
        this.#layouts = prepared.layouts();
        this.#results = undefined;
        for (const [name, values] of this.#uniforms) prepared.set(name, values);
    }

    /** Compiles between tasks. */
    async prepare() {
        const preparing = inWords(() => this.#recipe().prepare_later(this.#engine));
        let prepared;
        while ((prepared = preparing.poll()) === undefined) {
            await pause();
        }
        this.#take(prepared);
        return this;
    }

    /** The plan; in a context that is new, it is compiled at once. */
    #ready() {
        if (this.#isDisposed) throw new Error("this plan was disposed of; prepare it again");
        if (this.#engine !== this.#context.engine) this.#take(inWords(() => this.#recipe().prepare(this.#engine)));
        return this.#prepared;
    }

    get text() {
        return this.#ready().text();
    }

    set(name, value) {
        const values = Float64Array.from([value].flat());
        this.#ready().set(name, values);
        this.#uniforms.set(name, values);
    }

    run(input, others = {}) {
        const prepared = this.#ready();
        const given = new Map(Object.entries({ ...others, input }));
        given.forEach((value, name) => value === undefined || isStream(value) || refuse(name, value));
        this.#names.forEach((name, number) => {
            const value = given.get(name) ?? this.#job.streams.get(name);
            // An array that is given again may hold other numbers; the one of the preparation is uploaded once.
            const isThere = this.#bound.get(number) === value && (!given.get(name) || elementOf(value) === undefined);
            if (name !== "" && value !== undefined && !isThere) this.#bind(number, value);
        });
        prepared.run();
        if (this.#results === undefined || this.#results.some(([, stream]) => stream.isDisposed)) {
            const gpus = prepared.results();
            this.#results = prepared.outputs().map((name, number) => [name, new Stream(gpus[number])]);
        }
        return this.#results.length === 1 ? this.#results[0][1] : Object.fromEntries(this.#results);
    }

    #bind(number, value) {
        const dtype = elementOf(value);
        if (dtype !== undefined) this.#prepared.upload(number, dtype, bytesOf(value));
        else if (value instanceof Stream) this.#prepared.bind(number, Stream.gpu(value));
        else if (value instanceof HostTexture) {
            const wrapped = this.#context.wrapped(value.texture, this.#layouts[number], () =>
                this.#prepared.wrap(number, value.texture, this.#engine),
            );
            this.#prepared.bind(number, wrapped);
        }
        else return;
        // A plan without passes returns its input.
        if (dtype === undefined || elementOf(this.#bound.get(number)) === undefined) this.#results = undefined;
        this.#bound.set(number, value);
    }

    /** All results as arrays; those that are counted without their undefined rest, and without the count. */
    async read(results) {
        const names = this.#prepared.outputs();
        const streams = names.length === 1 ? [results] : names.map((name) => results[name]);
        const arrays = await Promise.all(streams.map((stream) => stream.read()));
        const count = names.includes("count") ? arrays[names.indexOf("count")][0] : undefined;
        const cut = arrays.map((array, number) => (this.#prepared.counted(number) ? array.slice(0, count) : array));
        const named = names.map((name, number) => [name, cut[number]]).filter(([name]) => name !== "count");
        return named.length === 1 ? named[0][1] : Object.fromEntries(named);
    }

    dispose() {
        if (!this.#isDisposed) this.#prepared.free();
        this.#isDisposed = true;
    }
}

class Rasterscan {
    #context;

    constructor(...given) {
        this.#context = new Context(...given);
    }

    get device() {
        return this.#context.engine.device();
    }

    together(work) {
        return this.#context.engine.together(work);
    }

    takeError() {
        return this.#context.engine.takeError();
    }

    texture(texture, shape) {
        return new HostTexture(texture, shape);
    }

    async prepare(problem, input, options) {
        return new Plan(this.#context, wordsOf(problem, input, options)).prepare();
    }

    async #once(problem, input, options) {
        const plan = await this.prepare(problem, input, options);
        try {
            if (elementOf(input) === undefined) return plan.run(input);
            // The upload is a task of its own.
            await nextTask();
            const { results, arrays } = this.together(() => {
                const results = plan.run(input);
                return { results, arrays: plan.read(results) };
            });
            const streams = results instanceof Stream ? [results] : Object.values(results);
            try {
                return await arrays;
            } finally {
                streams.forEach((stream) => stream.dispose());
            }
        } finally {
            plan.dispose();
        }
    }

    scan(input, options) {
        return this.#once("scan", input, options);
    }
    compact(input, options) {
        return this.#once("compact", input, options);
    }
    reduce(input, options) {
        return this.#once("reduce", input, options);
    }
    sort(input, options) {
        return this.#once("sort", input, options);
    }
    argsort(input, options) {
        return this.#once("sort", input, { ...options, moves: "indices" });
    }
    histogram(input, options) {
        // The module knows an array by its length alone.
        const spans = options?.bins !== undefined && options.range === undefined && elementOf(input) !== undefined;
        return this.#once("histogram", input, spans ? { ...options, range: extent(input) } : options);
    }
}
