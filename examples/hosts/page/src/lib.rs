//! A random walk in a page that owns its canvas and draws with WebGL 2 itself: the library adds up the steps in the page's
//! context, and hands the texture of the sums to the page. Only the last sum comes back, some frames later.
//!
//! Each call leaves the page's state as it was. `index.html` has the page: it sets what it draws with once.

#![cfg(target_family = "wasm")]

mod calls;

use rasterscan::Pending;
use rasterscan::prelude::*;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::{WebGl2RenderingContext, WebGlTexture};

const STEPS: usize = 4096;

/// The walk, in the page's context.
#[wasm_bindgen]
pub struct Walk {
    scan: Prepared,
    steps: Stream,
    sums: Stream,
    last: Option<Pending<i32>>,
    seed: u32,
}

#[wasm_bindgen]
impl Walk {
    /// A scan, prepared once.
    ///
    /// Errors: the context is lost.
    #[wasm_bindgen(constructor)]
    pub fn new(context: WebGl2RenderingContext) -> Result<Walk, JsValue> {
        let made = || {
            let gpu = Gpu::from_webgl2(context)?;
            let scan = gpu.prepare_auto(&ScanSpec::new::<i32>(STEPS))?;
            let steps = scan.upload(&[0i32; STEPS])?;
            let sums = scan.new_outputs()?.swap_remove(0);
            Ok(Walk { scan, steps, sums, last: None, seed: 1 })
        };
        made().map_err(text)
    }

    /// The texture of the sums, which lives as long as the walk.
    ///
    /// Errors: the context is lost.
    pub fn texture(&self) -> Result<Option<WebGlTexture>, JsValue> {
        self.sums.webgl_texture().map_err(text)
    }

    /// The number of sums.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> u32 {
        STEPS as u32
    }

    /// Sums in a texel.
    #[wasm_bindgen(getter, js_name = itemsPerTexel)]
    pub fn items_per_texel(&self) -> u32 {
        self.sums.layout().items_per_texel
    }

    /// Walks again. Returns where one of the last walks ended, if that is known.
    ///
    /// Errors: the context is lost.
    pub fn walk(&mut self) -> Result<Option<i32>, JsValue> {
        self.sum().map_err(text)
    }

    fn sum(&mut self) -> Result<Option<i32>, Error> {
        let steps: Vec<i32> = (0..STEPS).map(|_| self.step()).collect();
        self.steps.write(&steps)?;
        self.scan.run_into(&self.steps, &self.sums)?;
        // A readback arrives between two frames: it is started in one, and asked for in the next ones.
        let last = match &mut self.last {
            Some(pending) => pending.poll()?,
            None => None,
        };
        if self.last.is_none() || last.is_some() {
            self.last = Some(self.sums.read_later()?);
        }
        Ok(last.and_then(|sums| sums.last().copied()))
    }

    /// A step up or down.
    fn step(&mut self) -> i32 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 17;
        self.seed ^= self.seed << 5;
        if self.seed & 1 == 0 { -1 } else { 1 }
    }
}

fn text(error: Error) -> JsValue {
    error.to_string().into()
}
