//! The capabilities that a context reports, as a [`Device`]. They are decided by versions and extensions, not by what
//! was asked for.

use glow::HasContext;

use crate::device::{Api, Compute, Device};
use crate::error::Error;
use crate::printable::printable;
use crate::tuning::Tuning;
use crate::unsupported::Unsupported;

/// Names of renderers that run on the CPU.
const SOFTWARE: [&str; 9] = [
    "llvmpipe",
    "softpipe",
    "lavapipe",
    "swiftshader",
    "swrast",
    "software",
    "openswr",
    "gdi generic",
    "basic render", // Direct3D's WARP, behind ANGLE or Mesa
];

/// Further names, which may also be part of longer words.
const SOFTWARE_WORDS: [&str; 2] = ["warp", "swr"];

/// `UNMASKED_RENDERER_WEBGL`, which glow does not name.
const UNMASKED_RENDERER: u32 = 0x9246;

/// The API and version of the context for which the functions were loaded. Calls no OpenGL.
///
/// Errors: [`Error::Unsupported`] if it is too old.
pub fn check_version(gl: &glow::Context) -> Result<(Api, (u32, u32)), Error> {
    let version = gl.version();
    let number = (version.major, version.minor);
    let (api, name) = match version.is_embedded {
        true => (Api::Gles, "OpenGL ES"),
        false => (Api::Gl, "OpenGL"),
    };
    if number < api.oldest() {
        let (major, minor) = number;
        let needed = "OpenGL 3.3 or OpenGL ES 3.0 is needed";
        let is = format!("the context is {name} {major}.{minor}; ask for a newer version");
        return Err(Unsupported::feature(format!("{needed}, and {is}")).into());
    }
    Ok((api, number))
}

/// Reads what the current context reports, as far as `newest` has it. `software` means that its device is known to be a CPU.
///
/// Errors: [`Error::Unsupported`] if its version is too old.
pub fn detect(gl: &glow::Context, software: bool, newest: Option<(u32, u32)>) -> Result<Device, Error> {
    let (api, number) = check_version(gl)?;
    let number = newest.map_or(number, |newest| number.min(newest));
    let at_least = |gl: (u32, u32), gles: (u32, u32)| match api {
        Api::Gl => number >= gl,
        Api::Gles => number >= gles,
    };
    let has = |name: &str| gl.supported_extensions().contains(name);
    // A page is told less, unless it asks for more.
    let hidden = has("WEBGL_debug_renderer_info");

    // SAFETY: the context is current, and these names exist in every version from 3.0 on.
    let (vendor, renderer, driver, max_texture_size, max_targets) = unsafe {
        (
            gl.get_parameter_string(glow::VENDOR),
            gl.get_parameter_string(if hidden { UNMASKED_RENDERER } else { glow::RENDERER }),
            gl.get_parameter_string(glow::VERSION),
            gl.get_parameter_i32(glow::MAX_TEXTURE_SIZE),
            gl.get_parameter_i32(glow::MAX_DRAW_BUFFERS)
                .min(gl.get_parameter_i32(glow::MAX_COLOR_ATTACHMENTS)),
        )
    };
    let [vendor, renderer, driver] = [vendor, renderer, driver].map(|name| printable(&name).into_owned());
    let software = software || is_software(&renderer);

    Ok(Device {
        api,
        version: number,
        vendor,
        renderer,
        driver,
        software,
        max_texture_size: max_texture_size.unsigned_abs(),
        max_texture_bytes: u64::MAX, // until it is asked for, which changes state
        max_targets: max_targets.unsigned_abs(),
        max_buffer_texels: if at_least((3, 1), (3, 2)) {
            // SAFETY: the context is current, and the name exists from these versions on.
            unsafe { gl.get_parameter_i32(glow::MAX_TEXTURE_BUFFER_SIZE) }.unsigned_abs()
        } else {
            0
        },
        exact_lines: false, // until tested
        exact_vertices: 0,  // likewise
        float_targets: at_least((3, 0), (3, 2))
            || has("GL_EXT_color_buffer_float")
            || has("EXT_color_buffer_float"), // as WebGL names it
        // Software rasterisers have the query but do not wait for the rasteriser.
        timer_queries: !software && api == Api::Gl && at_least((3, 3), (9, 0)),
        // The extensions of older versions would do, but few drivers need them.
        compute: (at_least((4, 3), (3, 1)) && has_language(gl, api)).then(|| compute(gl, software)),
        // As an extension of ES 3.1 they speak another dialect.
        geometry: at_least((3, 2), (3, 2)),
        tuning: Tuning::default(), // until the caller sets one
    })
}

/// The most bytes of a texture, by halving the rows of the widest: a proxy has no width if there can be no such texture. OpenGL ES
/// has no proxies, and no such limit is known there. Changes state that a guard restores.
pub fn most_bytes(gl: &glow::Context, device: &Device) -> u64 {
    let size = i32::try_from(device.max_texture_size).unwrap_or(0);
    if device.api == Api::Gles {
        return u64::MAX;
    }
    // A buffer of the host's would be the proxy's data.
    // SAFETY: the context is current.
    unsafe { gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None) };
    let fits = |rows: i32| {
        let nothing = glow::PixelUnpackData::Slice(None);
        let (internal, external, kind) = (glow::RGBA32UI as i32, glow::RGBA_INTEGER, glow::UNSIGNED_INT);
        // SAFETY: the context is current and a desktop's, which has proxies; a proxy reads no data and takes no memory.
        unsafe {
            let proxy = glow::PROXY_TEXTURE_2D;
            gl.tex_image_2d(proxy, 0, internal, size, rows, 0, external, kind, nothing);
            gl.get_tex_level_parameter_i32(proxy, 0, glow::TEXTURE_WIDTH) > 0
        }
    };
    if size <= 0 || fits(size) {
        return u64::MAX;
    }
    let (mut most, mut fails) = (0, size);
    while most + 1 < fails {
        let rows = most.midpoint(fails);
        if fits(rows) { most = rows } else { fails = rows }
    }
    let row = u64::from(size.unsigned_abs()) * 16;
    // A driver whose proxies never fit says nothing.
    if most == 0 { u64::MAX } else { u64::from(most.unsigned_abs()) * row }
}

/// Returns true if the current context draws on the CPU, by the name of its renderer. For systems that do not tell
/// before a context is made.
#[cfg(all(feature = "headless", not(target_family = "wasm")))]
pub fn draws_in_software(gl: &glow::Context) -> bool {
    // SAFETY: the context is current, and every version has this name.
    is_software(&unsafe { gl.get_parameter_string(glow::RENDERER) })
}

/// Returns true if a renderer of this name runs on the CPU.
fn is_software(renderer: &str) -> bool {
    let lower = renderer.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    SOFTWARE.iter().any(|name| lower.contains(name)) || words.any(|word| SOFTWARE_WORDS.contains(&word))
}

/// Returns true if the context's shading language has compute shaders: GLSL 4.30 or GLSL ES 3.10. Some drivers offer a newer
/// OpenGL than GLSL.
fn has_language(gl: &glow::Context, api: Api) -> bool {
    // SAFETY: the context is current, and every version has this name.
    let language = unsafe { gl.get_parameter_string(glow::SHADING_LANGUAGE_VERSION) };
    let least = if api == Api::Gl { (4, 30) } else { (3, 10) };
    // A text in no known form is no reason to do without.
    number_in(&language).is_none_or(|number| number >= least)
}

/// The first number of two parts in a text: (3, 20) in `OpenGL ES GLSL ES 3.20`.
fn number_in(text: &str) -> Option<(u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let (major, rest) = word.split_once('.')?;
        let minor = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    })
}

/// Names of `GL_KHR_shader_subgroup`, which glow does not have.
const SUBGROUP_SIZE: u32 = 0x9532;
const SUBGROUP_SUPPORTED_STAGES: u32 = 0x9533;
const SUBGROUP_SUPPORTED_FEATURES: u32 = 0x9534;
const COMPUTE_SHADER_BIT: i32 = 0x20;
/// Basic, ballot, shuffle, shuffle relative.
const SUBGROUP_FEATURES: i32 = 0x01 | 0x08 | 0x10 | 0x20;

/// Names of `GL_NV_shader_thread_group`.
const WARP_SIZE: u32 = 0x9339;
const SM_COUNT: u32 = 0x933B;

/// A guess for a GPU whose number of processors is unknown.
const PROCESSORS: u32 = 32;

fn compute(gl: &glow::Context, software: bool) -> Compute {
    let has = |name: &str| gl.supported_extensions().contains(name);
    // SAFETY: the context is current; names of extensions are only used where they exist.
    unsafe {
        let number = |name| gl.get_parameter_i32(name).unsigned_abs();
        let subgroups = has("GL_KHR_shader_subgroup")
            && gl.get_parameter_i32(SUBGROUP_SUPPORTED_STAGES) & COMPUTE_SHADER_BIT != 0
            && gl.get_parameter_i32(SUBGROUP_SUPPORTED_FEATURES) & SUBGROUP_FEATURES == SUBGROUP_FEATURES;
        let warps = has("GL_NV_shader_thread_group") && has("GL_NV_shader_thread_shuffle");
        Compute {
            // Until it is known who makes the calls.
            max_buffer: 0,
            max_binding: number(glow::MAX_SHADER_STORAGE_BLOCK_SIZE).into(),
            binding_alignment: number(glow::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT),
            max_bindings: number(glow::MAX_COMPUTE_SHADER_STORAGE_BLOCKS)
                .min(number(glow::MAX_SHADER_STORAGE_BUFFER_BINDINGS)),
            max_shared_memory: number(glow::MAX_COMPUTE_SHARED_MEMORY_SIZE),
            max_invocations: number(glow::MAX_COMPUTE_WORK_GROUP_INVOCATIONS),
            max_groups: gl.get_parameter_indexed_i32(glow::MAX_COMPUTE_WORK_GROUP_COUNT, 0).unsigned_abs(),
            subgroup: if subgroups { number(SUBGROUP_SIZE) } else { 0 },
            warp: if warps { number(WARP_SIZE) } else { 0 },
            processors: match software {
                true => std::thread::available_parallelism().map_or(1, |count| count.get() as u32),
                false if warps => number(SM_COUNT),
                false => PROCESSORS,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_has_a_version_of_its_own() {
        for (text, number) in [
            ("4.60 NVIDIA", Some((4, 60))),
            ("3.30", Some((3, 30))),
            ("OpenGL ES GLSL ES 3.20", Some((3, 20))),
            ("OpenGL ES GLSL ES 3.10 v1.r32p1", Some((3, 10))),
            ("4.50.0 - Build 31.0", Some((4, 50))),
            ("WebGL GLSL ES 3.00 (OpenGL ES GLSL ES 3.0 Chromium)", Some((3, 0))),
            ("", None),
        ] {
            assert_eq!(number_in(text), number, "{text}");
        }
    }

    #[test]
    fn software_is_known_by_its_many_names() {
        for name in [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "softpipe",
            "Google SwiftShader",
            "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
            "zink Vulkan 1.3(llvmpipe (LLVM 17.0.6, 256 bits) (MESA_LLVMPIPE))",
            "D3D12 (Microsoft Basic Render Driver)",
            "ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0, D3D11)",
            "ANGLE (Software Adapter Direct3D11 WARP)",
            "Software Rasterizer",
            "SWR (LLVM 11.0.0, 256 bits)",
            "Apple Software Renderer",
        ] {
            assert!(is_software(name), "{name}");
        }
        for name in
            ["NVIDIA H200/PCIe/SSE2", "AMD Radeon RX 7900 XTX (radeonsi, navi31)", "Warped GPU 3", "Mali-G78"]
        {
            assert!(!is_software(name), "{name}");
        }
    }
}
