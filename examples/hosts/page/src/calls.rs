//! Every kind of call, each with a result that is checked: for a page that compares its state before and after.

use std::cell::RefCell;

use rasterscan::plan::{ItemType, Layout};
use rasterscan::prelude::*;
use rasterscan::{Pending, Preparing};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::{WebGl2RenderingContext, WebGlTexture};

use super::text;

const LEN: usize = 5000;

/// Calls in a page's context, by name.
#[wasm_bindgen]
pub struct Calls {
    context: WebGl2RenderingContext,
    gpu: Gpu,
    data: Vec<u32>,
    scan: RefCell<Prepared>,
    input: Stream,
    pending: RefCell<Option<Pending<u32>>>,
    preparing: RefCell<Option<Preparing>>,
}

type Call = fn(&Calls) -> Result<bool, Error>;

const CALLS: [(&str, Call); 12] = [
    ("another Gpu", |calls| Ok(Gpu::from_webgl2(calls.context.clone())?.sum(&calls.data)? == calls.sum())),
    ("upload", |calls| Ok(calls.scan.borrow().upload(&calls.data)?.read::<u32>()? == calls.data)),
    ("write", |calls| calls.input.write(&calls.data).map(|()| true)),
    ("run", |calls| calls.scan.borrow_mut().run(&calls.input).map(|_| true)),
    ("read", |calls| Ok(calls.scan.borrow_mut().run(&calls.input)?.read::<u32>()? == calls.sums())),
    ("start a readback", |calls| {
        let later = calls.scan.borrow_mut().run(&calls.input)?.read_later()?;
        *calls.pending.borrow_mut() = Some(later);
        Ok(true)
    }),
    ("start to prepare", |calls| {
        let spec = ScanSpec::new::<u32>(LEN).operator(Operator::XOR);
        *calls.preparing.borrow_mut() = Some(calls.gpu.prepare_later(&calls.gpu.plan_auto(&spec)?)?);
        Ok(true)
    }),
    ("sort", |calls| {
        let mut sorted = calls.data.clone();
        sorted.sort_unstable();
        Ok(calls.gpu.sort(&calls.data)? == sorted)
    }),
    ("planes", |calls| {
        // Items of five words lie in two planes.
        let len = (LEN / 5) as u64;
        let layout = Layout::fit(calls.gpu.device(), ElementType::U32, 5, 1, len, 1)?;
        Ok(calls.gpu.upload(&layout, &calls.data)?.read::<u32>()? == calls.data)
    }),
    ("capture", |calls| {
        let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
        let layout = *calls.input.layout();
        let mut plan = Plan::new("capture", item, layout);
        let buffer = plan.relayout(plan.input(), None, Layout::buffer(ElementType::U32, 1, LEN as u64))?;
        let mut prepared = calls.gpu.prepare(&plan.finish(buffer))?;
        Ok(prepared.run(&calls.input)?.read::<u32>()? == calls.data)
    }),
    ("keep", |calls| {
        let kept = calls.gpu.compact(&calls.data, Condition::new(Comparison::Greater, 500u32))?;
        Ok(kept == calls.data.iter().copied().filter(|number| *number > 500).collect::<Vec<u32>>())
    }),
    ("hand out", |calls| Ok(calls.input.webgl_texture()?.is_some())),
];

#[wasm_bindgen]
impl Calls {
    /// A `Gpu` in a context of the page's.
    ///
    /// Errors: the context is lost.
    #[wasm_bindgen(constructor)]
    pub fn new(context: WebGl2RenderingContext) -> Result<Calls, JsValue> {
        let made = || {
            let data: Vec<u32> = (0..LEN as u32).map(|i| i * 7919 % 1000).collect();
            let gpu = Gpu::from_webgl2(context.clone())?;
            let scan = gpu.prepare_auto(&ScanSpec::new::<u32>(LEN))?;
            let input = scan.upload(&data)?;
            let scan = RefCell::new(scan);
            Ok(Calls {
                context: context.clone(),
                gpu,
                data,
                scan,
                input,
                pending: RefCell::default(),
                preparing: RefCell::default(),
            })
        };
        made().map_err(text)
    }

    fn sum(&self) -> u32 {
        self.data.iter().sum()
    }

    fn sums(&self) -> Vec<u32> {
        let add = |sum: &mut u32, number: &u32| {
            *sum += number;
            Some(*sum)
        };
        self.data.iter().scan(0, add).collect()
    }

    /// The names of all calls.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> Vec<String> {
        CALLS.iter().map(|(name, _)| (*name).into()).collect()
    }

    /// Makes a call. Returns whether its result is right.
    ///
    /// Errors: as the call's.
    pub fn call(&self, number: usize) -> Result<bool, JsValue> {
        CALLS[number].1(self).map_err(text)
    }

    /// The sums of these numbers, by the call of the library that waits.
    ///
    /// Errors: the context is lost.
    pub fn scan(&self, numbers: &[u32]) -> Result<Vec<u32>, JsValue> {
        self.gpu.scan(numbers).map_err(text)
    }

    /// Asks whether the readback has arrived: `undefined` before that, then whether it is right.
    ///
    /// Errors: the context is lost.
    pub fn arrived(&self) -> Result<Option<bool>, JsValue> {
        let mut pending = self.pending.borrow_mut();
        let numbers = pending.as_mut().map_or(Ok(None), Pending::poll).map_err(text)?;
        Ok(numbers.map(|numbers| numbers == self.sums()))
    }

    /// Asks whether the plan is prepared: `undefined` before that, then whether its result is right.
    ///
    /// Errors: the context is lost.
    pub fn prepared(&self) -> Result<Option<bool>, JsValue> {
        let mut preparing = self.preparing.borrow_mut();
        let prepared = preparing.as_mut().map_or(Ok(None), Preparing::poll).map_err(text)?;
        let Some(mut scan) = prepared else { return Ok(None) };
        *preparing = None;
        let last = self.data.iter().fold(0, |all, number| all ^ number);
        let results = scan.run(&self.input).and_then(Stream::read::<u32>).map_err(text)?;
        Ok(Some(results.last() == Some(&last)))
    }

    /// The sums of a channel of a page's texture, as floats or, with `levels`, as integers; of one of 32-bit unsigned integers
    /// where there are no `channels`.
    ///
    /// Errors: another size or format.
    #[wasm_bindgen(js_name = sumsOf)]
    pub fn sums_of(
        &self,
        texture: &WebGlTexture,
        size: &[u32],
        channels: u32,
        channel: u32,
        levels: u32,
    ) -> Result<Vec<f64>, JsValue> {
        let &[width, height] = size else { return Err("a size has two numbers".into()) };
        let len = (width * height) as usize;
        let sums = || {
            let floats = channels > 0 && levels == 0;
            let spec = if floats { ScanSpec::new::<f32>(len) } else { ScanSpec::new::<u32>(len) };
            let plan = self.gpu.plan_auto(&spec)?;
            let (stream, plan) = if channels == 0 {
                let layout = Layout::texture(ElementType::U32, 1, width, height);
                (self.gpu.wrap_webgl_texture(texture, &layout)?, plan.for_inputs(&[(layout, None)])?)
            } else {
                let layout = Layout::pixels(ElementType::F32, channels, width, height);
                let stream = self.gpu.wrap_webgl_pixels(texture, &layout)?;
                (stream, plan.for_channel(layout, channel, levels)?)
            };
            let mut prepared = self.gpu.prepare(&plan)?;
            let sums = prepared.run(&stream)?;
            Ok(match floats {
                true => sums.read::<f32>()?.into_iter().map(f64::from).collect(),
                false => sums.read::<u32>()?.into_iter().map(f64::from).collect(),
            })
        };
        sums().map_err(text)
    }
}
