// The package's functions. The tables of options are made from the library's own (`UPDATE_TABLES=1 cargo test --test docs`).

/** Arrays of the elements that a stream can hold: u32, i32, f32, u64 and i64. */
export type Numbers = Uint32Array | Int32Array | Float32Array | BigUint64Array | BigInt64Array;

/** The names of the elements. */
export type DType = "u32" | "i32" | "f32" | "u64" | "i64";

/** Numbers on the GPU, in a texture of the library's, from {@link Plan.run} or from a call on a texture. */
export interface Stream {
    readonly dtype: DType;
    /** Numbers. Of results that are counted, only the first ones count. */
    readonly length: number;
    /**
     * The texture, to draw with. Number `i` is channel `i % itemsPerTexel` of texel `t = i / itemsPerTexel`, which is at
     * `ivec2(t % width, t / width)`; a 64-bit number takes two channels, the lower word first. The stream owns it.
     */
    readonly texture: WebGLTexture;
    /** Columns of the texture. */
    readonly width: number;
    /** Rows of the texture. */
    readonly height: number;
    /** The internal format: `R32UI`, `RGBA32F` ... */
    readonly format: string;
    readonly itemsPerTexel: number;
    /** Reads all numbers back, without blocking the page. Rejected if the context is lost. */
    read(): Promise<Numbers>;
    /** Gives the memory back. A plan's results are allocated once, and go when the plan and they are disposed of. */
    dispose(): void;
    readonly isDisposed: boolean;
}

/** The shape of a texture of yours. */
export interface TextureShape {
    width: number;
    height: number;
    /**
     * R32UI, R32I, R32F, or the same of RG and RGBA: its channels are the numbers, texel by texel, row by row. Of R8, RG8,
     * RGBA8, R16F, RG16F and RGBA16F one channel is read, by a pass of its own.
     */
    format: `${"R" | "RG" | "RGBA"}${"32UI" | "32I" | "32F" | "8" | "16F"}`;
    /** The one channel that is read, counted from 0; all of 32 bits by default, and of other formats the first. */
    channel?: number;
    /** Numbers that count; all by default. With a `key`, or a `keep` of indices, a texel is one item. */
    length?: number;
    /** u64 or i64, if a number takes two channels. u32 reads a channel of 8 bits as 0 to 255, which is 0 to 1 otherwise. */
    dtype?: DType;
}

/** A texture of yours, as {@link Rasterscan.texture} describes it. You keep owning it. */
export interface HostTexture extends TextureShape {
    readonly texture: WebGLTexture;
}

/** Numbers that are on the GPU already. */
export type OnGpu = Stream | HostTexture;

/** The further streams of an option: an array, on the GPU, or numbers that are typed in. */
export type SideStream = Numbers | OnGpu | readonly (number | bigint)[];

/** An input that is to come: its element, and its length in numbers. */
export interface Shape {
    dtype: DType;
    length: number;
}

/** A function of yours in GLSL. */
export interface Snippet {
    /**
     * For a sort, `float key(ITEM item, int index)`, or of `uint`, `int`, `bool` or `uvec2` (64 bits). For a compaction,
     * `bool keep(ITEM item, int index)`. An item is a `uint`, `int`, `float` or `uvec2`, and of a texture of several channels
     * their vector. Uniforms of `float`, `int`, `uint` and `ivec2` begin as 0: {@link Plan.set}.
     * `NAME_at(index)` reads an
     * item of a further stream, `source_at(index)` one of the first.
     */
    glsl: string;
    /** Further streams that it reads, three at most. */
    streams?: Record<string, Numbers | OnGpu>;
}

/** Options of all requests. */
export interface Common {
    /** The algorithm, with its parameters: `radix`, `hybrid:reduce=2`; the fastest by default. */
    algorithm?: string;
    /** A stream of one u32 on the GPU: so many items count, and the rest of the result is undefined. */
    length?: OnGpu;
}

// <!-- options: scan -->
export interface ScanWords {
    /** The operator; affine takes pairs a, b; argmin and argmax give the index of the first smallest or largest value, of which NaN is the first, as in numpy; min and max mostly skip NaN, which numpy propagates, and results after one are not checked */
    op?: "add" | "mul" | "min" | "max" | "and" | "or" | "xor" | "affine" | "argmin" | "argmax";
    /** Exclude each value from its own result */
    exclusive?: boolean;
    /** Repeat the scan this many times */
    order?: number;
    /** Treat the stream as this many interleaved ones */
    tuple?: number;
    /** A linear recurrence a0,a1,...:b1,b2,... in place of sums: y[i] = a0 x[i] + a1 x[i-1] ... + b1 y[i-1] ...; 1,2,-1 is 1:2,-1 */
    recurrence?: string;
    /** Keep an image's channels interleaved and scan each on its own (sets tuple) */
    channels?: boolean;
    /** Treat each row of this many items on its own */
    rows?: number;
    /** Treat each column on its own; a row has this many items */
    columns?: number;
    /** Treat each segment on its own: one begins where this input is not 0 */
    segments?: SideStream;
    /** Treat each segment on its own: this input has the index of each one's first item, in ascending order */
    offsets?: SideStream;
    /** Treat each run of equal keys on its own: this input has the key of each item */
    keys?: SideStream;
    /** Scan from the last item to the first */
    reverse?: boolean;
    /** Begin each scan with this value (one for each of tuple; two for each with affine) */
    seedValue?: number | bigint | readonly (number | bigint)[];
}
// <!-- end -->

// <!-- options: compact -->
export interface CompactWords {
    /** The elements to keep: nonzero, or >T, >=T, <T, <=T, ==T, !=T with a number of the input's type, in quotes */
    keep?: string;
    /** Keep the elements for which this input, as long as the first, is not zero: values:1,0,1, a .npy of bool or u1, or a .png (its luma) */
    mask?: SideStream;
    /** The results: the values of the kept elements, their indices (counted from 0), or both */
    moves?: "values" | "indices" | "both";
}
// <!-- end -->

// <!-- options: reduce -->
export interface ReduceWords {
    /** The operator; affine takes pairs a, b; argmin and argmax give the index of the first smallest or largest value, of which NaN is the first, as in numpy; min and max mostly skip NaN, which numpy propagates, and results after one are not checked */
    op?: "add" | "mul" | "min" | "max" | "and" | "or" | "xor" | "affine" | "argmin" | "argmax";
    /** Treat the stream as this many interleaved ones */
    tuple?: number;
    /** Treat each row of this many items on its own */
    rows?: number;
    /** Treat each column on its own; a row has this many items */
    columns?: number;
    /** Treat each segment on its own: one begins where this input is not 0 */
    segments?: SideStream;
    /** Treat each segment on its own: this input has the index of each one's first item, in ascending order */
    offsets?: SideStream;
    /** Treat each run of equal keys on its own: this input has the key of each item */
    keys?: SideStream;
}
// <!-- end -->

// <!-- options: sort -->
export interface SortWords {
    /** Put the highest key first */
    descending?: boolean;
    /** The results: the sorted values, the index (counted from 0) that each had, or both */
    moves?: "values" | "indices" | "both";
    /** Compare only some bits: a range, counted from the lowest (8..24 is bits 8 to 23), or a number of the highest (16) */
    bits?: string;
    /** Treat each row of this many items on its own */
    rows?: number;
    /** Treat each segment on its own: one begins where this input is not 0 */
    segments?: SideStream;
    /** Treat each segment on its own: this input has the index of each one's first item, in ascending order */
    offsets?: SideStream;
    /** Move these numbers with the keys: one u32 for each */
    payload?: SideStream;
}
// <!-- end -->

// <!-- options: histogram -->
export interface HistogramWords {
    /** The edges of the bins, one more than bins, in ascending order: an input such as values:0,2,8 or a file. Values below the first edge, from the last one on, and NaN are not counted [default: 0, 1, 2 ... 256] */
    edges?: SideStream;
    /** Bins of equal width, from the least number to the greatest or in range */
    bins?: number;
    /** The range of bins, of which there are 10 by default; what lies outside is not counted */
    range?: string;
}
// <!-- end -->

export type ScanOptions = Common & ScanWords;
export type ReduceOptions = Common & ReduceWords;
export type HistogramOptions = Omit<Common, "length"> & HistogramWords;
export type CompactOptions = Common & Omit<CompactWords, "keep"> & { keep?: string | Snippet };
export type SortOptions = Common & SortWords & { key?: Snippet };

/** The options of each request. */
export interface Options {
    scan: ScanOptions;
    compact: CompactOptions;
    reduce: ReduceOptions;
    sort: SortOptions;
    histogram: HistogramOptions;
}

/** Results by their names, of which a plan has some. */
export interface Results<T> {
    values: T;
    /** Where each value was. */
    indices: T;
    /** How many of the others count, as one number. */
    count: T;
    /** The key of each run of equal keys. */
    keys: T;
    payload: T;
}

/** What is computed of numbers like these: an array of arrays, a stream of what is on the GPU. */
export type Like<I> = I extends Numbers ? I : Stream;

/** The same of a fixed element. */
export type Also<I, A> = I extends Numbers ? A : Stream;

/** Results that are counted: arrays come without their rest and without the count. */
export type Counted<I, R> = I extends Numbers ? R : R & { count: Stream };

/** A request that is compiled and allocated once, and runs any number of times. */
export interface Plan {
    /**
     * Runs the plan: on the input and the streams of options that it was prepared with, or on others of the same shapes,
     * by their names. Allocates nothing and reads nothing back. A plan of one result returns its stream, others several by
     * their names. The next run overwrites them.
     */
    run(input?: Numbers | OnGpu, streams?: Record<string, Numbers | OnGpu>): Stream & Results<Stream>;
    /** Reads the results of a run: an array, or several by their names. What is counted comes without its rest. */
    read(results: Stream | Partial<Results<Stream>>): Promise<Numbers & Results<Numbers>>;
    /** Sets a uniform of the snippet, from the next run on; an `ivec2` from two numbers. */
    set(uniform: string, value: number | readonly [number, number]): void;
    /** The passes with their costs. */
    readonly text: string;
    dispose(): void;
}

/**
 * The library in a WebGL 2 context of yours. Errors are the library's sentences. A promise is rejected when the context is
 * lost; once the browser has restored it, calls work again, and a plan is prepared again on its next run. Textures of yours
 * are yours to make again.
 */
export interface Rasterscan {
    /** Renderer and version. */
    readonly device: string;

    /**
     * The first error that was left of calls of yours, and that `gl.getError` no longer tells since the library took it: no call of
     * the library is rejected because of it, unless memory ran out. Waits for the GPU's process.
     */
    takeError(): string | undefined;

    /**
     * Calls `work`, whose calls of `run` ask for the state of your context and restore it once, all together. It must not call WebGL
     * itself, nor wait.
     */
    together<R>(work: () => R): R;

    /** Describes a texture of yours. */
    texture(texture: WebGLTexture, shape: TextureShape): HostTexture;

    /** Prepares a request for an input that is there, or for the shape of one that is to come. */
    prepare<P extends keyof Options>(
        problem: P,
        input: Numbers | OnGpu | Shape,
        options?: Options[P],
    ): Promise<Plan>;

    // The last form of a call is its general one: compilers tell what is wrong of that one.

    /** Prefix sums, or another operator: as many numbers. */
    scan<I extends Numbers | OnGpu>(
        input: I,
        options: ScanOptions & { op: "argmin" | "argmax" },
    ): Promise<Found<I>>;
    scan<I extends Numbers | OnGpu>(input: I, options?: ScanOptions): Promise<Like<I>>;

    /** The numbers that are kept, in their order; nonzero ones without a condition or a mask. */
    compact<I extends Numbers | OnGpu>(
        input: I,
        options: CompactOptions & { moves: "both" },
    ): Promise<Counted<I, Found<I>>>;
    compact<I extends Numbers | OnGpu>(
        input: I,
        options: CompactOptions & { moves: "indices" },
    ): Promise<I extends Numbers ? Uint32Array : { indices: Stream; count: Stream }>;
    compact<I extends Numbers | OnGpu>(
        input: I,
        options?: CompactOptions,
    ): Promise<I extends Numbers ? I : { values: Stream; count: Stream }>;

    /** All numbers combined to one, or those of each row, column, segment or key. */
    reduce<I extends Numbers | OnGpu>(
        input: I,
        options: ReduceOptions & { op: "argmin" | "argmax" },
    ): Promise<Found<I>>;
    reduce<I extends Numbers | OnGpu>(
        input: I,
        options: ReduceOptions & { keys: SideStream },
    ): Promise<Counted<I, { values: Like<I>; keys: Also<I, Numbers> }>>;
    reduce<I extends Numbers | OnGpu>(input: I, options?: ReduceOptions): Promise<Like<I>>;

    /** The numbers in ascending order, stable; floats in IEEE 754's total order. With a `key`, the sorted keys. */
    sort<I extends Numbers | OnGpu>(
        input: I,
        options: SortOptions & { payload: SideStream },
    ): Promise<{ values: Like<I>; payload: Also<I, Uint32Array> }>;
    sort<I extends Numbers | OnGpu>(input: I, options: SortOptions & { moves: "both" }): Promise<Found<I>>;
    sort<I extends Numbers | OnGpu>(
        input: I,
        options: SortOptions & { moves: "indices" },
    ): Promise<Also<I, Uint32Array>>;
    sort<I extends Numbers | OnGpu>(input: I, options?: SortOptions): Promise<Like<I>>;

    /** The index of each number in their order. */
    argsort<I extends Numbers | OnGpu>(input: I, options?: SortOptions): Promise<Also<I, Uint32Array>>;

    /** How many numbers are in each bin. `bins` of what is on the GPU, and of a prepared plan, need a `range`, such as `"0..8"`. */
    histogram<I extends Numbers | OnGpu>(input: I, options?: HistogramOptions): Promise<Also<I, Uint32Array>>;
}

/** Numbers with the indices that they had. */
export interface Found<I> {
    values: Like<I>;
    indices: Also<I, Uint32Array>;
}

export interface AttachOptions {
    /** Where `rasterscan_js_bg.wasm` is, if not beside the package's own files. */
    module?: string | URL;
    /**
     * Your promise that `gl.colorMask` is true for all channels at each call, as three.js leaves it. Otherwise each run asks for it,
     * which makes the page wait until the GPU's process has carried out all that was issued before: 40 microseconds at least.
     */
    openColorMask?: boolean;
}

/**
 * Uses a context of yours.
 *
 * Rejected if the module cannot be loaded, or the context is lost.
 */
export function attach(gl: WebGL2RenderingContext, options?: AttachOptions): Promise<Rasterscan>;
