//! The capabilities of a GL device, as plain data: enough to build a plan without GL.

use std::fmt;

use crate::tuning::Tuning;
use crate::tuning::table::Traits;

/// The flavour of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub enum Api {
    /// Desktop OpenGL, core profile.
    Gl,
    /// OpenGL ES, and WebGL 2 as its version 3.0.
    Gles,
}

impl Api {
    /// The oldest version that can be used.
    pub(crate) fn oldest(self) -> (u32, u32) {
        match self {
            Api::Gl => (3, 3),
            Api::Gles => (3, 0),
        }
    }
}

/// The clock that measured a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Clock {
    /// A timer query: time on the GPU.
    Gpu,
    /// The CPU's clock, from before the first call until everything is done.
    Wall,
}

impl Clock {
    /// The name in documents and listings.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Gpu => "gpu",
            Clock::Wall => "wall",
        }
    }
}

/// A device as its context reports it. Documents have it without its measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Device {
    /// OpenGL or OpenGL ES.
    pub api: Api,
    /// Major and minor version of the context.
    pub version: (u32, u32),
    /// `GL_VENDOR`.
    pub vendor: String,
    /// `GL_RENDERER`.
    pub renderer: String,
    /// `GL_VERSION` in full, the driver's own version included.
    pub driver: String,
    /// True if the renderer runs on the CPU.
    pub software: bool,
    /// The largest width and height of a texture, in texels.
    pub max_texture_size: u32,
    /// The most bytes of a texture, found by asking the driver for proxies: llvmpipe has fewer than its largest width
    /// and height need. `u64::MAX` if there is no such limit, or the API has no proxies, as OpenGL ES.
    pub max_texture_bytes: u64,
    /// The most textures that a pass can draw into at once: 8 in OpenGL, at least 4 in ES.
    pub max_targets: u32,
    /// The most items of a buffer that can be read as a texture; 0 if none can.
    pub max_buffer_texels: u32,
    /// True if a horizontal line from the centre of one texel to that of another covers the first and all between, but
    /// not the last. OpenGL lets drivers differ; each context is tested.
    pub exact_lines: bool,
    /// The most vertices of a draw with reliable numbers (`gl_VertexID`): `u32::MAX` unless a self-test found less.
    /// Mesa's softpipe restarts at 0 after 4,096.
    pub exact_vertices: u32,
    /// True if floats can be rendered to: always in OpenGL, by extension in ES 3.0. Each context is tested.
    pub float_targets: bool,
    /// True if timer queries exist and are reliable.
    pub timer_queries: bool,
    /// The capabilities of compute shaders, from OpenGL 4.3 and ES 3.1 on; `None` without them.
    pub compute: Option<Compute>,
    /// True if there are geometry shaders: OpenGL 3.2 or ES 3.2.
    pub geometry: bool,
    /// The measurements that algorithms choose by; empty unless set by [`Gpu::with_tuning`](crate::Gpu::with_tuning).
    #[cfg_attr(feature = "recordings", serde(skip))]
    pub tuning: Tuning,
}

/// The capabilities of a device's compute shaders.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Compute {
    /// The most bytes of a buffer. OpenGL has no limit of its own, but calls that take sizes in 31 bits do: those of glow, in
    /// a caller's context.
    pub max_buffer: u64,
    /// The most bytes of a buffer that one binding can cover.
    pub max_binding: u64,
    /// The first byte of a binding must be a multiple of this.
    pub binding_alignment: u32,
    /// The most buffers that a shader can bind.
    pub max_bindings: u32,
    /// The most bytes of shared memory in a work group.
    pub max_shared_memory: u32,
    /// The most invocations in a work group.
    pub max_invocations: u32,
    /// The most work groups in one dimension of a dispatch.
    pub max_groups: u32,
    /// Invocations in a subgroup, if `GL_KHR_shader_subgroup` has ballots and shuffles and they passed a self-test;
    /// else 0.
    pub subgroup: u32,
    /// Invocations in a warp, if NVIDIA's older extensions let them exchange values and passed a self-test; else 0.
    pub warp: u32,
    /// Processors that run work groups, as far as that is known; else a guess.
    pub processors: u32,
}

/// Storage buffers that OpenGL 4.3 promises to bind at once; ES 3.1 promises four.
const STORAGE_BINDINGS: u32 = 8;

impl Compute {
    /// Storage buffers that any pass may bind: no more than OpenGL 4.3 promises.
    pub(crate) fn bindings(&self) -> u32 {
        self.max_bindings.min(STORAGE_BINDINGS)
    }
}

impl Device {
    /// Returns true if dispatches load streams through textures: on a CPU, where texels are fetched many at a time and words
    /// of storage buffers one by one. In OpenGL ES 3.1 shaders have no such textures.
    pub(crate) fn loads_through_textures(&self) -> bool {
        self.software && self.api == Api::Gl && self.max_buffer_texels > 0
    }

    /// The traits that the built-in choice of an algorithm asks for.
    pub(crate) fn traits(&self) -> Traits {
        let texture_loads = self.loads_through_textures();
        Traits {
            compute: self.compute.is_some(),
            software: self.software,
            texture_loads,
            ..Traits::default()
        }
    }

    /// Returns true if work groups are known to start in the order of their numbers, or nearly so: on NVIDIA's GPUs. A GPU's
    /// results do not depend on it.
    pub(crate) fn starts_groups_in_order(&self) -> bool {
        self.renderer.starts_with("NVIDIA ")
    }

    /// Returns true if all algorithms have passed the tests of this crate on a renderer of this kind: NVIDIA's GPUs, Mesa's
    /// llvmpipe (also below zink) and softpipe, and SwiftShader.
    pub fn is_known(&self) -> bool {
        let begins = |name| self.renderer.starts_with(name);
        ["NVIDIA ", "llvmpipe", "softpipe"].into_iter().any(begins)
            || begins("zink") && self.renderer.contains("llvmpipe")
            || self.renderer.contains("SwiftShader")
    }

    /// Returns false if short loops reach the GPU, or the CPU that stands for one, as they are. Mesa's drivers unroll them, but
    /// virgl, which hands them to its host, does not; the host may be llvmpipe, which ends an invocation after 65,535 iterations.
    pub(crate) fn unrolls_loops(&self) -> bool {
        !self.renderer.starts_with("virgl")
    }

    /// A device with what OpenGL 3.3 promises on today's hardware and nothing more, for plans built without a GPU.
    pub fn gl33() -> Device {
        Device {
            api: Api::Gl,
            version: (3, 3),
            vendor: "none".into(),
            renderer: "a plain OpenGL 3.3".into(),
            driver: "3.3".into(),
            software: false,
            max_texture_size: 16384,
            max_texture_bytes: u64::MAX,
            max_targets: 8,
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

    /// A device with what OpenGL 4.3 promises and no extensions, for the same.
    pub fn gl43() -> Device {
        Device {
            version: (4, 3),
            renderer: "a plain OpenGL 4.3".into(),
            driver: "4.3".into(),
            compute: Some(Compute {
                max_buffer: (1 << 31) - 16,
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

    /// Returns true if transform feedback has objects.
    pub(crate) fn has_feedback_objects(&self) -> bool {
        self.api == Api::Gles || self.version >= (4, 0)
    }

    /// Short name of the API and version: "OpenGL 4.5", "OpenGL ES 3.0" or "WebGL 2".
    pub fn level(&self) -> String {
        if self.driver.starts_with("WebGL 2") {
            return "WebGL 2".into();
        }
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
