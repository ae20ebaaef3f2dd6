// What a caller in TypeScript may write, and what the compiler must refuse: `tsc` checks it, nothing runs it.
import { attach, type Plan, type Results, type Stream } from "rasterscan";

export async function calls(gl: WebGL2RenderingContext, texture: WebGLTexture): Promise<void> {
    const rs = await attach(gl, { module: new URL("https://example.com/rasterscan_js_bg.wasm"), openColorMask: true });
    const depths = new Float32Array([0.5, -1, 0.25]);

    const sums: BigUint64Array = await rs.scan(new BigUint64Array(3), { exclusive: true, seedValue: 5n });
    const rows: Float32Array = await rs.scan(depths, { op: "max", rows: 3, reverse: true, algorithm: "packed" });
    const kept: Int32Array = await rs.compact(new Int32Array(4), { keep: ">2" });
    const places: Uint32Array = await rs.compact(depths, { keep: ">=0.5", moves: "indices" });
    const { values, indices } = await rs.sort(depths, { moves: "both", bits: "16" });
    const { payload } = await rs.sort(depths, { payload: [10, 11, 12] });
    const smallest: Uint32Array = (await rs.reduce(depths, { op: "argmin" })).indices;
    const counts: Uint32Array = await rs.histogram(depths, { edges: [0, 0.5, 1] });
    console.log(sums, rows, kept, places, values, indices, payload, smallest, counts);

    const splats = rs.texture(texture, { width: 64, height: 64, format: "RGBA32F", length: 4000 });
    const glsl = "uniform float u_x; float key(vec4 p, int i) { return u_x * p.x * weight_at(i); }";
    const plan: Plan = await rs.prepare("sort", splats, { moves: "indices", key: { glsl, streams: { weight: depths } } });
    plan.set("u_x", 1);
    const order: Stream = plan.run();
    const drawn: WebGLTexture = order.texture;
    const { values: alive, count } = await rs.compact(splats);
    const rest: Stream = await rs.scan(alive, { length: count });
    const { values: sums2, keys, count: runs } = await rs.reduce(splats, { keys: alive });
    const nearest: Stream = (await rs.scan(splats, { op: "argmin" })).indices;
    const bins: Stream = await rs.histogram(splats, { edges: [0, 1] });
    const { payload: moved }: Partial<Results<Stream>> = (await rs.prepare("sort", splats, { payload: alive })).run();
    console.log(sums2.dtype, keys.dtype, runs.dtype, nearest.dtype, bins.dtype, moved?.dtype, rs.takeError(), rs.together(() => [plan.run(), plan.run()]).length);
    console.log(drawn, await rest.read(), await plan.read(order), plan.text, rs.device);
    rest.dispose();
    plan.dispose();
    await rs.prepare("scan", { dtype: "u64", length: 1000 }, { tuple: 2 });

    // @ts-expect-error No such option.
    await rs.sort(depths, { exclusive: true });
    // @ts-expect-error The count of a plan's results is a stream.
    const wrong: number = plan.run().count;
    // @ts-expect-error No such result.
    console.log(wrong, (await rs.compact(splats)).keys);
    // @ts-expect-error No such operator.
    await rs.scan(depths, { op: "plus" });
    // @ts-expect-error No element of 8 bits.
    await rs.scan(new Uint8Array(3));
    // @ts-expect-error No such problem.
    await rs.prepare("shuffle", depths);
    // @ts-expect-error A key sorts.
    await rs.scan(depths, { key: { glsl } });
}
