//! Columns of a matrix, each invocation one of them: neighbours read neighbouring items, and nothing is transposed.
//!
//! ```text
//! reduce   for each band of rows: the sum of each column         n read
//! sums     scan the sums' columns, in the same way
//! scan     for each band: each column, from the sum before it    n read, n written
//! ```

use super::tile::Tile;
use crate::device::Device;
use crate::plan::{Access, AtMost, DispatchRecorder, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::{Batch, ScanKind, ScanSpec, shader};
use crate::unsupported::Unsupported;

/// Rows in a band.
const BAND: u64 = 32;

/// Returns true if this scan of columns is taken: of single items, from the first on, in buffers that can be bound.
pub(super) fn handles_natively(spec: &ScanSpec, device: &Device) -> bool {
    let bound = device.compute.as_ref().is_some_and(|compute| 4 * spec.words() <= compute.max_binding);
    matches!(spec.batch, Batch::Columns(_))
        && spec.tuple == 1
        && !spec.reversed
        && !spec.has_seed
        && !spec.has_gpu_length
        && bound
}

/// Adds one scan of first order of the columns of rows of `width` items.
pub(super) fn round(
    plan: &mut Plan,
    tile: &Tile,
    source: Slot,
    width: u64,
    kind: ScanKind,
    device: &Device,
) -> Result<Slot, Unsupported> {
    let layout = *plan.layout(source);
    let matrix = Matrix { width, rows: layout.len / width };
    let bands = matrix.rows.div_ceil(BAND);
    let words = layout.words();
    let of_sums = words / matrix.rows.max(1);
    let sums = match bands {
        0 | 1 => None,
        _ => {
            // The last band's sums are not needed.
            let sums = plan
                .slot("sums", Layout::in_buffer(device, layout.element, layout.arity, (bands - 1) * width)?);
            let shader = shader!("scan/reduce_then_scan/columns_reduce.comp");
            matrix
                .dispatch(plan, tile, "reduce", shader, bands - 1)
                .bind("SOURCE", source, Access::Read)
                .bind("SUMS", sums, Access::Write)
                .moves((bands - 1) * BAND * of_sums, (bands - 1) * of_sums)
                .adds((bands - 1) * (BAND - 1) * width, BAND - 1);
            Some(round(plan, tile, sums, width, ScanKind::Inclusive, device)?)
        }
    };
    let target = plan.slot("scanned", layout);
    let pass = matrix
        .dispatch(plan, tile, "scan", shader!("scan/reduce_then_scan/columns_scan.comp"), bands)
        .bind("SOURCE", source, Access::Read)
        .bind("TARGET", target, Access::Write)
        .define("EXCLUSIVE", kind == ScanKind::Exclusive)
        .define("SUMMED", sums.is_some())
        .moves(words + bands.saturating_sub(1) * of_sums, words)
        .adds(layout.len, BAND)
        // The first row has nothing before it.
        .at_most(AtMost::ADDS);
    if let Some(sums) = sums {
        pass.bind("SUMS", sums, Access::Read);
    }
    Ok(target)
}

/// The matrix whose columns are scanned.
#[derive(Clone, Copy)]
struct Matrix {
    /// Items in a row.
    width: u64,
    rows: u64,
}

impl Matrix {
    /// Adds a dispatch of an invocation for each column of each of the first `bands` bands.
    fn dispatch<'p>(
        self,
        plan: &'p mut Plan,
        tile: &Tile,
        phase: &'static str,
        shader: Shader,
        bands: u64,
    ) -> DispatchRecorder<'p> {
        let across = self.width.div_ceil(tile.group.into());
        plan.dispatch(phase, shader, tile.lanes, tile.group, across * bands)
            .define("BAND", BAND as i64)
            .set("u_across", Uniform::Int(across as i32))
            .set("u_width", Uniform::Int(self.width as i32))
            .set("u_rows", Uniform::Int(self.rows as i32))
    }
}
