//! Multiplies a sparse matrix by a vector: `y = A x`.
//!
//! The matrix lies as compressed sparse rows, CSR: the values of all rows one after the other, the column of each value, and
//! the offset of each row's first value. So a map multiplies each value by the item of `x` in its column, and a reduction by
//! offsets adds up each row, empty ones included. It scans all rows at once: one long row among short ones, which would hold
//! up a loop for each row, costs nothing here.

use rasterscan::plan::{Layout, Map};
use rasterscan::reduce::texture::PackedReduction;
use rasterscan::{Algorithm, Device, ElementType, Error, Gpu, Plan, ReduceSpec};

const ROWS: usize = 60_000;
const COLUMNS: usize = 50_000;
const NONZEROS: usize = 620_000;

/// A value times the item of `x` in its column. The streams may lie as they like.
const MULTIPLY: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    float product = value_at(index) * x_at(int(from[0]));
    to[0] = floatBitsToUint(product);
}";

/// The product, of columns, values, offsets and `x`.
fn product(device: &Device) -> Result<Plan, Error> {
    let spec = ReduceSpec::new::<f32>(NONZEROS).segmented_by_offsets(ROWS as u64);
    let sums = PackedReduction::default().plan(&spec, device)?;
    let inputs: Vec<Layout> = sums.inputs().map(|slot| *sums.layout(slot)).collect();

    let mut plan = Plan::new("spmv", sums.item().clone(), inputs[0].of(ElementType::U32));
    let columns = plan.input();
    let values = plan.further_input("values", inputs[0]);
    let offsets = plan.further_input("offsets", inputs[1]);
    let x = Layout::fit(device, ElementType::F32, 1, 1, COLUMNS as u64, 1)?;
    let x = plan.further_input("x", x);

    let multiply = Map::new(MULTIPLY).stream("value", values, 1).stream("x", x, 1);
    let products = plan.map(columns, "multiply", multiply, inputs[0])?;
    let y = plan.append_plan(&sums, &[products, offsets])?;
    Ok(plan.finish_with(y))
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let number = |index: usize, salt: u32| {
        let mixed = (index as u32 ^ salt << 24).wrapping_mul(2_654_435_761);
        ((mixed ^ mixed >> 15).wrapping_mul(2_246_822_519) >> 8) as usize
    };
    // Eighths: their sums are exact in any order.
    let eighth = |number: usize| (number % 33) as f32 / 8.0 - 2.0;
    let x: Vec<f32> = (0..COLUMNS).map(|i| eighth(number(i, 1))).collect();
    let columns: Vec<u32> = (0..NONZEROS).map(|i| (number(i, 2) % COLUMNS) as u32).collect();
    let values: Vec<f32> = (0..NONZEROS).map(|i| eighth(number(i, 3))).collect();
    // The first rows are the longest, and many of the last ones are empty.
    let mut rows: Vec<usize> = (0..NONZEROS).map(|i| number(i, 4) % (1 + number(i, 5) % ROWS)).collect();
    rows.sort_unstable();
    let offsets: Vec<u32> = (0..ROWS).map(|row| rows.partition_point(|of| *of < row) as u32).collect();

    let plan = product(gpu.device())?;
    println!("{ROWS} rows of {NONZEROS} values, on {}, in {} passes:", gpu.device(), plan.passes().len());
    for pass in plan.passes() {
        println!("  {}", pass.phase);
    }
    let mut spmv = gpu.prepare(&plan)?;
    let inputs = [
        spmv.upload_input(0, &columns)?,
        spmv.upload_input(1, &values)?,
        spmv.upload_input(2, &offsets)?,
        spmv.upload_input(3, &x)?,
    ];
    let y = spmv.run(&inputs)?[0].read::<f32>()?;

    let mut expected = vec![0.0; ROWS];
    for ((row, column), value) in rows.iter().zip(&columns).zip(&values) {
        expected[*row] += x[*column as usize] * value;
    }
    let ends = offsets.iter().skip(1).copied().chain([NONZEROS as u32]);
    let lengths: Vec<u32> = ends.zip(&offsets).map(|(end, begin)| end - begin).collect();
    let empty = lengths.iter().filter(|len| **len == 0).count();
    println!("{empty} rows are empty, the longest has {} values", lengths.iter().max().unwrap_or(&0));
    assert_eq!(y, expected);
    Ok(())
}
