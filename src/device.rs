//! What a GL device can do, as plain data: enough to make a plan with no GL at hand.

use std::fmt;

/// The flavour of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Api {
    /// Desktop OpenGL, core profile.
    Gl,
    /// OpenGL ES, and WebGL 2 as its version 3.0.
    Gles,
}

/// A device as its context reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    pub api: Api,
    /// Major and minor version of the context.
    pub version: (u32, u32),
    pub vendor: String,
    pub renderer: String,
    /// The whole of `GL_VERSION`, the driver's own version included.
    pub driver: String,
    /// Whether the renderer runs on the CPU.
    pub software: bool,
    /// The largest width and height of a texture, in texels.
    pub max_texture_size: u32,
    /// The most items of a buffer that can be read as a texture; 0 where none can.
    pub max_buffer_texels: u32,
    /// Whether a horizontal line from the centre of one texel to that of another covers the first and all
    /// between, and not the last. OpenGL lets drivers differ; each context is tested.
    pub exact_lines: bool,
    /// Whether floats can be rendered to: everywhere in OpenGL, by extension in ES 3.0.
    pub float_targets: bool,
    /// Whether timer queries exist and can be believed.
    pub timer_queries: bool,
    /// Whether there are compute shaders: OpenGL 4.3, ES 3.1 or the extension.
    pub compute: bool,
    /// Whether there are geometry shaders: OpenGL 3.2 or ES 3.2.
    pub geometry: bool,
}

impl Device {
    /// A device that offers what OpenGL 3.3 promises on today's hardware and nothing more, for
    /// plans made without a GPU.
    pub fn gl33() -> Device {
        Device {
            api: Api::Gl,
            version: (3, 3),
            vendor: "none".into(),
            renderer: "a plain OpenGL 3.3".into(),
            driver: "3.3".into(),
            software: false,
            max_texture_size: 16384,
            max_buffer_texels: 1 << 27,
            exact_lines: true,
            float_targets: true,
            timer_queries: true,
            compute: false,
            geometry: true,
        }
    }

    /// Whether transform feedback has objects of its own.
    pub(crate) fn has_feedback_objects(&self) -> bool {
        self.api == Api::Gles || self.version >= (4, 0)
    }

    /// Short name of the API and version: "OpenGL 4.5" or "OpenGL ES 3.0".
    pub fn level(&self) -> String {
        let name = match self.api {
            Api::Gl => "OpenGL",
            Api::Gles => "OpenGL ES",
        };
        format!("{name} {}.{}", self.version.0, self.version.1)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.renderer, self.level())
    }
}
