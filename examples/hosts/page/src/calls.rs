//! Every kind of call, each with a result that is checked: for a page that compares its state before and after.

use std::cell::RefCell;

use rasterscan::Pending;
use rasterscan::plan::{ItemType, Layout};
use rasterscan::prelude::*;
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
}

type Call = fn(&Calls) -> Result<bool, Error>;

const CALLS: [(&str, Call); 11] = [
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
            Ok(Calls { context: context.clone(), gpu, data, scan, input, pending: RefCell::new(None) })
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

    /// Asks whether the readback has arrived: `undefined` before that, then whether it is right.
    ///
    /// Errors: the context is lost.
    pub fn arrived(&self) -> Result<Option<bool>, JsValue> {
        let mut pending = self.pending.borrow_mut();
        let numbers = pending.as_mut().map_or(Ok(None), Pending::poll).map_err(text)?;
        Ok(numbers.map(|numbers| numbers == self.sums()))
    }

    /// The sums of a page's texture of one channel of 32-bit unsigned integers.
    ///
    /// Errors: another size or format.
    pub fn sums_of(&self, texture: &WebGlTexture, width: u32, height: u32) -> Result<Vec<u32>, JsValue> {
        let sums = || {
            let layout = Layout::texture(ElementType::U32, 1, width, height);
            let stream = self.gpu.wrap_webgl_texture(texture, &layout)?;
            let plan = self.gpu.plan_auto(&ScanSpec::new::<u32>((width * height) as usize))?;
            let mut prepared = self.gpu.prepare(&plan.for_inputs(&[(layout, None)])?)?;
            prepared.run(&stream)?.read()
        };
        sums().map_err(text)
    }
}
