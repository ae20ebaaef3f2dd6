//! Scans of items of many words: own operators, in one plane of a texture or in several, and with flags.

use rasterscan::operator::Definition;
use rasterscan::{Element, ElementType, Operator, ScanSpec, tools::for_element};
use rasterscan_runner::kernels::Seen;

use super::{compare, compare_all, enough, heads, scans};

/// Maps x -> a x + b of one factor and `count - 1` summands: items of any number of elements, which do not commute.
pub fn maps(count: usize) -> Operator {
    fn combined<T: Element>(left: &[u32], right: &[u32], result: &mut [u32]) {
        let [left, right]: [Vec<T>; 2] = [left, right].map(bytemuck::pod_collect_to_vec);
        let sum = |(l, r): (&T, &T)| l.times(right[0]).plus(*r);
        let mut both: Vec<T> = left.iter().zip(&right).map(sum).collect();
        both[0] = left[0].times(right[0]);
        result.copy_from_slice(bytemuck::cast_slice(&both));
    }
    let glsl = format!(
        "Item combine(Item left, Item right) {{
            Item both;
            for (int i = 0; i < {count}; i++) {{
                Element summand = i == 0 ? ELEMENT_ZERO : right.e[i];
                both.e[i] = element_add(element_mul(left.e[i], right.e[0]), summand);
            }}
            return both;
        }}"
    );
    let twin = |element, left: &[u32], right: &[u32], result: &mut [u32]| for_element!(element, T => combined::<T>(left, right, result));
    let mut definition = Definition::new(format!("maps{count}"), glsl).twin(twin);
    for element in [ElementType::U32, ElementType::F32, ElementType::U64] {
        let words = count * element.words() as usize;
        if words <= Definition::MOST_WORDS as usize {
            let mut identity = vec![0; words];
            identity[0] = if element.is_float() { 1f32.to_bits() } else { 1 };
            definition = definition.identity(element, &identity);
        }
    }
    Operator::new(definition).unwrap()
}

/// Items of these elements, and with flags a further one.
fn items_of(all: &[(ElementType, usize)], least: usize) {
    let mut seen = Seen::default();
    let irregular = &heads(130)[4];
    // Tiles of such items take llvmpipe minutes to compile.
    let mut scans = scans();
    scans.retain(|choice| choice.card.name != "three_phase");
    for (element, count) in all {
        let spec = ScanSpec::of(*element, 130).operator(maps(*count));
        let specs = [
            spec.exclusive().tuple(2).order(2),
            spec.columns(10).reversed(),
            spec.rows(13).exclusive(),
            spec.segmented().exclusive(),
            spec.segmented().reversed().exclusive(),
            spec.tuple(2).with_seed().with_total(),
            spec.columns(26).with_seed(),
            spec.exclusive().with_total().with_gpu_length(),
        ];
        seen += compare(scans.clone(), &specs, irregular, 77);
    }
    enough(seen, least);
}

/// Those of a single texel, of which some are wider with a flag.
fn items_of_three_and_four_words() {
    items_of(&[(ElementType::U32, 3), (ElementType::F32, 4)], 50_000);
}

fn items_of_two_planes() {
    items_of(&[(ElementType::U64, 3), (ElementType::F32, 7), (ElementType::U64, 4)], 100_000);
}

fn items_of_three_planes() {
    items_of(&[(ElementType::U32, 9)], 30_000);
}

/// With flags they have more words than any other, in five planes.
fn items_of_four_planes() {
    items_of(&[(ElementType::U32, 16)], 30_000);
}

fn items_of_four_planes_of_long_integers() {
    items_of(&[(ElementType::U64, 8)], 30_000);
}

/// Flags from the last item to the first are made beside items: with a pair of 64 bits they are six words.
fn flags_beside_pairs_of_long_integers() {
    let spec = ScanSpec::new::<u64>(300).operator(Operator::AFFINE).segmented().reversed();
    enough(compare_all(&[spec.clone(), spec.exclusive()], &heads(300)[4], 0), 10_000);
}

crate::tests![
    items_of_three_and_four_words,
    items_of_two_planes,
    items_of_three_planes,
    items_of_four_planes,
    items_of_four_planes_of_long_integers,
    flags_beside_pairs_of_long_integers,
];
