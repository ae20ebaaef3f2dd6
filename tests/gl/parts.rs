//! Reductions of rows, columns and segments, by every reduction, against a reduction of each on its own.

use rasterscan::tools::problem::{REDUCE, SCAN};
use rasterscan::tools::registry::{self, Choice};
use rasterscan::tools::{Numbers, for_element, task::Task};
use rasterscan::{Batch, ElementType, Error, Operator, ReduceSpec, ScanSpec, Segments, reduce, scan};
use rasterscan_runner::data::{TestData, TestElement, mix};

/// The indices of each reduction's items, by definition, not by the library's.
fn parts(spec: &ReduceSpec, heads: &[usize]) -> Vec<Vec<usize>> {
    let len = spec.len as usize;
    match (spec.batch, spec.segments) {
        (Batch::Rows(width), _) => {
            (0..len).collect::<Vec<_>>().chunks(width as usize).map(<[usize]>::to_vec).collect()
        }
        (Batch::Columns(width), _) => {
            (0..width as usize).map(|column| (column..len).step_by(width as usize).collect()).collect()
        }
        (_, Segments::Flags | Segments::Keys(_)) => {
            let mut cuts = vec![0];
            cuts.extend(heads.iter().copied());
            cuts.push(len);
            cuts.dedup();
            if len == 0 {
                return Vec::new();
            }
            cuts.windows(2).map(|cut| (cut[0]..cut[1]).collect()).collect()
        }
        _ => {
            let ends = heads.iter().skip(1).copied().chain([len]);
            heads.iter().zip(ends).map(|(begin, end)| (*begin..end).collect()).collect()
        }
    }
}

/// Each reduction on its own. The members of columns' tuples are rows.
fn one_by_one<T: TestElement>(spec: &ReduceSpec, input: &[T], heads: &[usize]) -> Vec<T> {
    let (arity, tuple) = (spec.operator.arity() as usize, spec.tuple as usize);
    let single = ReduceSpec::of(spec.element, 0).operator(&spec.operator).tuple(spec.tuple);
    let sums: Vec<Vec<T>> = parts(spec, heads)
        .iter()
        .map(|part| {
            let items: Vec<T> =
                part.iter().flat_map(|i| input[i * arity..(i + 1) * arity].to_vec()).collect();
            reduce::sequential(&single.with_len(part.len() as u64), &items).unwrap()
        })
        .collect();
    let member = |member: usize| sums.iter().flat_map(move |sum| &sum[member * arity..(member + 1) * arity]);
    match spec.batch {
        Batch::Columns(_) => (0..tuple).flat_map(member).copied().collect(),
        _ => sums.concat(),
    }
}

/// The index of the first item of each part that has its smallest or largest value.
fn first_items<T: TestElement>(spec: &ReduceSpec, input: &[T], heads: &[usize]) -> Vec<u32> {
    let better = |new: T, old: T| if spec.operator == Operator::MIN { new < old } else { new > old };
    let first = |part: Vec<usize>| {
        let found =
            part.into_iter().reduce(|old, new| if better(input[new], input[old]) { new } else { old });
        found.map_or(u32::MAX, |index| index as u32)
    };
    parts(spec, heads).into_iter().map(first).collect()
}

/// The key of an item: runs of equal keys begin at the heads, and some keys come again.
fn key_of(item: usize, heads: &[usize]) -> u32 {
    let run = heads.iter().filter(|head| **head <= item && **head > 0).count();
    [5, 0, 7][run % 3]
}

fn keys_at(element: ElementType, len: u64, heads: &[usize]) -> Numbers {
    let keys = (0..len).map(|item| key_of(item as usize, heads).into());
    Numbers::of_whole(element, len as usize, keys).unwrap()
}

/// Runs one case with an algorithm. Returns whether the device and the algorithm allow it.
fn check<T: TestElement>(algorithm: &Choice, spec: &ReduceSpec, heads: &[usize]) -> bool {
    let gpu = rasterscan_runner::gpu();
    let input: Vec<T> =
        (0..spec.elements()).map(|i| T::number(&spec.operator, TestData::Random, i)).collect();
    let mut inputs = vec![Numbers::of(&input)];
    match spec.segments {
        Segments::Flags => {
            let mut bits = vec![0u32; spec.len.div_ceil(32) as usize];
            heads.iter().for_each(|head| bits[head / 32] |= 1 << (head % 32));
            inputs.push(Numbers::from(bits));
        }
        Segments::Offsets(_) => {
            inputs.push(Numbers::from(heads.iter().map(|head| *head as u32).collect::<Vec<_>>()));
        }
        Segments::Keys(element) => inputs.push(keys_at(element, spec.len, heads)),
        _ => {}
    }
    let plan = match algorithm.plan(spec, gpu.device()) {
        Ok(Some(plan)) => plan,
        Ok(None) => return false,
        Err(Error::Unsupported(reason)) => {
            let words = spec.operator.item_words(T::TYPE);
            let packed = algorithm.card.name == "packed" && words > 4;
            let lacking = algorithm.card.supported(gpu.device()).is_err();
            assert!(
                packed || lacking || reason.to_string().contains("floats"),
                "{algorithm}, {spec}: {reason}"
            );
            return false;
        }
        Err(other) => panic!("{algorithm}, {spec}: {other}"),
    };
    let task = Task::new(spec, &inputs).unwrap();
    let mut ready = task.prepare(&gpu, &plan).unwrap_or_else(|error| panic!("{algorithm}, {spec}: {error}"));
    for _ in 0..2 {
        let results = task.run(&mut ready).unwrap();
        let verified = task.verify(Some(plan.cost().depth), &results);
        verified.unwrap_or_else(|wrong| panic!("{algorithm}, {spec}, heads {heads:?}: {wrong}\n{plan}"));
        let got: &[T] = results.get("values").unwrap().get().unwrap();
        let expected = one_by_one(spec, &input, heads);
        if let Some(indices) = results.get("indices") {
            assert_eq!(
                indices.get::<u32>().unwrap(),
                first_items(spec, &input, heads),
                "{algorithm}, {spec}, heads {heads:?}"
            );
        }
        assert_eq!(got.len(), expected.len(), "{algorithm}, {spec}, heads {heads:?}");
        if let Segments::Keys(element) = spec.segments {
            let firsts: Vec<u32> = parts(spec, heads).iter().map(|part| key_of(part[0], heads)).collect();
            let firsts = Numbers::of_whole(element, firsts.len(), firsts.into_iter().map(u64::from)).unwrap();
            assert_eq!(results.get("keys"), Some(&firsts), "{algorithm}, {spec}, heads {heads:?}");
        }
        assert!(
            results.count().is_none_or(|count| count * u64::from(spec.operator.arity()) == got.len() as u64)
        );
        if !T::TYPE.is_float() {
            assert_eq!(got, expected, "{algorithm}, {spec}, heads {heads:?}");
        }
    }
    true
}

fn algorithms() -> Vec<Choice> {
    let all = registry::of(REDUCE).map(|card| card.with_defaults());
    all.filter(|choice| choice.card.needs != registry::Need::Nothing).collect()
}

/// Around a step, a texel, a texture's row, a group; one row or column, and as many as items.
fn rows_and_columns_have_a_result_each() {
    let mut run = 0;
    for algorithm in algorithms() {
        let plain = |len: u64| ReduceSpec::of(ElementType::U32, len);
        for width in [1, 2, 3, 15, 16, 17, 64, 127, 128, 129, 255, 256, 257, 4097] {
            for others in [1, 2, 5] {
                let spec = plain(width * others);
                for spec in [spec.rows(width), spec.columns(width), spec.rows(others), spec.columns(others)] {
                    run += u32::from(check::<u32>(&algorithm, &spec, &[]));
                }
            }
        }
        let others = [
            plain(840).rows(60).tuple(3),
            plain(840).rows(4).tuple(4),
            plain(840).columns(12).tuple(5),
            plain(0).rows(3),
            plain(0).columns(300),
            plain(0).columns(2).tuple(3),
        ];
        run += others.iter().map(|spec| u32::from(check::<u32>(&algorithm, spec, &[]))).sum::<u32>();
    }
    assert!(run >= 2 * 174, "{run} runs");
}

/// One item each, rows of textures and words of flags, irregular ones; empty segments first, last, between and all; none.
fn segments_of_any_length_have_a_result_each() {
    let mut run = 0;
    for algorithm in algorithms() {
        for len in [0, 1, 2, 31, 32, 33, 255, 257, 1500, 4097] {
            let spec = ReduceSpec::of(ElementType::U32, len as u64);
            let every = |step: usize| (0..len).step_by(step).collect::<Vec<_>>();
            let random: Vec<usize> = (0..len).filter(|i| mix(11, *i as u64).is_multiple_of(7)).collect();
            for heads in [vec![], every(1), every(32), every(256), random] {
                run += u32::from(check::<u32>(&algorithm, &spec.segmented(), &heads));
                run += u32::from(check::<u32>(&algorithm, &spec.by_key::<u32>(), &heads));
                run += u32::from(check::<u32>(&algorithm, &spec.by_key::<i64>(), &heads));
                let offsets = spec.segmented_by_offsets(heads.len() as u64);
                run += u32::from(check::<u32>(&algorithm, &offsets, &heads));
            }
            let middle = len / 2;
            let empty =
                [vec![0, 0, middle, middle, middle, len, len], vec![len; 5], vec![0; 3], vec![middle]];
            for offsets in empty {
                let spec = spec.operator(Operator::MIN).segmented_by_offsets(offsets.len() as u64);
                run += u32::from(check::<u32>(&algorithm, &spec, &offsets));
            }
        }
    }
    assert!(run >= 2 * 140, "{run} runs");
}

/// Operators that do not commute, pairs, floats, 64-bit integers; the scans of segments as steps of each reduction.
fn every_element_and_operator_takes_parts() {
    let mut run = 0;
    let heads = [0, 3, 4, 4, 100, 511, 511];
    for algorithm in algorithms() {
        for element in ElementType::ALL {
            for operator in [Operator::ADD, Operator::AFFINE, Operator::MAX] {
                let spec = ReduceSpec::of(element, 840).operator(operator);
                let offsets = spec.segmented_by_offsets(heads.len() as u64);
                for spec in [spec.rows(35), spec.columns(20).tuple(2), offsets, spec.segmented()] {
                    run += for_element!(element, T => u32::from(check::<T>(&algorithm, &spec, &heads)));
                }
            }
        }
    }
    assert!(run >= 60, "{run} runs");
}

/// argmin and argmax of rows, columns and segments, empty ones, too: indices of the whole stream.
fn the_first_item_of_each_part_has_its_index() {
    let mut run = 0;
    let heads = [0, 3, 4, 4, 100, 511, 511];
    for algorithm in algorithms() {
        for element in [ElementType::U32, ElementType::F32, ElementType::I64] {
            let plain = ReduceSpec::of(element, 840);
            let offsets = plain.segmented_by_offsets(heads.len() as u64);
            let specs =
                [plain.rows(35), plain.columns(20), offsets, plain.segmented(), plain.by_key::<u32>()];
            for spec in specs.iter().chain([&plain.with_len(0).rows(3)]) {
                for spec in [spec.argmin(), spec.argmax()] {
                    run += for_element!(element, T => u32::from(check::<T>(&algorithm, &spec, &heads)));
                }
            }
        }
    }
    assert!(run >= 2 * 36, "{run} runs");
}

/// A scan by keys is the scan of the segments that they make, whatever their element.
fn scans_by_key_begin_where_the_key_changes() {
    let gpu = rasterscan_runner::gpu();
    let mut run = 0;
    for algorithm in ["horn", "hybrid", "packed", "three_phase", "look_back", "reduce_then_scan"] {
        for len in [0u64, 1, 32, 33, 1500] {
            let heads: Vec<usize> =
                (1..len as usize).filter(|i| mix(11, *i as u64).is_multiple_of(7)).collect();
            let input: Vec<u32> = (0..len as u32).map(|i| i ^ 5).collect();
            let plain = ScanSpec::new::<u32>(len as usize);
            let mut flags = vec![0u32; len.div_ceil(32) as usize];
            heads.iter().for_each(|head| flags[head / 32] |= 1 << (head % 32));
            let beside = scan::SideStreams { segments: &flags, seed: &[] };
            for element in ElementType::ALL {
                let by_key = for_element!(element, T => plain.by_key::<T>());
                for spec in [by_key.clone(), by_key.exclusive(), by_key.reversed()] {
                    let choice = Choice::parse(SCAN, algorithm).unwrap();
                    let plan = match choice.plan(&spec, gpu.device()) {
                        Ok(plan) => plan.unwrap(),
                        Err(Error::Unsupported(_)) => continue,
                        Err(other) => panic!("{algorithm}, {spec}: {other}"),
                    };
                    let inputs = [Numbers::of(&input), keys_at(element, len, &heads)];
                    let task = Task::new(&spec, &inputs).unwrap();
                    let results = task.run(&mut task.prepare(&gpu, &plan).unwrap()).unwrap();
                    let by_flags = spec.segmented();
                    let expected = scan::sequential_with(&by_flags, &input, beside).unwrap();
                    let got: &[u32] = results.first().unwrap().get().unwrap();
                    assert_eq!(got, expected, "{algorithm}, {spec}");
                    task.verify(Some(plan.cost().depth), &results).unwrap();
                    run += 1;
                }
            }
        }
    }
    assert!(run >= 2 * 75, "{run} runs");
}

fn what_does_not_fit_together_is_refused() {
    let spec = ReduceSpec::new::<u32>(12);
    for (spec, says) in [
        (spec.rows(5), "does not divide into rows of 5"),
        (spec.columns(0), "rows of 0"),
        (spec.rows(4).tuple(3), "tuples of 3 do not divide"),
        (spec.segmented().tuple(2), "a tuple above 1 cannot be combined with segments"),
        (spec.segmented().rows(4), "rows or columns cannot be combined with segments"),
        (spec.rows(4).with_gpu_length(), "a length on the GPU is that of a whole stream"),
        (spec.segmented().with_gpu_length(), "a length on the GPU is that of a whole stream"),
    ] {
        let error = spec.check().unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let inputs = [Numbers::from(vec![1u32; 12]), Numbers::from(vec![0u32, 5, 4])];
    let error = Task::new(&spec.segmented_by_offsets(3), &inputs).unwrap_err().to_string();
    assert!(error.contains("offset 2 is 4; expected 5 to 12"), "{error}");
}

crate::tests![
    rows_and_columns_have_a_result_each,
    segments_of_any_length_have_a_result_each,
    every_element_and_operator_takes_parts,
    the_first_item_of_each_part_has_its_index,
    scans_by_key_begin_where_the_key_changes,
    what_does_not_fit_together_is_refused,
];
