//! The operators of the scans: three of the library's, and two of this program's own.

use rasterscan::operator::{Definition, OperatorError};
use rasterscan::{ElementType, Operator};

/// The later matrix of 2 x 2 times the earlier one, row by row.
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

/// An item is a flag, nonzero where a segment begins, and a value. A sum over a head forgets the values before it
/// (blelloch1990), so the carry of a rank ends at the first head of the next.
const SEGMENTED: &str = "
Item combine(Item left, Item right) {
    return right.a != 0u ? right : Item(left.a, element_add(left.b, right.b));
}
";

/// All by name; an error names them.
pub fn named(name: &str) -> Result<Operator, Box<dyn std::error::Error + Send + Sync>> {
    Ok(match name {
        "add" => Operator::ADD,
        "max" => Operator::MAX,
        "affine" => Operator::AFFINE,
        "matrix" => matrix()?,
        "segmented" => segmented()?,
        _ => {
            return Err(format!("--operator: '{name}' is none of add, max, affine, matrix, segmented").into());
        }
    })
}

fn matrix() -> Result<Operator, OperatorError> {
    let product = |_: ElementType, left: &[u32], right: &[u32], product: &mut [u32]| {
        for (i, number) in product.iter_mut().enumerate() {
            let (row, column) = (i / 2 * 2, i % 2);
            let first = right[row].wrapping_mul(left[column]);
            *number = first.wrapping_add(right[row + 1].wrapping_mul(left[column + 2]));
        }
    };
    Operator::new(Definition::new("matrix", PRODUCT).identity(ElementType::U32, &[1, 0, 0, 1]).twin(product))
}

fn segmented() -> Result<Operator, OperatorError> {
    let sum = |_: ElementType, left: &[u32], right: &[u32], sum: &mut [u32]| {
        sum.copy_from_slice(right);
        if right[0] == 0 {
            sum.copy_from_slice(&[left[0], left[1].wrapping_add(right[1])]);
        }
    };
    Operator::new(Definition::new("segmented", SEGMENTED).identity(ElementType::U32, &[0, 0]).twin(sum))
}
