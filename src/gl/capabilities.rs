//! What a context reports, read into a [`Device`]. Versions and extensions decide, not requests.

use glow::HasContext;

use crate::device::{Api, Device};
use crate::error::{Error, Unsupported};

/// Names of renderers that run on the CPU.
const SOFTWARE: [&str; 5] = ["llvmpipe", "softpipe", "swiftshader", "software", "gdi generic"];

pub fn detect(gl: &glow::Context) -> Result<Device, Error> {
    let version = gl.version();
    let api = if version.is_embedded { Api::Gles } else { Api::Gl };
    let number = (version.major, version.minor);
    let at_least = |gl: (u32, u32), gles: (u32, u32)| match api {
        Api::Gl => number >= gl,
        Api::Gles => number >= gles,
    };
    let has = |name: &str| gl.supported_extensions().contains(name);

    // SAFETY: the context is current, and these names exist in every version from 3.0 on.
    let (vendor, renderer, driver, max_texture_size) = unsafe {
        (
            gl.get_parameter_string(glow::VENDOR),
            gl.get_parameter_string(glow::RENDERER),
            gl.get_parameter_string(glow::VERSION),
            gl.get_parameter_i32(glow::MAX_TEXTURE_SIZE),
        )
    };
    let lower = renderer.to_lowercase();
    let software = SOFTWARE.iter().any(|name| lower.contains(name));

    let device = Device {
        api,
        version: number,
        vendor,
        renderer,
        driver,
        software,
        max_texture_size: max_texture_size.unsigned_abs(),
        max_buffer_texels: if at_least((3, 1), (3, 2)) {
            // SAFETY: the context is current, and the name exists from these versions on.
            unsafe { gl.get_parameter_i32(glow::MAX_TEXTURE_BUFFER_SIZE) }.unsigned_abs()
        } else {
            0
        },
        exact_lines: false, // until they are tested
        float_targets: at_least((3, 0), (3, 2))
            || has("GL_EXT_color_buffer_float")
            || has("EXT_color_buffer_float"), // as WebGL names it
        // Software rasterisers have the query but do not wait for the rasteriser.
        timer_queries: !software && api == Api::Gl && at_least((3, 3), (9, 0)),
        compute: at_least((4, 3), (3, 1)) || has("GL_ARB_compute_shader"),
        // As an extension of ES 3.1 they speak another dialect.
        geometry: at_least((3, 2), (3, 2)),
    };
    if !at_least((3, 3), (3, 0)) {
        return Err(Unsupported(format!(
            "the context is {}; OpenGL 3.3 or OpenGL ES 3.0 is needed",
            device.level()
        ))
        .into());
    }
    Ok(device)
}
