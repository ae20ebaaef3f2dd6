//! Items that are taken by indices: where they lie, and what an index beyond the end takes.

use rasterscan::plan::{ItemType, Layout, Shader};
use rasterscan::{Element, ElementType, Error, Gpu, Operator, Plan};
use rasterscan_runner::data::mix;

use super::numbers;

fn taken<T: Element + PartialEq + std::fmt::Debug>(gpu: &Gpu, stream: Layout, by: Layout, items: &[T]) {
    let len = stream.len as u32;
    // The usual "none", what is negative as an int, and what lies between the end and the end of the memory.
    let beyond = [len, len + 1, i32::MAX as u32, 1 << 31, u32::MAX - 1, u32::MAX];
    let indices = (0..by.len as usize).map(|i| match i % 3 {
        0 => beyond[i / 3 % beyond.len()],
        _ => mix(5, i as u64) as u32 % len,
    });
    let indices: Vec<u32> = indices.collect();
    let mut plan = Plan::new("taken", ItemType { element: T::TYPE, operator: Operator::ADD }, stream);
    let slot = plan.further_input("indices", by);
    let result = plan.gather(plan.input(), slot, None).unwrap();
    let layout = *plan.layout(result);
    let words = T::TYPE.words() * stream.arity;
    let fits = by.items_per_texel * words <= 4;
    assert_eq!(layout.width, by.width, "{by}: {layout}");
    assert!(
        !fits || (layout.items_per_texel, layout.height) == (by.items_per_texel, by.height),
        "{by}: {layout}"
    );
    let mut prepared = gpu.prepare(&plan.finish(result)).unwrap();
    let inputs = [prepared.upload(items).unwrap(), prepared.upload_input(1, &indices).unwrap()];
    let outputs = prepared.run([&inputs[0], &inputs[1]]).unwrap();
    let got: Vec<T> = outputs.first().read().unwrap();
    let arity = stream.arity as usize;
    let item = |index: &u32| {
        let at = arity * (*index).min(len - 1) as usize;
        items[at..at + arity].to_vec()
    };
    assert_eq!(got, indices.iter().flat_map(item).collect::<Vec<T>>(), "{stream}, by {by}");
}

/// The result lies as the indices do, and an index beyond the end takes the last item: in textures and in buffers, of one
/// word, of two, and of pairs.
fn taken_items_lie_as_their_indices_do() {
    let gpu = rasterscan_runner::gpu();
    let words: Vec<u32> = numbers(1001);
    let pairs: Vec<u32> = numbers(2002);
    let longs: Vec<u64> = words.iter().map(|&word| u64::from(word) << 20 | 7).collect();
    let by = |per, width| {
        let indices =
            Layout { width, ..Layout::fit(gpu.device(), ElementType::U32, 1, per, 700, 1).unwrap() };
        indices.with_len(700)
    };
    for (per, width) in [(1, 16), (4, 8), (4, 256), (2, 7)] {
        for own in [1, 4] {
            let stream = Layout::fit(gpu.device(), ElementType::U32, 1, own, 1001, 2).unwrap();
            taken(&gpu, stream, by(per, width), &words);
            let own = own.min(2);
            let stream = Layout::fit(gpu.device(), ElementType::U64, 1, own, 1001, 2).unwrap();
            taken(&gpu, stream, by(per, width), &longs);
            let stream = Layout::fit(gpu.device(), ElementType::U32, 2, own, 1001, 2).unwrap();
            taken(&gpu, stream, by(per, width), &pairs);
        }
    }
    if gpu.device().compute.is_some() {
        let by = Layout::buffer(ElementType::U32, 1, 700);
        taken(&gpu, Layout::buffer(ElementType::U32, 1, 1001), by, &words);
        taken(&gpu, Layout::buffer(ElementType::U64, 1, 1001), by, &longs);
        taken(&gpu, Layout::buffer(ElementType::U32, 2, 1001), by, &pairs);
    }
    let none = Layout::buffer(ElementType::U32, 1, 0);
    let mut plan = Plan::new("none", ItemType { element: ElementType::U32, operator: Operator::ADD }, none);
    let indices = plan.further_input("indices", Layout::buffer(ElementType::U32, 1, 5));
    assert!(matches!(plan.gather(plan.input(), indices, None), Err(Error::Length { got: 0, .. })));
}

/// An own pass reads indices and what they took by one texel: a sparse matrix times a vector, row by row.
fn a_pass_reads_indices_and_items_by_one_texel() {
    const MULTIPLY: &str = "#include \"common/item.glsl\"\n#include \"common/fetch.glsl\"\n\
        uniform Sampler u_index;\nuniform ivec4 u_index_shape;\n\
        uniform Sampler u_taken;\nuniform ivec4 u_taken_shape;\n\
        layout(location = 0) out Texel o_texel;\n\
        void main() {\n    ivec2 at = ivec2(gl_FragCoord.xy);\n\
        o_texel = fetch(u_index, at, u_index_shape) * fetch(u_taken, at, u_taken_shape);\n}\n";
    let gpu = rasterscan_runner::gpu();
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let vector = Layout::fit(gpu.device(), ElementType::U32, 1, 1, 500, 1).unwrap();
    let columns = Layout::fit(gpu.device(), ElementType::U32, 1, 4, 60_000, 1).unwrap();
    let mut plan = Plan::new("product", item, vector);
    let indices = plan.further_input("columns", columns);
    let taken = plan.gather(plan.input(), indices, None).unwrap();
    let product = plan.slot("product", columns);
    plan.draw("multiply", Shader::new("own/multiply.frag", MULTIPLY))
        .read("u_index", indices)
        .read("u_taken", taken)
        .write(product);
    let mut prepared = gpu.prepare(&plan.finish(product)).unwrap();
    let (vector, columns) = (numbers(500), (0..60_000).map(|i| mix(6, i) as u32 % 500).collect::<Vec<u32>>());
    let inputs = [prepared.upload(&vector).unwrap(), prepared.upload_input(1, &columns).unwrap()];
    let got: Vec<u32> = prepared.run([&inputs[0], &inputs[1]]).unwrap().first().read().unwrap();
    let expected = columns.iter().map(|&column| column.wrapping_mul(vector[column as usize]));
    assert_eq!(got.iter().zip(expected).position(|(got, expected)| *got != expected), None);
}

crate::tests![taken_items_lie_as_their_indices_do, a_pass_reads_indices_and_items_by_one_texel];
