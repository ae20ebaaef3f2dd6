//! From words and streams to a plan.

use rasterscan::plan::{Layout, Map, Plan, Slot, Uniform};
use rasterscan::tools::job::{Job, Source};
use rasterscan::tools::problem::{Input, InputInfo, Output};
use rasterscan::tools::registry::{Chosen, SideInput};
use rasterscan::tools::{Numbers, Request};
use rasterscan::{CompactSpec, Device, ElementType, Error, ReduceSpec, ScanSpec, SortSpec};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::stream::Stream;
use crate::{Engine, Prepared, Preparing};

/// An input of a plan.
pub struct Origin {
    /// The caller's name for it: [`FIRST`], an option, or a stream of a snippet.
    pub name: String,
    /// The option that names it, and the meaning of its numbers.
    pub option: Option<(&'static str, SideInput)>,
    /// The numbers, if they are among the words.
    pub numbers: Option<Numbers>,
    /// True for a texture whose channels are not of 32 bits: it is read as floats.
    pub is_narrow: bool,
}

impl Origin {
    fn of(name: &str, option: Option<(&'static str, SideInput)>, known: Option<&Known>) -> Origin {
        let is_narrow = matches!(known, Some(Known::Channel { is_narrow: true, .. }));
        Origin { name: name.into(), option, numbers: None, is_narrow }
    }
}

/// The name of the first stream.
const FIRST: &str = "input";

/// The option whose stream a snippet makes that keeps values.
const MASK: &str = "mask";

/// A stream, as far as it is known before it is bound.
enum Known {
    /// Numbers that are uploaded.
    Array { element: ElementType, len: u64 },
    /// A stream of the library's.
    Stream(Layout),
    /// A texture of the caller's: its numbers in a texel, and its items if they are not all.
    Texture { element: ElementType, numbers: u32, size: [u32; 2], items: Option<u64> },
    /// One channel of such a texture, as a number of this element; without a channel, whole texels.
    Channel { pixels: Layout, element: ElementType, channel: u32, is_narrow: bool },
}

/// Integers of a narrow channel: those of 8 bits.
const LEVELS: u32 = 255;

impl Known {
    fn element(&self) -> ElementType {
        match self {
            Known::Array { element, .. }
            | Known::Texture { element, .. }
            | Known::Channel { element, .. } => *element,
            Known::Stream(layout) => layout.element,
        }
    }

    /// Its layout with so many numbers in an item; `None` if the plan says how it lies.
    fn layout(&self, arity: u32) -> Option<Layout> {
        match *self {
            Known::Array { .. } => None,
            Known::Stream(layout) | Known::Channel { pixels: layout, .. } => Some(layout),
            Known::Texture { element, numbers, size: [width, height], items } => {
                let whole = Layout::texture(element, numbers * element.words(), width, height);
                let items_per_texel = numbers / arity;
                let len = items.unwrap_or(whole.len / u64::from(arity));
                Some(Layout { arity, items_per_texel, len, ..whole })
            }
        }
    }

    /// Its length in numbers, with so many in an item.
    fn numbers(&self, arity: u32) -> u64 {
        match self {
            Known::Array { len, .. } => *len,
            Known::Channel { pixels, .. } => pixels.len * u64::from(arity),
            _ => self.layout(arity).map_or(0, |layout| layout.elements()),
        }
    }
}

/// A function of the caller's in GLSL.
struct Snippet {
    /// `key` or `keep`.
    name: &'static str,
    glsl: String,
    /// The type that it returns.
    returns: String,
    /// Further streams that it reads.
    streams: Vec<String>,
}

/// A job in its words, with what is known of its streams.
#[wasm_bindgen]
pub struct Recipe {
    words: Vec<String>,
    known: Vec<(String, Known)>,
    snippet: Option<Snippet>,
}

#[wasm_bindgen]
impl Recipe {
    /// The words of a job, in the grammar of the command line; `-` is a stream of the caller's.
    #[wasm_bindgen(constructor)]
    pub fn new(words: Vec<String>) -> Recipe {
        Recipe { words, known: Vec::new(), snippet: None }
    }

    /// Numbers that will be uploaded.
    pub fn array(&mut self, name: String, dtype: &str, len: f64) -> Result<(), JsError> {
        let element = element(dtype)?;
        self.known.push((name, Known::Array { element, len: len as u64 }));
        Ok(())
    }

    /// A stream that lies on the GPU as this one does.
    pub fn stream(&mut self, name: String, stream: &Stream) {
        self.known.push((name, Known::Stream(*stream.inner().layout())));
    }

    /// A texture of the caller's. Its channels of 32 bits are numbers, or halves of numbers if `dtype` has 64 bits; or one
    /// `channel` is, which of another format is a float, or an integer if `dtype` says so.
    #[expect(clippy::too_many_arguments, reason = "a call from JavaScript")]
    pub fn texture(
        &mut self,
        name: String,
        format: &str,
        dtype: Option<String>,
        width: u32,
        height: u32,
        items: Option<f64>,
        channel: Option<u32>,
    ) -> Result<(), JsError> {
        let of_32_bits = ElementType::ALL.into_iter().filter(|element| element.words() == 1);
        let mut formats = of_32_bits.flat_map(|element| [1, 2, 4].map(|words| (element, words)));
        let wide = formats.find(|(element, words)| element.texel(*words).to_string() == format);
        let narrow = ["8", "16F"].iter().find_map(|bits| match format.strip_suffix(bits)? {
            "R" => Some(1),
            "RG" => Some(2),
            "RGBA" => Some(4),
            _ => None,
        });
        let no = |expected: &str| {
            JsError::new(&format!("{width} x {height} texels of {format}: expected {expected}"))
        };
        let of_channels = narrow.map(|channels| (ElementType::F32, channels));
        let formats = "R, RG or RGBA with 32UI, 32I, 32F, 16F or 8";
        let (own, channels) = wide.or(of_channels).ok_or_else(|| no(formats))?;
        let element = dtype.map_or(Ok(own), |dtype| element(&dtype))?;
        let numbers = channels / element.words();
        if width == 0 || height == 0 || numbers == 0 {
            return Err(no(&format!("room for {element}")));
        }
        let items = items.map(|items| items as u64);
        let known = if wide.is_none() || channel.is_some() {
            let whole = Layout::pixels(own, channels, width, height);
            let pixels = Layout { len: items.unwrap_or(whole.len), ..whole };
            Known::Channel { pixels, element, channel: channel.unwrap_or(0), is_narrow: wide.is_none() }
        } else {
            Known::Texture { element, numbers, size: [width, height], items }
        };
        self.known.push((name, known));
        Ok(())
    }

    /// A function in GLSL: `TYPE key(ITEM item, int index)` of a sort, `bool keep(ITEM item, int index)` of a compaction;
    /// and the names of further streams that it reads.
    pub fn snippet(&mut self, name: &str, glsl: String, streams: Vec<String>) -> Result<(), JsError> {
        let name = if name == "key" { "key" } else { "keep" };
        let before = glsl.split_once(&format!("{name}(")).map(|(before, _)| before);
        let returns = before.and_then(|before| before.split_whitespace().last());
        let no = || JsError::new(&format!("the GLSL has no function TYPE {name}(ITEM item, int index)"));
        let returns = returns.ok_or_else(no)?.to_owned();
        self.snippet = Some(Snippet { name, glsl, returns, streams });
        Ok(())
    }

    /// Starts to prepare the plan on this device.
    pub fn prepare_later(&self, engine: &Engine) -> Result<Preparing, JsError> {
        let (plan, inputs, outputs) = self.plan(engine.0.device())?;
        Ok(Preparing { preparing: engine.0.prepare_later(&plan)?, inputs, outputs })
    }

    /// Prepares the plan on this device, and waits until it is compiled.
    pub fn prepare(&self, engine: &Engine) -> Result<Prepared, JsError> {
        let (plan, inputs, outputs) = self.plan(engine.0.device())?;
        Prepared::new(engine.0.prepare(&plan)?, inputs, outputs)
    }
}

impl Recipe {
    fn known(&self, name: &str) -> Result<&Known, JsError> {
        let known = self.known.iter().find(|(known, _)| known == name);
        known.map(|(_, known)| known).ok_or_else(|| JsError::new(&format!("the stream '{name}' is missing")))
    }

    /// The plan, its inputs, and the names of its results, with whether only the first items of one count.
    fn plan(&self, device: &Device) -> Result<(Plan, Vec<Origin>, Vec<(&'static str, bool)>), JsError> {
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
        let arity = made.map_or(job.arity() as u32, |_| first.arity_of_texel());
        let numbers = first.numbers(arity);
        let mut info = match made {
            Some(element) => InputInfo::new(element, numbers / u64::from(arity)),
            None => InputInfo::new(first.element(), numbers),
        };
        let mut origins = vec![Origin::of(FIRST, None, Some(first))];
        for (option, side, source) in job.beside() {
            let (name, by_snippet) =
                (option.name, made.is_none() && self.snippet.is_some() && option.name == MASK);
            let numbers = match source {
                Source::Stdin => None,
                words => words.numbers(side.element(Some(info.element)))?,
            };
            let (len, element) = match &numbers {
                Some(numbers) => (numbers.len() as u64, numbers.element()),
                None if by_snippet => (info.len, ElementType::U32),
                None => self.known(name).map(|known| (known.numbers(1), known.element()))?,
            };
            info = info.with(side, element, len);
            origins.push(Origin { numbers, ..Origin::of(name, Some((name, side)), self.known(name).ok()) });
        }
        let mut request = job.request(info)?;
        if self.known(Input::LENGTH).is_ok() {
            request = with_gpu_length(&request)?;
            origins.push(Origin::of(Input::LENGTH, None, None));
        }
        let items = request.len();
        for origin in &mut origins {
            if let (Some((name, side)), Some(numbers)) = (origin.option, origin.numbers.take()) {
                origin.numbers = Some(job.stream(name, side, numbers, items, None)?);
            }
        }
        let Chosen { choice, plan } = job.choose(&request, device)?;
        let part =
            plan.ok_or_else(|| JsError::new(&format!("{choice} runs on the CPU; choose another algorithm")))?;
        let part = match (&self.snippet, first) {
            (None, Known::Channel { pixels, channel, .. }) => part.for_channel(*pixels, *channel, LEVELS)?,
            _ => part,
        };
        let layouts = self.layouts(&part, &request, &origins)?;
        let outputs = request.outputs().into_iter().map(|Output { name, counted, .. }| (name, counted));
        let outputs = outputs.collect();
        let Some(snippet) = &self.snippet else {
            let inputs: Vec<_> = layouts.into_iter().map(|layout| (layout, None)).collect();
            return Ok((part.for_inputs(&inputs)?, origins, outputs));
        };
        // The input of the part that the snippet makes.
        let target = match made {
            Some(_) => 0,
            None => origins.iter().position(|origin| origin.name == MASK).unwrap_or(0),
        };
        let first_layout = match made {
            Some(_) => first.whole_texels(device)?,
            None => layouts[0],
        };
        let mut plan = Plan::new(snippet.name, part.item().clone(), first_layout);
        let mut slots: Vec<Slot> = vec![plan.input(); origins.len()];
        for number in (1..origins.len()).filter(|number| *number != target) {
            slots[number] = plan.further_input(origins[number].name.clone(), layouts[number]);
        }
        if target > 0 {
            origins.remove(target);
        }
        let mut map = Map::new(snippet.map()?);
        for name in &snippet.streams {
            let known = self.known(name)?;
            let stream = plan.further_input(name.clone(), known.whole_texels(device)?);
            map = map.stream(name.clone(), stream, 1);
            origins.push(Origin::of(name, None, Some(known)));
        }
        for (name, value) in snippet.uniforms() {
            // A plan's names are constants; a page has few of them.
            map = map.set(String::leak(name), value);
        }
        let to = *part.layout(part.inputs().nth(target).unwrap_or(part.input()));
        slots[target] = plan.map(plan.input(), snippet.name, map, to)?;
        let results = plan.append_plan(&part, &slots)?;
        Ok((plan.finish_with(results), origins, outputs))
    }

    /// How each input of the request lies: as it is on the GPU already, or as the plan wants it.
    fn layouts(&self, part: &Plan, request: &Request, origins: &[Origin]) -> Result<Vec<Layout>, JsError> {
        let inputs = request.inputs();
        let of = |((slot, input), origin): ((Slot, &Input), &Origin)| {
            let known = match &origin.numbers {
                Some(_) => None,
                // Made by the snippet, if it is not known.
                None => self.known(&origin.name).ok().and_then(|known| known.layout(input.arity)),
            };
            known.unwrap_or(*part.layout(slot))
        };
        Ok(part.inputs().zip(&inputs).zip(origins).map(of).collect())
    }
}

impl Known {
    /// Its layout where a whole texel is an item.
    fn whole_texels(&self, device: &Device) -> Result<Layout, Error> {
        match self.layout(self.arity_of_texel()) {
            Some(layout) => Ok(layout),
            None => Ok(Layout::fit(device, self.element(), 1, 1, self.numbers(1), 1)?),
        }
    }

    /// The numbers of an item where a whole texel is one.
    fn arity_of_texel(&self) -> u32 {
        match self {
            Known::Array { .. } => 1,
            Known::Stream(layout) | Known::Channel { pixels: layout, .. } => layout.arity,
            Known::Texture { numbers, .. } => *numbers,
        }
    }
}

impl Snippet {
    /// The element that it makes.
    fn element(&self) -> Result<ElementType, JsError> {
        match self.returns.as_str() {
            "uint" | "bool" => Ok(ElementType::U32),
            "int" => Ok(ElementType::I32),
            "float" => Ok(ElementType::F32),
            "uvec2" => Ok(ElementType::U64),
            other => Err(JsError::new(&format!(
                "{} cannot return {other}; expected bool, uint, int, float or uvec2",
                self.name
            ))),
        }
    }

    /// The map that calls it.
    fn map(&self) -> Result<String, JsError> {
        let Snippet { name, glsl, .. } = self;
        let call = format!("{name}(source_at(index), index)");
        let store = match self.element()? {
            ElementType::F32 => format!("to[0] = floatBitsToUint({call});"),
            ElementType::U64 => format!("uvec2 words = {call}; to[0] = words.x; to[1] = words.y;"),
            _ => format!("to[0] = uint({call});"),
        };
        Ok(format!("{glsl}\nvoid map(uint from[FROM], int index, out uint to[TO]) {{ {store} }}\n"))
    }

    /// The uniforms that the text declares, as 0.
    fn uniforms(&self) -> impl Iterator<Item = (String, Uniform)> {
        let declared = self.glsl.split(';').filter_map(|text| {
            let mut words = text.split_whitespace().skip_while(|word| *word != "uniform").skip(1);
            let of_type = words.next().filter(|word| !["highp", "mediump", "lowp"].contains(word));
            let of_type = of_type.or_else(|| words.next())?;
            Some((words.next()?.to_owned(), uniform(of_type, &[0.0, 0.0])?))
        });
        declared
    }
}

/// A uniform of this GLSL type from a number, or two for an `ivec2`.
pub fn uniform(glsl_type: &str, values: &[f64]) -> Option<Uniform> {
    let number = *values.first()?;
    Some(match glsl_type {
        "int" => Uniform::Int(number as i32),
        "uint" => Uniform::Uint(number as u32),
        "float" => Uniform::Float(number as f32),
        "ivec2" => Uniform::Int2([number as i32, *values.get(1)? as i32]),
        _ => return None,
    })
}

pub fn element(dtype: &str) -> Result<ElementType, JsError> {
    let known = ElementType::ALL.into_iter().find(|element| element.name() == dtype);
    known.ok_or_else(|| rasterscan::tools::job::JobError::Element(dtype.into()).into())
}

/// The same request of as many items as a stream of one u32 says.
fn with_gpu_length(request: &Request) -> Result<Request, JsError> {
    let scan = request.get::<ScanSpec>().map(|spec| Request::new(spec.with_gpu_length()));
    let compact = || request.get::<CompactSpec>().map(|spec| Request::new(spec.with_gpu_length()));
    let reduce = || request.get::<ReduceSpec>().map(|spec| Request::new(spec.with_gpu_length()));
    let sort = || request.get::<SortSpec>().map(|spec| Request::new(spec.with_gpu_length()));
    let request = scan.or_else(compact).or_else(reduce).or_else(sort);
    let request = request.ok_or_else(|| JsError::new("a histogram takes no length on the GPU"))?;
    request.check().map_err(Error::from)?;
    Ok(request)
}
