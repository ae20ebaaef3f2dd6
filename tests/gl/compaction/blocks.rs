//! `blocks` in all its parameters, and results of any width: segments that wrap, and rows that overflow.

use rasterscan::tools::registry::Need;
use rasterscan::{CompactSpec, Device, Error, Moves};
use rasterscan_runner::compaction::{CompactRunner, TestShape, compaction, compactions, shaped};
use rasterscan_runner::data::TestElement;

/// Every combination of parameters that the registry knows, with the size of its blocks, except those that `blocks`
/// refuses: elements are found as they are drawn only in bits.
fn all_combinations() -> Vec<(usize, String)> {
    let card = compaction("blocks").card;
    let mut all = vec![(0, "blocks:".to_owned())];
    // The scan of the counts has its own test, for all compactions.
    for parameter in card.parameters.iter().filter(|parameter| parameter.domain.inner.is_none()) {
        let words =
            parameter.domain.words.iter().filter(|word| **word != "auto").map(|word| word.to_string());
        let numbers = parameter.domain.numbers.iter().flat_map(|numbers| numbers.min..=numbers.max);
        let numbers = numbers.filter(|number| number.is_power_of_two()).map(|number| number.to_string());
        let values: Vec<String> = words.chain(numbers).collect();
        let with = |(size, text): &(usize, String), value: &String| {
            let size = if parameter.name == "size" { value.parse().unwrap() } else { *size };
            (size, format!("{text}{}={value},", parameter.name))
        };
        all = all.iter().flat_map(|before| values.iter().map(move |value| with(before, value))).collect();
    }
    all.retain(|(_, text)| text.contains("found=first") || text.contains("inner=packed"));
    all
}

/// A little more than three blocks: in rows of the stream, and in rows hardly longer than a block, so that nearly every
/// segment crosses an edge.
fn all_parameters() {
    let mut runner = CompactRunner::new();
    let all = all_combinations();
    // Sizes, inner scans with the moments at which elements are found, searches, wraps, sources of ends, primitives.
    assert_eq!(all.len(), 8 * (4 + 1) * 2 * 2 * 2 * 2);
    let shapes = [
        TestShape::Share(0),
        TestShape::Share(70),
        TestShape::Share(100),
        TestShape::Runs,
        TestShape::OnlyLast,
    ];
    for (size, algorithm) in all {
        let len = 3 * size + 5;
        let spec = CompactSpec::new::<u32>(len).moves(Moves::Both);
        let inputs = shapes.map(|shape| shaped::<u32>(len, shape));
        runner.inputs(&algorithm, &spec, &inputs);
        runner.inputs(&algorithm, &spec.columns(size as u32 + 3), &inputs);
    }
    runner.finish("blocks in all parameters");
}

/// Elements of two words and floats take the same paths.
fn all_elements_in_wrapped_segments() {
    fn on<T: TestElement>(runner: &mut CompactRunner) {
        for algorithm in compactions().into_iter().filter(|name| name.starts_with("blocks")) {
            for columns in [1024, 1025] {
                runner
                    .shapes::<T>(algorithm, &CompactSpec::new::<T>(3000).columns(columns).moves(Moves::Both));
            }
        }
    }
    let mut runner = CompactRunner::new();
    on::<i32>(&mut runner);
    on::<f32>(&mut runner);
    on::<u64>(&mut runner);
    on::<i64>(&mut runner);
    runner.finish("wrapped segments of all elements");
}

/// Odd widths, including one column. Only a segment that could cross two edges, and columns of a buffer, are refused.
fn any_number_of_columns() {
    let mut runner = CompactRunner::new();
    for algorithm in compactions() {
        let choice = compaction(algorithm);
        // The compute era has only buffers.
        if choice.card.needs == Need::Compute {
            continue;
        }
        let size =
            choice.parameters().iter().find(|(name, _)| *name == "size").map(|(_, value)| value.clone());
        let least: u32 = size.map_or(1, |size| size.parse().unwrap());
        for columns in [1, 3, 17, 63, 64, 100, 257, 1000, 1024] {
            let spec = CompactSpec::new::<u32>(2100).columns(columns).moves(Moves::Both);
            let message = match choice.plan(&spec, &Device::gl33()) {
                Ok(_) => None,
                Err(Error::Unsupported(reason)) => Some(reason.to_string()),
                Err(other) => panic!("{algorithm}: {other}"),
            };
            match message {
                Some(reason) if algorithm == "geometry" => {
                    assert!(reason.contains("buffer") && reason.contains("columns"), "{reason}");
                }
                Some(reason) => {
                    assert!(columns < least, "{algorithm}, {columns} columns: {reason}");
                    assert!(reason.contains(&format!("{columns} columns")), "{reason}");
                }
                None => {
                    assert!(columns >= least && algorithm != "geometry", "{algorithm}, {columns} columns")
                }
            }
            runner.shapes::<u32>(algorithm, &spec);
            if columns % 2 == 1 {
                let spec = CompactSpec::new::<u64>(700).columns(columns);
                runner.shapes::<u64>(algorithm, &spec);
            }
        }
    }
    runner.finish("any number of columns");
}

fn columns_that_a_device_has_not() {
    let refused = |columns: u32, len: usize| {
        let spec = CompactSpec::new::<u32>(len).columns(columns);
        compaction("horn").plan(&spec, &Device::gl33()).unwrap_err()
    };
    for (columns, len) in [(1, 16_385), (16_385, 10)] {
        let error = refused(columns, len);
        assert!(matches!(error, Error::Unsupported(_)));
        assert!(error.to_string().contains("16384"), "{error}");
    }
    assert!(matches!(refused(0, 10), Error::Spec(_)));
    assert!(compaction("horn").plan(&CompactSpec::new::<u32>(16_384).columns(1), &Device::gl33()).is_ok());
}

crate::tests![
    all_parameters,
    all_elements_in_wrapped_segments,
    any_number_of_columns,
    columns_that_a_device_has_not,
];
