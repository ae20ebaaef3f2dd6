//! A job whose streams are the caller's: in arrays, in textures and buffers, or results of other plans.
//!
//! A [`Recipe`] is a job in its words, with what is known of its streams. It becomes a plan, and on a device a [`Bound`] plan,
//! whose inputs are bound and which runs. Packages for other languages are made of these.

mod bound;
mod known;
mod snippet;

pub use bound::Bound;
pub use known::{Known, Texels};
pub use snippet::uniform;

use snippet::Snippet;

use crate::algorithm::{Chosen, Input, InputInfo, Output, Request, SideInput};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::job::{Job, JobError, Source};
use crate::layout::Layout;
use crate::numbers::Numbers;
use crate::plan::{Map, Plan, Slot, Storage, Uniform};

/// A reason why a recipe makes no plan, or a plan does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// Words that are no job.
    #[error(transparent)]
    Job(#[from] JobError),
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A stream that is not given.
    #[error("the stream '{0}' is missing")]
    Missing(String),
    /// A texture, a function in GLSL or an algorithm that does not serve here.
    #[error("{0}")]
    Other(String),
}

/// A job in its words, with what is known of its streams.
#[derive(Debug, Clone)]
pub struct Recipe {
    words: Vec<String>,
    known: Vec<(String, Known)>,
    snippet: Option<Snippet>,
}

/// An input of a plan.
#[derive(Debug)]
pub struct Origin {
    /// The caller's name for it: [`FIRST`], an option, or a stream of a snippet.
    pub name: String,
    /// The option that names it, and the meaning of its numbers.
    option: Option<(&'static str, SideInput)>,
    /// The numbers, if they are among the words.
    numbers: Option<Numbers>,
    /// True for a texture whose channels are not of 32 bits: it is read as floats.
    is_narrow: bool,
}

impl Origin {
    fn of(name: &str, option: Option<(&'static str, SideInput)>, known: Option<&Known>) -> Origin {
        let is_narrow = known.is_some_and(Known::is_narrow);
        Origin { name: name.into(), option, numbers: None, is_narrow }
    }
}

/// A plan, with its inputs and the names of its results.
#[derive(Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    inputs: Vec<Origin>,
    outputs: Vec<Output>,
    /// Those of the snippet.
    uniforms: Vec<(&'static str, Uniform)>,
}

/// The name of the first stream.
pub const FIRST: &str = "input";

/// The option whose stream a snippet makes that keeps values.
const MASK: &str = "mask";

/// Integers of a narrow channel: those of 8 bits.
const LEVELS: u32 = 255;

impl Recipe {
    /// The words of a job, in its grammar ([`Job::parse`]); `-` is a stream of the caller's.
    pub fn new(words: impl IntoIterator<Item = impl Into<String>>) -> Recipe {
        Recipe { words: words.into_iter().map(Into::into).collect(), known: Vec::new(), snippet: None }
    }

    /// Adds a stream of the caller's: [`FIRST`], that of an option by the option's name, a [`length`](Input::LENGTH) of one u32 on
    /// the GPU, or one that the snippet reads.
    pub fn stream(&mut self, name: impl Into<String>, known: Known) {
        self.known.push((name.into(), known));
    }

    /// Adds a function in GLSL: `TYPE key(ITEM item, int index)` of a sort or a histogram, `bool keep(ITEM item, int index)` of a
    /// compaction. It reads further streams by the names that they were given.
    ///
    /// Errors: a text without such a function.
    pub fn snippet(&mut self, glsl: impl Into<String>) -> Result<(), RecipeError> {
        self.snippet = Some(Snippet::new(glsl.into())?);
        Ok(())
    }
}

impl Recipe {
    fn known(&self, name: &str) -> Result<&Known, RecipeError> {
        let known = self.known.iter().find(|(known, _)| known == name);
        known.map(|(_, known)| known).ok_or_else(|| RecipeError::Missing(name.into()))
    }

    /// The plan on a device.
    ///
    /// Errors: those of the words, of the request, and of the plan; streams that are missing; an algorithm that runs on the CPU.
    pub fn plan(&self, device: &Device) -> Result<Planned, RecipeError> {
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let before = Job::parse(words.iter().copied())?;
        let first = self.known(FIRST)?;
        // The element that the snippet makes in place of the first stream's, if it does. The indices alone of what is kept
        // are those of nonzero flags.
        let made = match &self.snippet {
            Some(snippet) if snippet.name == "key" || before.options.word("moves") == Some("indices") => {
                Some(snippet.element()?)
            }
            Some(_) => {
                words.extend(["--mask", "-"]);
                None
            }
            None => None,
        };
        let job = Job::parse(words)?;
        self.check(&job)?;
        let arity = made.map_or(job.arity() as u32, |_| first.arity_of_texel());
        let numbers = first.numbers(arity);
        let info = match made {
            Some(element) => InputInfo::new(element, numbers / u64::from(arity)),
            None => InputInfo::new(first.element(), numbers),
        };
        let (request, mut inputs) = self.request(&job, first, info, made.is_none())?;
        let Chosen { choice, plan } = job.choose(&request, device)?;
        let part = plan.ok_or_else(|| {
            RecipeError::Other(format!("{choice} runs on the CPU; choose another algorithm"))
        })?;
        let part = match (&self.snippet, first.channel()) {
            (None, Some((pixels, channel))) => part.for_channel(pixels, channel, LEVELS)?,
            _ => part,
        };
        let layouts = self.layouts(&part, &request, &inputs);
        let outputs = request.outputs();
        let Some(snippet) = &self.snippet else {
            let others: Vec<_> = layouts.into_iter().map(|layout| (layout, None)).collect();
            return Ok(Planned { plan: part.for_inputs(&others)?, inputs, outputs, uniforms: Vec::new() });
        };
        // The input of the part that the snippet makes.
        let target = match made {
            Some(_) => 0,
            None => inputs.iter().position(|origin| origin.name == MASK).unwrap_or(0),
        };
        let is_option = |name: &String| inputs.iter().any(|origin| origin.name == *name);
        let beside: Vec<_> = self.known.iter().filter(|(name, _)| !is_option(name)).collect();
        // A map reads textures and writes one, or buffers.
        let to = *part.layout(part.inputs().nth(target).unwrap_or(part.input()));
        let mut sources = beside.iter().map(|(_, known)| known).chain([first]);
        let storage = if sources.any(Known::is_texture) { Storage::Texture } else { to.storage };
        let like = |layout: Layout| -> Result<Layout, Error> {
            Ok(Layout::fit(device, layout.element, layout.arity, 1, layout.len, 1)?)
        };
        let stored = |plan: &mut Plan, slot: Slot| match *plan.layout(slot) {
            layout if layout.storage == storage => Ok(slot),
            layout => plan.relayout(slot, None, like(layout)?),
        };
        let first_layout = if made.is_some() { first.whole_texels(device, storage)? } else { layouts[0] };
        let mut plan = Plan::new(snippet.name, part.item().clone(), first_layout);
        let mut slots: Vec<Slot> = vec![plan.input(); inputs.len()];
        for number in (1..inputs.len()).filter(|number| *number != target) {
            slots[number] = plan.further_input(inputs[number].name.clone(), layouts[number]);
        }
        if target > 0 {
            inputs.remove(target);
        }
        let mut map = Map::new(snippet.map()?);
        for (name, known) in beside {
            let layout = known.whole_texels(device, storage)?;
            let stream = plan.further_input(name.clone(), layout);
            map = map.stream(name.clone(), stored(&mut plan, stream)?, 1);
            inputs.push(Origin::of(name, None, Some(known)));
        }
        // A plan's names are constants; a program has few of them.
        let uniforms = snippet.uniforms()?.into_iter().map(|(name, value)| (&*String::leak(name), value));
        let uniforms: Vec<_> = uniforms.collect();
        for (name, value) in &uniforms {
            map = map.set(name, *value);
        }
        let source = stored(&mut plan, slots[0])?;
        let to = if to.storage == storage { to } else { like(to)? };
        slots[target] = plan.map(source, snippet.name, map, to)?;
        let results = plan.append_plan(&part, &slots)?;
        Ok(Planned { plan: plan.finish_with(results), inputs, outputs, uniforms })
    }

    /// Refuses words and streams that would be passed over.
    fn check(&self, job: &Job) -> Result<(), RecipeError> {
        let other = |text: String| Err(RecipeError::Other(text));
        let keeps = self.snippet.as_ref().filter(|snippet| snippet.name == "keep");
        match (&job.source, job.element) {
            (Source::Stdin, None) => {}
            (Source::Stdin, Some(_)) => {
                return other("the input has a type of its own; leave out --dtype".into());
            }
            (source, _) => return other(format!("expected - for the input, not {source}")),
        }
        if keeps.is_some() && job.problem.option(MASK).is_none() {
            return other(format!("a {} takes a function key, not keep", job.problem.noun));
        }
        for (number, (name, _)) in self.known.iter().enumerate() {
            if self.known[..number].iter().any(|(other, _)| other == name) {
                return other(format!("the stream '{name}' is given twice"));
            }
            let known = [FIRST, Input::LENGTH].contains(&name.as_str());
            if !known && self.snippet.is_none() && job.beside().all(|(option, ..)| option.name != name) {
                return other(format!("the job reads no stream '{name}'"));
            }
        }
        Ok(())
    }

    /// The request for a first stream like `info`, and its inputs. A snippet makes the mask, if there is one and it `keeps`.
    fn request(
        &self,
        job: &Job,
        first: &Known,
        mut info: InputInfo,
        keeps: bool,
    ) -> Result<(Request, Vec<Origin>), RecipeError> {
        let mut inputs = vec![Origin::of(FIRST, None, Some(first))];
        for (option, side, source) in job.beside() {
            let name = option.name;
            let numbers = match source {
                Source::Stdin => None,
                words => words.numbers(side.element(Some(info.element)))?,
            };
            let (len, element) = match &numbers {
                Some(numbers) => (numbers.len() as u64, numbers.element()),
                None if keeps && self.snippet.is_some() && name == MASK => (info.len, ElementType::U32),
                None => self.known(name).map(|known| (known.numbers(1), known.element()))?,
            };
            info = info.with(side, element, len);
            inputs.push(Origin { numbers, ..Origin::of(name, Some((name, side)), self.known(name).ok()) });
        }
        let mut request = job.request(info)?;
        if self.known(Input::LENGTH).is_ok() {
            let no = || RecipeError::Other(format!("a {} takes no length on the GPU", job.problem.noun));
            request = request.of_gpu_length().ok_or_else(no)?;
            request.check().map_err(Error::from)?;
            inputs.push(Origin::of(Input::LENGTH, None, None));
        }
        let items = request.len();
        for origin in &mut inputs {
            if let (Some((name, side)), Some(numbers)) = (origin.option, origin.numbers.take()) {
                origin.numbers = Some(job.stream(name, side, numbers, items, None)?);
            }
        }
        Ok((request, inputs))
    }

    /// How each input of the request lies: as it is on the GPU already, or as the plan wants it.
    fn layouts(&self, part: &Plan, request: &Request, inputs: &[Origin]) -> Vec<Layout> {
        let of = |((slot, input), origin): ((Slot, &Input), &Origin)| {
            let known = match &origin.numbers {
                Some(_) => None,
                // Made by the snippet, if it is not known.
                None => self.known(&origin.name).ok().and_then(|known| known.layout(input.arity)),
            };
            known.unwrap_or(*part.layout(slot))
        };
        part.inputs().zip(&request.inputs()).zip(inputs).map(of).collect()
    }
}
