//! What a GL device can do, as plain data: enough to make a plan with no GL at hand.

use std::fmt;

use crate::tuning::Tuning;

/// The flavour of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Api {
    /// Desktop OpenGL, core profile.
    Gl,
    /// OpenGL ES, and WebGL 2 as its version 3.0.
    Gles,
}

/// What took a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Clock {
    /// A timer query: the GPU's own time.
    Gpu,
    /// The CPU's clock, from before the first call until everything is done.
    Wall,
}

impl Clock {
    pub fn name(self) -> &'static str {
        match self {
            Clock::Gpu => "gpu",
            Clock::Wall => "wall",
        }
    }
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
    /// The most vertices of a draw whose numbers (`gl_VertexID`) can be relied on: `u32::MAX` unless a self-test has found
    /// another. Mesa's softpipe begins again at 0 after 4,096.
    pub exact_vertices: u32,
    /// Whether floats can be rendered to: everywhere in OpenGL, by extension in ES 3.0. Each context is tested.
    pub float_targets: bool,
    /// Whether timer queries exist and can be believed.
    pub timer_queries: bool,
    /// What compute shaders can do: OpenGL 4.3 and ES 3.1. `None` where there are none.
    pub compute: Option<Compute>,
    /// Whether there are geometry shaders: OpenGL 3.2 or ES 3.2.
    pub geometry: bool,
    /// What was measured here of all that algorithms choose; nothing unless
    /// [`Gpu::with_tuning`](crate::Gpu::with_tuning) has said so.
    pub tuning: Tuning,
}

/// What a device's compute shaders can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compute {
    /// The most bytes of a buffer that a shader can see at a time.
    pub max_binding: u64,
    /// The first byte that it sees must be a multiple of this.
    pub binding_alignment: u32,
    /// The most buffers that it can see.
    pub max_bindings: u32,
    /// Bytes of shared memory in a work group.
    pub max_shared_memory: u32,
    /// Invocations in a work group.
    pub max_invocations: u32,
    /// Work groups in one dimension of a dispatch.
    pub max_groups: u32,
    /// Invocations in a subgroup, where there are `GL_KHR_shader_subgroup`'s with ballots and shuffles, and
    /// they have passed a self-test; else 0.
    pub subgroup: u32,
    /// Invocations in a warp, where NVIDIA's older extensions allow them to exchange values, likewise; else 0.
    pub warp: u32,
    /// How many processors run work groups, as far as that can be known; else a guess.
    pub processors: u32,
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
            exact_vertices: u32::MAX,
            float_targets: true,
            timer_queries: true,
            compute: None,
            geometry: true,
            tuning: Tuning::default(),
        }
    }

    /// The same for OpenGL 4.3, with no extensions.
    pub fn gl43() -> Device {
        Device {
            version: (4, 3),
            renderer: "a plain OpenGL 4.3".into(),
            driver: "4.3".into(),
            compute: Some(Compute {
                max_binding: 1 << 27,
                binding_alignment: 256,
                max_bindings: 8,
                max_shared_memory: 32768,
                max_invocations: 1024,
                max_groups: 65535,
                subgroup: 0,
                warp: 0,
                processors: 32,
            }),
            ..Device::gl33()
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
