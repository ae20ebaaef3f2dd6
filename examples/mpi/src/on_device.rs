//! The items of [`item`](crate::check::item), made and checked on a device: a long part takes minutes on a CPU.

use std::error::Error;
use std::ops::Range;

use rasterscan::plan::{ItemType, Layout, Map, Uniform};
use rasterscan::{ElementType, Gpu, Operator, Plan, Prepared, ReduceSpec, ScanSpec, Stream};

use crate::check::sum;
use crate::part::Part;

/// Item `index` of a piece, and the wrong sums among those of a piece.
const ITEM: &str = "
uniform uint u_low;
uniform uint u_rest;
uniform uint u_high;
uint item(int index) {
    return (u_low + uint(index)) * 2654435761u ^ (u_high + ((u_rest + uint(index)) >> 20));
}
";
const FILL: &str = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = item(index); }";
const WRONG: &str = "uniform uint u_before;
void map(uint from[FROM], int index, out uint to[TO]) {
    uint before = index == 0 ? u_before : source_at(index - 1);
    to[0] = uint(source_at(index) - before != item(index));
}";

/// Makes and checks pieces of one layout.
pub struct OnDevice {
    fill: Prepared,
    wrong: Prepared,
    /// A piece whose numbers do not matter.
    any: Stream,
}

impl OnDevice {
    /// For pieces of this layout.
    ///
    /// Errors: as [`Gpu::prepare`].
    pub fn new(gpu: &Gpu, layout: Layout) -> Result<OnDevice, rasterscan::Error> {
        let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
        let plan = |glsl: &str, reads: u64| {
            let mut plan = Plan::new("items", item.clone(), layout);
            let zero = Uniform::Uint(0);
            let map = Map::new(format!("{ITEM}{glsl}")).reads(reads);
            let map = map.set("u_low", zero).set("u_rest", zero).set("u_high", zero);
            let map = if reads > 1 { map.set("u_before", zero) } else { map };
            plan.map(plan.input(), "items", map, layout).map(|slot| (plan, slot))
        };
        let (fill, filled) = plan(FILL, 1)?;
        let fill = gpu.prepare(&fill.finish(filled))?;
        let (mut wrong, marks) = plan(WRONG, 2)?;
        let count = gpu.plan_auto(&ReduceSpec::new::<u32>(layout.len as usize))?;
        let counted = wrong.append_plan(&count, &[marks])?;
        let wrong = gpu.prepare(&wrong.finish(counted[0]))?;
        let any = fill.new_outputs()?.swap_remove(0);
        Ok(OnDevice { fill, wrong, any })
    }

    fn set(prepared: &mut Prepared, first: u64) -> Result<(), rasterscan::Error> {
        prepared.set("u_low", first as u32)?;
        prepared.set("u_rest", first as u32 & 0xf_ffff)?;
        prepared.set("u_high", (first >> 20) as u32)
    }

    /// A piece with the items from `first` on.
    ///
    /// Errors: as [`Prepared::run_into`].
    pub fn fill(&mut self, first: u64) -> Result<Stream, rasterscan::Error> {
        Self::set(&mut self.fill, first)?;
        let made = self.fill.new_outputs()?.swap_remove(0);
        self.fill.run_into([&self.any], [&made])?;
        Ok(made)
    }

    /// Checks every sum of a piece, whose first item is `first`, after a sum of `before`.
    ///
    /// Errors: wrong sums; as [`Prepared::run`].
    pub fn verify(
        &mut self,
        scanned: &Stream,
        first: u64,
        before: u32,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        Self::set(&mut self.wrong, first)?;
        self.wrong.set("u_before", before)?;
        match self.wrong.run(scanned)?.read::<u32>()?[0] {
            0 => Ok(()),
            wrong => Err(format!("wrong sums from item {first} on: {wrong}").into()),
        }
    }
}

/// Makes and checks pieces of all layouts that occur.
pub struct Pieces<'g> {
    gpu: &'g Gpu,
    known: Vec<(Layout, OnDevice)>,
}

impl<'g> Pieces<'g> {
    /// For pieces on this device.
    pub fn new(gpu: &'g Gpu) -> Pieces<'g> {
        Pieces { gpu, known: Vec::new() }
    }

    /// The maker and checker of pieces of this layout.
    ///
    /// Errors: as [`OnDevice::new`].
    pub fn of(&mut self, layout: Layout) -> Result<&mut OnDevice, rasterscan::Error> {
        let known = match self.known.iter().position(|(known, _)| *known == layout) {
            Some(known) => known,
            None => {
                self.known.push((layout, OnDevice::new(self.gpu, layout)?));
                self.known.len() - 1
            }
        };
        Ok(&mut self.known[known].1)
    }

    /// A part with these items, for a sum of all up to each. Waits until all memory is there.
    ///
    /// Errors: as [`Part::new`] and [`OnDevice::fill`].
    pub fn part(&mut self, items: Range<u64>, piece: u64) -> Result<Part<u32>, rasterscan::Error> {
        let gpu = self.gpu;
        let spec = ScanSpec::new::<u32>(0);
        let part = Part::new(gpu, &spec, items.end - items.start, piece, |prepared, of_piece| {
            let layout = *prepared.input_layout(0).expect("an input");
            self.of(layout)?.fill(items.start + of_piece.start)
        })?;
        gpu.finish()?;
        Ok(part)
    }

    /// Checks every sum of a part whose first item is `first`.
    ///
    /// Errors: as [`OnDevice::verify`].
    pub fn verify(&mut self, part: &Part<u32>, mut first: u64) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut before = sum(0..first);
        for stream in part.scanned() {
            self.of(*stream.layout())?.verify(stream, first, before)?;
            let end = first + stream.layout().len;
            before = before.wrapping_add(sum(first..end));
            first = end;
        }
        Ok(())
    }
}
