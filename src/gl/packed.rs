//! Uploads of integers of 8 and 16 bits: packed on the way, and widened by a pass on the GPU.

use super::prepared::Prepared;
use super::stream::Stream;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{ItemType, Layout, PLANE, Plan, Storage};

impl Prepared {
    /// Uploads bytes as numbers of the plan's input `number`, counted from 0, a stream of u32. Four go in a word, and a pass
    /// widens them ([`Plan::unpack`]): a quarter of the bytes of [`Self::upload_input`] cross the bus. Where no pass can, such
    /// as into a buffer without compute shaders, the CPU widens them. To keep a stream packed on the GPU, make that pass part
    /// of the plan.
    ///
    /// Errors: as [`Self::upload_input`].
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// use rasterscan::{Gpu, ScanSpec};
    /// let mut scan = Gpu::headless()?.prepare_auto(&ScanSpec::new::<u32>(5))?;
    /// let input = scan.upload_bytes(0, &[3, 1, 255, 0, 4])?;
    /// assert_eq!(scan.run(&input)?.read::<u32>()?, [3, 4, 259, 259, 263]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn upload_bytes(&self, number: usize, data: &[u8]) -> Result<Stream, Error> {
        self.upload_packed(number, data)
    }

    /// As [`Self::upload_bytes`], for integers of 16 bits.
    pub fn upload_shorts(&self, number: usize, data: &[u16]) -> Result<Stream, Error> {
        self.upload_packed(number, data)
    }

    fn upload_packed<T: Copy + Into<u32>>(&self, number: usize, data: &[T]) -> Result<Stream, Error> {
        match self.unpacked(number, data) {
            Ok(Some(stream)) => Ok(stream),
            Ok(None) | Err(Error::Unsupported(_)) => {
                let wide: Vec<u32> = data.iter().map(|number| (*number).into()).collect();
                self.upload_input(number, &wide)
            }
            Err(error) => Err(error),
        }
    }

    /// The stream widened by a pass; `None` for one that no pass is for, or that does not suit the input.
    fn unpacked<T: Copy + Into<u32>>(&self, number: usize, data: &[T]) -> Result<Option<Stream>, Error> {
        let Some(input) = self.plan().inputs().nth(number) else { return Ok(None) };
        let slot = &self.plan().slots()[input.index()];
        let to = slot.layout;
        let suits = (to.element, to.arity, to.len) == (ElementType::U32, 1, data.len() as u64);
        // Offsets are checked on the CPU.
        if !suits || to.len == 0 || slot.offsets_into.is_some() {
            return Ok(None);
        }
        let bits = 8 * size_of::<T>() as u32;
        let word = |some: &[T]| {
            some.iter().rev().fold(0, |word: u32, number| word.wrapping_shl(bits) | (*number).into())
        };
        let words: Vec<u32> = data.chunks(32 / bits as usize).map(word).collect();
        let len = words.len() as u64;
        let packed = match to.storage {
            Storage::Texture => Layout { items_per_texel: PLANE, ..to }.with_len(len),
            Storage::Buffer => Layout::buffer(ElementType::U32, 1, len),
        };
        let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
        let mut plan = Plan::new("unpack", item, packed);
        let wide = plan.unpack(plan.input(), bits, to)?;
        let mut prepared = self.gpu.prepare(&plan.finish(wide))?;
        let (input, mut outputs) = (prepared.upload(&words)?, prepared.new_outputs()?);
        prepared.run_into([&input], &outputs)?;
        Ok(outputs.pop())
    }
}
