//! The npm package in two browsers: installed from its tarball into an empty folder, and in pages that a bundler has built.

use std::io::Write;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};

use crate::browser::{Page, Site};

/// The package's README, whose example says what it prints.
const README: &str = include_str!("../../../js/package/README.md");
/// Bytes of the module, its glue and its functions, gzipped.
const LARGEST: usize = 500_000;

/// Calls, and what comes of them. `a` is 3 1 7 0 4 1 6 3 as u32.
const CALLS: &[(&str, &str)] = &[
    ("rs.scan(a)", "Uint32Array 3 4 11 11 15 16 22 25"),
    ("rs.scan(a, { op: 'max', exclusive: true, seedValue: 2 })", "Uint32Array 2 3 3 7 7 7 7 7"),
    ("rs.scan(a, { rows: 4, reverse: true })", "Uint32Array 11 8 7 0 14 10 9 3"),
    ("rs.scan(a, { segments: [1, 0, 0, 0, 1, 0, 0, 0] })", "Uint32Array 3 4 11 11 4 5 11 14"),
    ("rs.scan(a, { algorithm: 'hybrid:reduce=2' })", "Uint32Array 3 4 11 11 15 16 22 25"),
    ("rs.scan(new BigUint64Array([2n ** 40n, 5n, 7n]))", "BigUint64Array 1099511627776 1099511627781 1099511627788"),
    ("rs.scan(new Uint32Array(0))", "Uint32Array "),
    ("rs.compact(a)", "Uint32Array 3 1 7 4 1 6 3"),
    ("rs.compact(a, { keep: '>2', moves: 'both' })", "values: Uint32Array 3 7 4 6 3, indices: Uint32Array 0 2 4 6 7"),
    ("rs.compact(a, { mask: new Uint32Array([1, 0, 1, 0, 0, 0, 0, 1]) })", "Uint32Array 3 7 3"),
    ("rs.compact(a, { keep: { glsl: 'bool keep(uint x, int i) { return x % 2u == 1u; }' } })", "Uint32Array 3 1 7 1 3"),
    (
        "rs.compact(a, { moves: 'indices', keep: { glsl: 'bool keep(uint x, int i) { return x < mask_at(i); }', streams: { mask: a.slice().reverse() } } })",
        "Uint32Array 1 3 5",
    ),
    ("rs.compact(new Uint32Array(0))", "Uint32Array "),
    ("rs.reduce(a)", "Uint32Array 25"),
    ("rs.reduce(a, { op: 'argmax' })", "indices: Uint32Array 2, values: Uint32Array 7"),
    (
        "rs.reduce(a, { keys: new Int32Array([-1, -1, 5, 5, 5, -1, 0, 0]) })",
        "values: Uint32Array 4 11 1 9, keys: Int32Array -1 5 -1 0",
    ),
    ("rs.sort(new Float32Array([0.5, -1, 0.25]), { descending: true })", "Float32Array 0.5 0.25 -1"),
    ("rs.sort(new BigInt64Array([2n ** 40n, -5n, 7n]))", "BigInt64Array -5 7 1099511627776"),
    ("rs.sort(a, { payload: [10, 11, 12, 13, 14, 15, 16, 17] })", "values: Uint32Array 0 1 1 3 3 4 6 7, payload: Uint32Array 13 11 15 10 17 14 16 12"),
    ("rs.argsort(a)", "Uint32Array 3 1 5 0 7 4 6 2"),
    ("rs.argsort(a, { key: { glsl: 'float key(uint x, int i) { return -float(x); }' } })", "Uint32Array 2 6 4 0 7 1 5 3"),
    ("rs.histogram(new Float32Array([0.5, 1, 7, 0.25]), { edges: new Float32Array([0, 0.5, 2]) })", "Uint32Array 1 2"),
    ("rs.histogram(new Uint32Array([0, 1, 2, 7]), { bins: 2, range: '0..8' })", "Uint32Array 3 1"),
    ("rs.histogram(new Float32Array([NaN, 0, 1, 2, 4]), { bins: 2 })", "Uint32Array 2 2"),
    // On textures.
    (
        "rs.sort(rs.texture(texture(3, 2, 'R32F', 'RED', 'FLOAT', new Float32Array([5, 4, 3, 2, 1, 0])), { width: 3, height: 2, format: 'R32F', length: 5 }))",
        "stream of Float32Array 1 2 3 4 5",
    ),
    (
        "rs.compact(rs.texture(texture(2, 1, 'RGBA32UI', 'RGBA_INTEGER', 'UNSIGNED_INT', a), { width: 2, height: 1, format: 'RGBA32UI' }), { keep: '>2' })
            .then(({ values, count }) => rs.scan(values, { length: count })).then(async (sums) => (await sums.read()).slice(0, 5))",
        "Uint32Array 3 10 14 20 23",
    ),
    (
        "rs.prepare('sort', rs.texture(texture(2, 2, 'RGBA32F', 'RGBA', 'FLOAT', new Float32Array([5, 0, 0, 0, 4, 9, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0])), { width: 2, height: 2, format: 'RGBA32F' }),
            { moves: 'indices', key: { glsl: 'uniform float u_y; float key(vec4 p, int i) { return p.x + u_y * p.y; }' } })
            .then(async (plan) => ({ before: await plan.run().read(), set: plan.set('u_y', 1), after: await plan.run().read() }))",
        "before: Uint32Array 3 2 1 0, set: undefined, after: Uint32Array 3 2 0 1",
    ),
    (
        "rs.sort(rs.texture(texture(2, 2, 'RGBA8', 'RGBA', 'UNSIGNED_BYTE', new Uint8Array([0, 9, 0, 0, 0, 7, 0, 0, 0, 255, 0, 0, 0, 8, 0, 0])), { width: 2, height: 2, format: 'RGBA8', channel: 1, dtype: 'u32' }))",
        "stream of Uint32Array 7 8 9 255",
    ),
    (
        "rs.scan(rs.texture(texture(2, 1, 'RG16F', 'RG', 'FLOAT', new Float32Array([0.5, 0.25, 2, 4])), { width: 2, height: 1, format: 'RG16F' }))",
        "stream of Float32Array 0.5 2.5",
    ),
    (
        "rs.sort(rs.texture(texture(2, 1, 'R32F', 'RED', 'FLOAT', new Float32Array([5, 4])), { width: 2, height: 1, format: 'R32UI' }))",
        "wrapping a texture",
    ),
    // As two numbers, and as two texels of two channels.
    (
        "(async () => {
            const made = texture(2, 1, 'RG32UI', 'RG_INTEGER', 'UNSIGNED_INT', new Uint32Array([4, 3, 2, 1]));
            const some = rs.texture(made, { width: 2, height: 1, format: 'RG32UI', length: 2 });
            const key = { glsl: 'uint key(uvec2 v, int i) { return v.x; }' };
            return { numbers: await rs.sort(some), texels: await rs.sort(some, { moves: 'indices', key }) };
        })()",
        "numbers: stream of Uint32Array 3 4, texels: stream of Uint32Array 1 0",
    ),
    // Prepared for a shape, and run on two arrays.
    (
        "rs.prepare('reduce', { dtype: 'i32', length: 3 }, { op: 'min' }).then(async (plan) => ({ one: await plan.run(new Int32Array([3, -1, 7])).read(), other: await plan.run(new Int32Array([4, 2, 9])).read() }))",
        "one: Int32Array -1, other: Int32Array 2",
    ),
    // Sentences of the library.
    ("rs.sort(a, { descendin: true })", "sort has no option 'descendin'; did you mean descending?"),
    ("rs.scan(a, { rows: 2, columns: 2 })", "rows and columns cannot be given together; give one of them"),
    ("rs.scan(a, { seedValue: 'x' })", "seedValue cannot be 'x'; expected a number"),
    ("rs.scan(a, { order: 17 })", "order cannot be '17'; expected 1 to 16"),
    ("rs.scan(a, { rows: 3 })", "a stream of 8 items does not divide into rows of 3; use a multiple of 3"),
    ("rs.compact(a, { mask: new Uint32Array(3) })", "mask has 3 elements; expected 8"),
    ("rs.scan([1, 2])", "input: expected Uint32Array, Int32Array, Float32Array, BigUint64Array, BigInt64Array, a stream or a texture; got Array"),
    ("rs.compact(a, { mask: new Uint8Array(8) })", "mask: expected Uint32Array, Int32Array, Float32Array, BigUint64Array, BigInt64Array, a stream or a texture; got Uint8Array"),
    ("rs.prepare('scan', a).then((plan) => plan.run(new Float64Array(8)))", "; got Float64Array"),
    ("rs.prepare('scan', a).then((plan) => { const sums = plan.run(); sums.dispose(); sums.dispose(); return sums.read(); })", "this stream was disposed of; its numbers are gone"),
    ("rs.prepare('scan', a).then((plan) => { plan.dispose(); plan.dispose(); plan.run(); })", "this plan was disposed of; prepare it again"),
    ("(async () => rs.texture(texture(1, 1, 'R32F', 'RED', 'FLOAT', new Float32Array(1)), { width: 1, height: 1, format: gl.R32F }))()", "format: expected a name such as"),
    (
        "rs.argsort(a, { key: { glsl: 'float key(uint x, int i) { return flot(x); }' } })",
        "glsl/map key:1: ",
    ),
    ("rs.prepare('reduce', { dtype: 'i32', length: 3 }).then((plan) => plan.run(new Int32Array(4)))", "the data has 4 elements; expected 3"),
    ("rs.prepare('scan', a).then((plan) => plan.set('u_x', 1))", "there is no uniform 'u_x'"),
    (
        "rs.prepare('sort', a, { key: { glsl: 'uniform float u_a; float key(uint x, int i) { return u_a; }' } }).then((plan) => plan.set('u_a', [1, 2]))",
        "u_a is a uniform float; expected 1 number, got 2",
    ),
    (
        "rs.sort(a, { key: { glsl: 'uniform highp float u_a, u_b[2]; float key(uint x, int i) { return u_a; }' } })",
        "u_b[2] is a uniform float; expected float, int, uint or ivec2, and no array",
    ),
    (
        "rs.sort(a, { key: { glsl: '/* uniform mat4 m; */ uniform vec3 u_a; float key(uint x, int i) { return u_a.x; }' } })",
        "u_a is a uniform vec3; expected float, int, uint or ivec2",
    ),
    ("(async () => rs.texture(texture(1, 1, 'R32F', 'RED', 'FLOAT', new Float32Array(1)), { width: 1, height: 1, format: 'R32F', length: 2 }))()", "length: expected at most the texture's 1 numbers; got 2"),
    ("import('./node_modules/rasterscan/index.js').then(({ attach }) => attach(gl.canvas))", "attach: expected a WebGL2RenderingContext, such as canvas.getContext(\"webgl2\"); got HTMLCanvasElement"),
    // An error of the page's that nothing has read.
    ("(gl.enable(0), rs.scan(a))", "Uint32Array 3 4 11 11 15 16 22 25"),
    ("(async () => rs.takeError())()", "calls made before this crate's: invalid enum"),
    ("(async () => rs.takeError())()", "undefined"),
];

/// Opens a page of the package's in both browsers, one after the other.
fn both(file: &str, test: impl Fn(&Page)) {
    let site = Site::new();
    for page in [Site::blank, Site::firefox].map(|open| open(&site)) {
        page.before_all(
            "window.printed = [];
            const log = console.log;
            console.log = (...words) => { printed.push(words.join(' ')); log(...words); };
            window.reads = 0;
            for (const name of ['readPixels', 'getBufferSubData']) {
                const real = WebGL2RenderingContext.prototype[name];
                WebGL2RenderingContext.prototype[name] = function (...given) {
                    window.reads++;
                    return real.apply(this, given);
                };
            }",
        );
        page.visit_file(&format!("npm/{file}"));
        test(&page);
        assert_eq!(page.faults(), [""; 0]);
    }
}

#[test]
fn the_packages_example_prints_what_it_says() {
    let expected: Vec<&str> =
        README.split("console.log(").skip(1).filter_map(|line| line.split("// ").nth(1)).collect();
    let expected: Vec<&str> = expected.iter().filter_map(|line| line.lines().next()).collect();
    assert_eq!(expected.len(), 3);
    both("readme.html", |page| {
        page.wait("the example ends", "printed.length", |count| *count == serde_json::json!(3));
        assert_eq!(page.value("printed"), serde_json::json!(expected));
    });
}

#[test]
fn the_packages_calls_are_right() {
    calls(|page| {
        page.value("window.a = new Uint32Array([3, 1, 7, 0, 4, 1, 6, 3])");
        for (call, expected) in CALLS {
            let told = page.text(&format!("told(async () => {call})"));
            assert!(told.contains(expected), "{call}: {told}; expected {expected}");
        }
        // Long streams, and those that fill a row or just do not.
        let wrong = page.text(
            "(async () => {
                for (const length of [1, 2, 255, 257, 65537, 1 << 18]) {
                    const numbers = Uint32Array.from({ length }, (_, i) => Math.imul(i, 2654435761) >>> 4);
                    let sum = 0;
                    const sums = numbers.map((number) => (sum = (sum + number) >>> 0));
                    const sorted = numbers.slice().sort();
                    const kept = numbers.filter((number) => number > 1e8);
                    const got = [await rs.scan(numbers), await rs.sort(numbers), await rs.compact(numbers, { keep: '>100000000' })];
                    [sums, sorted, kept].forEach((right, which) => {
                        if (right.length !== got[which].length || right.some((number, i) => number !== got[which][i])) throw new Error(`${which} of ${length}`);
                    });
                }
                return 'none';
            })().catch((error) => error.message)",
        );
        assert_eq!(wrong, "none");
    });
}

/// Opens the page of calls.
fn calls(test: impl Fn(&Page)) {
    both("plain/calls.html", |page| {
        page.wait("the library is there", "window.rs !== undefined", |there| {
            *there == serde_json::json!(true)
        });
        test(page);
    });
}

#[test]
fn runs_in_turns_on_two_textures_ask_nothing_of_them() {
    calls(|page| {
        let told = page.text(
            "(async () => {
                const { attach } = await import('./node_modules/rasterscan/index.js');
                const own = await attach(gl, { openColorMask: true });
                const made = [[1, 2, 3], [4, 5, 6]].map((numbers) => own.texture(
                    texture(3, 1, 'R32UI', 'RED_INTEGER', 'UNSIGNED_INT', new Uint32Array(numbers)),
                    { width: 3, height: 1, format: 'R32UI' }));
                const plan = await own.prepare('scan', made[0]);
                made.forEach((input) => plan.run(input));
                const other = await own.prepare('scan', made[0], { exclusive: true });
                const asked = [];
                for (const name of ['getError', 'readPixels', 'isTexture', 'texSubImage2D', 'checkFramebufferStatus']) {
                    gl[name] = () => asked.push(name);
                }
                gl.getParameter = (name) => {
                    if ([gl.COLOR_WRITEMASK, gl.ACTIVE_TEXTURE, gl.PACK_ROW_LENGTH].includes(name)) asked.push(name);
                    return WebGL2RenderingContext.prototype.getParameter.call(gl, name);
                };
                for (let run = 0; run < 5; run++) [plan, other].forEach((plan) => plan.run(made[run % 2]));
                for (const name of Object.keys(gl)) delete gl[name];
                return `${asked.join()}; ${await told(async () => plan.run(made[1]))}; ${gl.getParameter(gl.COLOR_WRITEMASK)}`;
            })().catch((error) => error.stack)",
        );
        assert_eq!(told, "; stream of Uint32Array 4 9 15; true,true,true,true");
    });
}

#[test]
fn runs_together_ask_once() {
    calls(|page| {
        let told = page.text(
            "(async () => {
                const a = new Uint32Array([3, 1, 7]);
                const plan = await rs.prepare('scan', a);
                let asked = 0;
                gl.getParameter = (name) => {
                    asked += name === gl.COLOR_WRITEMASK;
                    return WebGL2RenderingContext.prototype.getParameter.call(gl, name);
                };
                gl.colorMask(true, false, true, true);
                const [, sums, array] = rs.together(() => [plan.run(), plan.run(a.slice().reverse()), plan.read(plan.run())]);
                const thrown = await told(async () => rs.together(() => plan.run(new Uint32Array(2))));
                delete gl.getParameter;
                const mask = gl.getParameter(gl.COLOR_WRITEMASK);
                gl.colorMask(true, true, true, true);
                return `${asked}; ${await told(() => array)}; ${await told(async () => sums)}; ${thrown}; ${mask}; ${gl.getError()}`;
            })().catch((error) => error.stack)",
        );
        let sums = "Uint32Array 3 4 11; stream of Uint32Array 3 4 11";
        assert_eq!(told, format!("2; {sums}; the data has 2 elements; expected 3; true,false,true,true; 0"));
    });
}

#[test]
fn the_package_goes_on_in_a_context_that_comes_back() {
    calls(|page| {
        let told = page.text(
            "(async () => {
                const a = new Uint32Array([3, 1, 7]);
                const plan = await rs.prepare('scan', a, { exclusive: true });
                const stream = await rs.sort(rs.texture(texture(2, 1, 'R32UI', 'RED_INTEGER', 'UNSIGNED_INT', new Uint32Array([2, 1])), { width: 2, height: 1, format: 'R32UI' }));
                const taken = gl.getExtension('WEBGL_lose_context');
                const after = (event) => new Promise((done) => gl.canvas.addEventListener(event, (e) => { e.preventDefault(); done(); }, { once: true }));
                const lost = after('webglcontextlost');
                taken.loseContext();
                await lost;
                const said = [await told(() => rs.scan(a)), await told(() => stream.read()), await told(async () => plan.run(a))];
                const back = after('webglcontextrestored');
                // Not before the event of the loss is over.
                setTimeout(() => taken.restoreContext());
                await back;
                return [...said, await told(() => rs.scan(a)), await told(async () => plan.run(a))].join('; ');
            })()",
        );
        let parts: Vec<&str> = told.split("; ").collect();
        let lost = |said: &&&str| said.starts_with("the OpenGL context was lost in ");
        assert_eq!(parts.iter().take(3).filter(lost).count(), 3, "{told}");
        assert_eq!(parts[3..], ["Uint32Array 3 4 11", "stream of Uint32Array 0 3 4"], "{told}");
    });
}

#[test]
fn a_page_of_thirty_lines_draws_with_the_sums() {
    both("plain/index.html", |page| {
        let said = "document.querySelector('output')?.textContent";
        page.wait("frames", said, |text| {
            text.as_str().is_some_and(|text| text.starts_with("at ") && text != "at 0 ms")
        });
        page.value("window.reads = 0");
        page.frames(5);
        assert_eq!(page.value("reads"), serde_json::json!(0));
        let dark = page.value(
            "new Promise((done) => requestAnimationFrame(() => {
                const gl = document.querySelector('canvas').getContext('webgl2');
                setTimeout(() => done(gl.getError()));
            }))",
        );
        assert_eq!(dark, serde_json::json!(0));
        page.shoot("npm-walk");
    });
}

#[test]
fn particles_die_and_their_number_stays_on_the_gpu() {
    both("plain/particles.html", |page| {
        page.wait("the first frame", "window.viewer !== undefined", |there| {
            *there == serde_json::json!(true)
        });
        page.value("window.reads = 0");
        page.wait("some deaths", "viewer.frames()", |frames| frames.as_u64() > Some(20));
        assert_eq!(page.value("reads"), serde_json::json!(0));
        page.shoot("npm-particles");
        let left = page.value("viewer.left()");
        assert!(left[1] == left[2] && left[1].as_u64() < Some(19_900), "frame, particles, expected: {left}");
    });
}

/// `RASTERSCAN_SPLATS` is their number, a million in the nightly form, which a software renderer draws in some 20 seconds.
#[test]
fn splats_are_drawn_in_the_order_of_their_depths() {
    let splats = std::env::var("RASTERSCAN_SPLATS").unwrap_or("20000".into());
    let wanted = if splats.len() > 5 { 2 } else { 10 };
    both(&format!("splats.html?splats={splats}"), |page| {
        for by in ["gpu", "worker"] {
            page.wait("the viewer", "window.viewer !== undefined", |there| *there == serde_json::json!(true));
            page.value(&format!("document.querySelector('[value={by}]').click()"));
            // Setting up a context reads some pixels.
            page.value("window.reads = 0");
            let frames = page.value("viewer.frames()").as_u64().unwrap();
            page.wait("frames", "viewer.frames()", |now| now.as_u64() >= Some(frames + wanted));
            assert_eq!(page.value("reads"), serde_json::json!(0), "{by}");
            assert_eq!(page.value("viewer.inversions()"), serde_json::json!(0), "{by}");
            let times = page.text(&format!(
                "['sort', 'page'].map((of) => document.querySelector('#{by}-' + of).textContent).join(', ')"
            ));
            println!("{splats} splats by {by}: {times} ms to the order, and on the page's thread");
            page.shoot(&format!("npm-splats-{by}"));
        }
    });
}

/// Prints times, and judges none: those of a machine that does other work, too.
#[test]
#[ignore = "measures; the nightly form runs it"]
fn measured_calls_of_the_package() {
    calls(|page| println!("{}", page.text(include_str!("measured.js"))));
}

#[test]
fn the_package_is_small() {
    let site = std::env::var("RASTERSCAN_SITE").expect("RASTERSCAN_SITE names the folder of the page");
    let folder = Path::new(&site).join("npm/plain/node_modules/rasterscan");
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|kind| kind == "js" || kind == "wasm") {
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            packed.write_all(&std::fs::read(file).unwrap()).unwrap();
            bytes += packed.finish().unwrap().len();
        }
    }
    println!("module, glue and functions: {bytes} bytes gzipped");
    assert!((100_000..=LARGEST).contains(&bytes), "{bytes} bytes");
}
