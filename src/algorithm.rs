//! An algorithm: one way to solve a problem, as passes that it adds to a plan.
//!
//! An algorithm can stand alone, as a plan of its own ([`Algorithm::plan`]), or be a step of another one
//! ([`Plan::append`]): a compaction appends any scan that it is given, including the caller's own.

mod card;
mod choice;
pub(crate) mod edges;
mod problem;
pub mod results;

use std::fmt;

pub use card::{
    Built, Candidates, Card, CustomSyntax, Domain, Era, Inner, Need, NumberRange, Parameter, Planned,
    PseudoCode, SideInput, Variants, renamed_parameters,
};
pub(crate) use card::{bits_at, cards};
pub use choice::{Arguments, Choice, ChoiceError, Chosen};
pub use problem::{Input, InputInfo, Output, Problem, Request, Spec};

use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot, Storage};
use crate::unsupported::Unsupported;

/// The layout that an algorithm needs for its input streams.
///
/// Algorithms that are steps of another one negotiate with it: the streams that they share must suit both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Placement {
    /// In textures, with `items_per_texel` items in a texel, in rows of a multiple of `unit` texels.
    Texture {
        /// Consecutive items in a texel.
        items_per_texel: u32,
        /// Texels that every row is a multiple of.
        unit: u32,
    },
    /// In storage buffers, which compute shaders bind.
    Buffer,
    /// In buffers that hold vertex attributes.
    Vertices,
}

impl Placement {
    /// The layout of a stream of `len` items of `arity` elements.
    ///
    /// Errors: the device has no texture or buffer that large, or no storage buffers.
    pub fn layout(
        self,
        device: &Device,
        element: ElementType,
        arity: u32,
        len: u64,
    ) -> Result<Layout, Unsupported> {
        match self {
            Placement::Texture { items_per_texel, unit } => {
                Layout::fit(device, element, arity, items_per_texel, len, unit)
            }
            Placement::Buffer => Layout::in_buffer(device, element, arity, len),
            Placement::Vertices => Ok(Layout::buffer(element, arity, len)),
        }
    }

    /// A buffer, or a texture with one item to a texel.
    pub(crate) fn single(storage: Storage) -> Placement {
        match storage {
            Storage::Buffer => Placement::Buffer,
            Storage::Texture => Placement::Texture { items_per_texel: 1, unit: 1 },
        }
    }

    /// The kind of memory.
    pub(crate) fn storage(self) -> Storage {
        match self {
            Placement::Texture { .. } => Storage::Texture,
            Placement::Buffer | Placement::Vertices => Storage::Buffer,
        }
    }

    /// Returns true if a stream of this layout suits.
    pub fn admits(self, layout: &Layout) -> bool {
        match self {
            Placement::Texture { items_per_texel, unit } => {
                layout.storage == Storage::Texture
                    && layout.items_per_texel == items_per_texel
                    && layout.width.is_multiple_of(unit)
            }
            Placement::Buffer | Placement::Vertices => layout.storage == Storage::Buffer,
        }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placement::Texture { items_per_texel, unit } => {
                write!(
                    f,
                    "textures with {items_per_texel} items per texel and rows of a multiple of {unit} texels"
                )
            }
            Placement::Buffer | Placement::Vertices => f.write_str("buffers"),
        }
    }
}

/// An algorithm for the problems that `S` describes, with its parameters set.
///
/// ```
/// use rasterscan::scan::texture::Packed;
/// use rasterscan::{Algorithm, Device, ScanSpec};
///
/// let spec = ScanSpec::new::<u32>(1 << 20);
/// let plan = Packed::default().plan(&spec, &Device::gl33())?;
/// assert_eq!(plan.name(), "packed:block=8");
/// assert_eq!(plan.passes().len(), 5);
/// # Ok::<(), rasterscan::Error>(())
/// ```
pub trait Algorithm<S: Spec>: fmt::Debug + Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// The layout that the input streams need: storage buffers, unless an algorithm says otherwise.
    ///
    /// Errors: [`Error::Unsupported`] where the device or the algorithm rules the spec out.
    fn placement(&self, spec: &S, device: &Device) -> Result<Placement, Error> {
        let _ = (spec, device);
        Ok(Placement::Buffer)
    }

    /// Adds the passes to a plan, from `inputs`, which lie as [`Self::placement`] says, to the slots of the results. It
    /// notes the parameters that it has chosen ([`Plan::note_parameter`]). Pure: it touches no OpenGL.
    ///
    /// Errors: as [`Self::placement`].
    fn build(&self, plan: &mut Plan, spec: &S, inputs: &[Slot], device: &Device) -> Result<Vec<Slot>, Error>;

    /// Returns true if [`Self::build`] takes every option of this spec. If not, it gets a spec without the options that
    /// passes around its own can make ([`Spec::build`]): for a scan rows, columns, segments, a direction and a
    /// seed; for a sort all but payloads and bits.
    fn handles_natively(&self, spec: &S, device: &Device) -> bool {
        let _ = (spec, device);
        false
    }

    /// A plan of this algorithm alone.
    ///
    /// Errors: [`Error::Spec`] where the spec makes no sense, [`Error::Unsupported`] where the device or the
    /// algorithm rules it out.
    fn plan(&self, spec: &S, device: &Device) -> Result<Plan, Error> {
        spec.check()?;
        let inputs = spec.inputs();
        let placed = spec.placements(self, device)?.into_iter().zip(&inputs);
        let layout = |(placement, input): (Placement, &Input)| {
            placement.layout(device, input.element, input.arity, input.len)
        };
        let layouts = placed.map(layout).collect::<Result<Vec<Layout>, Unsupported>>()?;
        let mut plan = Plan::new(self.name(), spec.item(), layouts[0]).task(spec.to_string());
        for (input, layout) in inputs.iter().zip(&layouts).skip(1) {
            plan.further_input(input.name, *layout);
        }
        let inputs: Vec<Slot> = plan.inputs().collect();
        let outputs = spec.build(self, &mut plan, &inputs, device)?;
        plan.check_device(device)?;
        Ok(plan.finish_with(outputs))
    }
}

impl Plan {
    /// Adds the passes of an algorithm as a step of this plan, from slots to the slots of its results.
    ///
    /// Errors: as [`Algorithm::plan`], [`Error::Unsupported`] where the inputs do not lie as the algorithm needs them,
    /// and [`Error::Plan`] if one is a slot of another plan.
    pub fn append<S: Spec>(
        &mut self,
        algorithm: &dyn Algorithm<S>,
        spec: &S,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        spec.check()?;
        self.all_own(inputs)?;
        let placements = spec.placements(algorithm, device)?;
        let mut placed = placements.into_iter().zip(inputs);
        if let Some((placement, slot)) =
            placed.find(|(placement, slot)| !placement.admits(self.layout(**slot)))
        {
            let (name, layout) = (algorithm.name(), self.layout(*slot));
            return Err(Unsupported::request(format!(
                "{name} takes streams in {placement}, not {layout}; choose another algorithm for this step"
            ))
            .into());
        }
        let outer = self.enter(algorithm.name(), spec.item());
        let outputs = spec.build(algorithm, self, inputs, device);
        self.leave(outer);
        outputs
    }
}
