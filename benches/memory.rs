//! Memory on the GPU: `cargo bench --bench memory`.
//!
//! Copies between two storage buffers, in gigabytes a second, read and written: by how the buffers were made, and by the
//! bytes that a work group copies, one group after the other through the stream. The lengths are powers of two of words,
//! 22 to 28, or `RASTERSCAN_BENCH_SIZES`.
//!
//! On an H200 (driver 580.159), work groups of 16 KB copy 2^28 words at 2.2 TB/s between ordinary buffers, however they were
//! made. Between sparse ones it is 4.0, but 1.7 in the first 0.2 seconds, which is what the upper rows then show. Work groups
//! of 1 MB copy at 3.8 between ordinary ones, too, so it seems to be the translation of addresses that is slow. Touching
//! pages ahead of time, or working at several places of the stream at once, changed nothing. The engine therefore makes
//! long buffers sparse (`src/gl/sparse.rs`).

use std::ffi::{CStr, c_void};
use std::time::Duration;

use glow::HasContext;
use rasterscan::Gpu;
use rasterscan_lab::measure::Summary;

/// Copies under one clock, and how often they are timed. The first times are not counted.
const RUNS: u64 = 10;
const TIMES: usize = 9;
const UNCOUNTED: usize = 4;

/// Invocations of a work group, and kilobytes that groups copy.
const GROUP: u32 = 256;
const KILOBYTES: [u32; 4] = [16, 64, 256, 1024];

#[derive(Debug, Clone, Copy)]
enum Made {
    Static,
    DynamicCopy,
    Immutable,
    Sparse,
}

/// `glBufferPageCommitmentARB`, which glow does not have.
type Commit = unsafe extern "system" fn(u32, isize, isize, u8);
const SPARSE_STORAGE_BIT: u32 = 0x0400;

fn commit() -> Option<Commit> {
    // SAFETY: these are the names and signatures of EGL's and OpenGL's functions; the library stays loaded.
    unsafe {
        let egl = libloading::Library::new("libEGL.so.1").ok()?;
        let get: libloading::Symbol<unsafe extern "system" fn(*const std::ffi::c_char) -> *const c_void> =
            egl.get(b"eglGetProcAddress\0").ok()?;
        let name: &CStr = c"glBufferPageCommitmentARB";
        let address = get(name.as_ptr());
        let commit = (!address.is_null()).then(|| std::mem::transmute::<*const c_void, Commit>(address));
        std::mem::forget(egl);
        commit
    }
}

fn main() {
    let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
    println!("{}", gpu.device());
    if !gpu.device().timer_queries || gpu.device().compute.is_none() {
        println!("not applicable: no timer queries, or no compute shaders");
        return;
    }
    let sizes = std::env::var("RASTERSCAN_BENCH_SIZES").unwrap_or_else(|_| "22,24,25,26,27,28".into());
    let sizes: Vec<u32> = sizes.split(',').map(|size| size.trim().parse().expect("a power of two")).collect();
    // SAFETY: the context is current.
    gpu.with_current(|gl| unsafe { tables(gl, &sizes) }).expect("a context");
}

unsafe fn tables(gl: &glow::Context, sizes: &[u32]) {
    let sparse = gl.supported_extensions().contains("GL_ARB_sparse_buffer").then(commit).flatten();
    let programs = KILOBYTES.map(|kilobytes| (kilobytes, unsafe { program(gl, kilobytes) }));
    print!("{:<12} {:>6}", "made", "KB");
    sizes.iter().for_each(|log2| print!(" {:>7}", format!("2^{log2}")));
    println!("  GB/s");
    for made in [Made::Static, Made::DynamicCopy, Made::Immutable, Made::Sparse] {
        if matches!(made, Made::Sparse) && sparse.is_none() {
            println!("{:<12} not applicable: no sparse buffers", "Sparse");
            continue;
        }
        let mut rows = programs.map(|(kilobytes, _)| format!("{:<12} {kilobytes:>6}", format!("{made:?}")));
        for log2 in sizes {
            let bytes = 4i32 << log2;
            // SAFETY: as this function.
            let buffers = [0, 1].map(|binding| unsafe { buffer(gl, made, sparse, bytes, binding) });
            for ((kilobytes, program), row) in programs.iter().zip(&mut rows) {
                let groups = (bytes as u32 / (kilobytes << 10)).max(1);
                // SAFETY: as this function.
                let nanoseconds = unsafe { time(gl, *program, groups) };
                *row += &format!(" {:>7.0}", 2.0 * f64::from(bytes) / nanoseconds);
            }
            // SAFETY: as this function.
            unsafe { buffers.into_iter().for_each(|buffer| gl.delete_buffer(buffer)) };
        }
        rows.iter().for_each(|row| println!("{row}"));
    }
}

/// A new buffer under a binding.
unsafe fn buffer(
    gl: &glow::Context,
    made: Made,
    sparse: Option<Commit>,
    bytes: i32,
    binding: u32,
) -> glow::Buffer {
    let target = glow::SHADER_STORAGE_BUFFER;
    // SAFETY: the context is current; no memory of ours is handed over.
    unsafe {
        let buffer = gl.create_buffer().expect("a buffer");
        gl.bind_buffer_base(target, binding, Some(buffer));
        match made {
            Made::Static => gl.buffer_data_size(target, bytes, glow::STATIC_DRAW),
            Made::DynamicCopy => gl.buffer_data_size(target, bytes, glow::DYNAMIC_COPY),
            Made::Immutable => gl.buffer_storage(target, bytes, None, 0),
            Made::Sparse => {
                gl.buffer_storage(target, bytes, None, SPARSE_STORAGE_BIT);
                sparse.expect("the function")(target, 0, bytes as isize, 1);
            }
        }
        assert_eq!(gl.get_error(), glow::NO_ERROR, "{made:?}, {bytes} bytes");
        buffer
    }
}

/// The median time of a copy in nanoseconds.
unsafe fn time(gl: &glow::Context, program: glow::Program, groups: u32) -> f64 {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        // SAFETY: the context is current, and has timer queries.
        times.push(unsafe {
            let query = gl.create_query().expect("a query");
            gl.use_program(Some(program));
            gl.begin_query(glow::TIME_ELAPSED, query);
            for _ in 0..RUNS {
                gl.dispatch_compute(groups, 1, 1);
                gl.memory_barrier(glow::SHADER_STORAGE_BARRIER_BIT);
            }
            gl.end_query(glow::TIME_ELAPSED);
            let nanoseconds = gl.get_query_parameter_u64(query, glow::QUERY_RESULT);
            gl.delete_query(query);
            Duration::from_nanos(nanoseconds / RUNS)
        });
    }
    Summary::of(&times[UNCOUNTED..]).expect("times").median.as_nanos() as f64
}

/// A copy in which a work group takes so many kilobytes.
unsafe fn program(gl: &glow::Context, kilobytes: u32) -> glow::Program {
    let vectors = kilobytes * 64 / GROUP;
    let text = format!(
        "#version 430
        layout(local_size_x = {GROUP}) in;
        layout(std430, binding = 0) readonly restrict buffer From {{ uvec4 b_from[]; }};
        layout(std430, binding = 1) writeonly restrict buffer To {{ uvec4 b_to[]; }};
        void main() {{
            uint first = gl_WorkGroupID.x * {group_vectors}u + gl_LocalInvocationID.x;
            for (uint i = 0u; i < {vectors}u; i += 4u) {{
                uvec4 loaded[4];
                for (uint j = 0u; j < 4u; j++) loaded[j] = b_from[first + (i + j) * {GROUP}u];
                for (uint j = 0u; j < 4u; j++) b_to[first + (i + j) * {GROUP}u] = loaded[j];
            }}
        }}",
        group_vectors = vectors * GROUP,
    );
    // SAFETY: the context is current.
    unsafe {
        let shader = gl.create_shader(glow::COMPUTE_SHADER).expect("a shader");
        gl.shader_source(shader, &text);
        gl.compile_shader(shader);
        assert!(gl.get_shader_compile_status(shader), "{}", gl.get_shader_info_log(shader));
        let program = gl.create_program().expect("a program");
        gl.attach_shader(program, shader);
        gl.link_program(program);
        assert!(gl.get_program_link_status(program), "{}", gl.get_program_info_log(program));
        gl.delete_shader(shader);
        program
    }
}
