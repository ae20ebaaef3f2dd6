//! maleki2016: words moved, by which the thesis compares algorithms, and the worked examples of its chapter 4.

use rasterscan::{Device, ElementType, Operator, ScanSpec};
use rasterscan_runner::scan::choice;

const N: u64 = 1 << 24;

/// Words moved for each word of the stream.
fn words(algorithm: &str, spec: &ScanSpec) -> f64 {
    let plan = choice(algorithm).plan(spec, &Device::gl43()).unwrap().expect("a plan");
    let stream = spec.len * u64::from(spec.operator.arity() * spec.element.words());
    plan.cost().words_moved() as f64 / stream as f64
}

/// Checks that `got` is `expected` or up to 4% more: sums of tiles, and published values, which in SAM all groups read.
fn about(expected: f64, got: f64, what: &str) {
    assert!(got >= expected && got <= 1.04 * expected, "{what}: {got:.3} n words, not about {expected} n");
}

/// Section 2.1 and 4.2: "4n", "3n", "2n" element accesses in main memory.
/// The paper has neither prefixes of blocks, with which `look_back` reads more states, nor one exchange for large tuples,
/// with which each lane reads powers of a matrix.
fn words_moved() {
    for (algorithm, expected) in [
        ("three_phase", 4.0),
        ("reduce_then_scan:exchange=each", 3.0),
        ("chained", 2.0),
        ("look_back:prefixes=every", 2.0),
        ("sam:exchange=each", 2.0),
    ] {
        for element in [ElementType::U32, ElementType::F32, ElementType::U64] {
            let spec = ScanSpec::of(element, N);
            about(expected, words(algorithm, &spec), &format!("{algorithm}, {element}"));
            let exclusive = words(algorithm, &spec.exclusive());
            about(expected, exclusive, &format!("{algorithm}, {element}, exclusive"));
        }
        // In tuples, a word is read and written no more often.
        for tuple in [2, 4, 8] {
            let spec = ScanSpec::of(ElementType::U32, N).tuple(tuple);
            about(expected, words(algorithm, &spec), &format!("{algorithm}, tuples of {tuple}"));
        }
        let maps = ScanSpec::of(ElementType::U32, N / 2).operator(Operator::AFFINE);
        about(expected, words(algorithm, &maps), &format!("{algorithm}, affine"));
    }
}

/// Section 4.4: for higher orders, the others read the stream again, but SAM does not.
/// The paper's SAM exchanges sums once for each order.
fn words_moved_at_higher_order() {
    for order in [2, 5, 8] {
        let spec = ScanSpec::of(ElementType::U32, N).order(order);
        about(2.0, words("sam:exchange=each", &spec), &format!("sam, order {order}"));
        for (algorithm, once) in [
            ("three_phase", 4.0),
            ("reduce_then_scan:exchange=each", 3.0),
            ("chained", 2.0),
            ("look_back:prefixes=every", 2.0),
        ] {
            about(once * f64::from(order), words(algorithm, &spec), &format!("{algorithm}, order {order}"));
        }
    }
}

crate::tests![words_moved, words_moved_at_higher_order,];
