//! Solves a linear recurrence in parallel, by an operator of its own.
//!
//! `x[i] = a[i] x[i - 1] + b[i] x[i - 2]` looks serial: each number needs the two before it. But a step is a matrix that
//! takes the pair `(x[i - 1], x[i - 2])` to `(x[i], x[i - 1])`, and matrices can be multiplied in any grouping:
//!
//! ```text
//! | x[i]     |   | a[i]  b[i] |   | x[i - 1] |
//! | x[i - 1] | = | 1     0    | * | x[i - 2] |
//! ```
//!
//! So a scan by the matrix product gives for each `i` the matrix from the first pair to the `i`-th. All numbers are u32 and
//! wrap. An operator is GLSL that combines two items, and the identity, from whose words the library knows that an item is
//! four elements. The twin in Rust serves the reference, and `scan_by` where the CPU is the choice. Every scan then takes
//! the operator.

use rasterscan::operator::Definition;
use rasterscan::{ElementType, Gpu, Operator, ScanSpec, scan};

const STEPS: usize = 50_000;

/// The later matrix times the earlier one, each row by row. The scan names them by their places: `left` is the earlier.
const PRODUCT: &str = "
Item combine(Item left, Item right) {
    Item product;
    for (int i = 0; i < 4; i++) {
        int row = i / 2 * 2, column = i % 2;
        product.e[i] = element_add(
            element_mul(right.e[row], left.e[column]),
            element_mul(right.e[row + 1], left.e[column + 2]));
    }
    return product;
}
";

/// The same on the CPU.
fn product(_: ElementType, left: &[u32], right: &[u32], product: &mut [u32]) {
    for (i, number) in product.iter_mut().enumerate() {
        let (row, column) = (i / 2 * 2, i % 2);
        let first = right[row].wrapping_mul(left[column]);
        *number = first.wrapping_add(right[row + 1].wrapping_mul(left[column + 2]));
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let steps = Definition::new("steps", PRODUCT).identity(ElementType::U32, &[1, 0, 0, 1]).twin(product);
    let steps = Operator::new(steps)?;

    let factors: Vec<[u32; 2]> = (0..STEPS as u32).map(|i| [i % 7 + 1, (i ^ i >> 3) % 5]).collect();
    let matrices: Vec<u32> = factors.iter().flat_map(|[a, b]| [*a, *b, 1, 0]).collect();

    // The length is in items, not in elements.
    let spec = ScanSpec::new::<u32>(STEPS).operator(&steps);
    let products = gpu.scan_by(&spec, &matrices)?;
    let begin = [1u32, 0];
    let first_row =
        |matrix: &[u32]| matrix[0].wrapping_mul(begin[0]).wrapping_add(matrix[1].wrapping_mul(begin[1]));
    let solved: Vec<u32> = products.chunks(4).map(first_row).collect();

    println!("a recurrence of two terms solved by an {spec}, on {}", gpu.device());
    let mut expected = Vec::with_capacity(STEPS);
    let [mut last, mut before] = begin;
    for [a, b] in factors {
        (last, before) = (a.wrapping_mul(last).wrapping_add(b.wrapping_mul(before)), last);
        expected.push(last);
    }
    assert_eq!(solved, expected);
    assert_eq!(products, scan::sequential(&spec, &matrices)?);
    Ok(())
}
