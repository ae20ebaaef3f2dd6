//! Files that are not recordings: each kind has its own error, and none makes a reader panic.

use proptest::prelude::*;
use rasterscan::tools::Numbers;
use rasterscan::trace::{FORM, FileError, Place, Recording};
use serde_json::{Value, json};

use super::made;

/// Calls everything that takes numbers of a recording.
fn ask_everything(recording: &Recording) {
    let _ = (recording.request.to_string(), recording.to_json().unwrap());
    let texels = |stream: usize| recording.layout(stream).width * recording.layout(stream).height;
    let look = |values: &Numbers| {
        for index in 0..values.len() + 1 {
            let _ = (values.decimal(index), values.hex(index), values.to_f64(index));
        }
    };
    for content in &recording.inputs {
        assert_eq!(content.values.len() as u64, recording.layout(content.stream).elements());
        look(&content.values);
    }
    for output in &recording.outputs {
        let _ = recording.before(recording.passes.len(), *output).map(look);
    }
    for (number, pass) in recording.passes.iter().enumerate() {
        let _ = (pass.main_shader(), recording.cost_before(number + 1).words_moved());
        for stream in 0..recording.streams.len() {
            let _ = (recording.name(stream), recording.layout(stream).to_string());
            let _ = (recording.layout(stream).region(), recording.before(number + 1, stream).map(look));
        }
        for reads in pass.reads.iter().chain(&pass.writes) {
            for reader in 0..reads.len() + 1 {
                let _ = reads.of(reader);
            }
            assert_eq!(reads.iter().map(|(_, places)| places.len() as u64).sum::<u64>(), reads.total());
        }
        for (of, target) in (0..).zip(&pass.targets) {
            assert_eq!(target.values.len() as u64, recording.layout(target.stream).elements());
            for index in 0..texels(target.stream) {
                for place in pass.read_for(Place { of, index }) {
                    assert!(place.index < texels(pass.sources[place.of as usize].stream));
                }
                let _ = pass.written[of as usize].as_ref().map(|written| written.get(index as usize));
            }
        }
        for (of, source) in (0..).zip(&pass.sources) {
            for index in 0..texels(source.stream) {
                for place in pass.made_from(Place { of, index }) {
                    assert!(place.index < texels(pass.targets[place.of as usize].stream));
                }
            }
        }
    }
}

fn every_kind_of_file_is_told_apart() {
    let error = |text: &str| Recording::from_json(text.as_bytes()).unwrap_err();
    for text in ["", "PNG", "{", "{\"schema\": \"rasterscan-trace\", \u{0}", "\u{FEFF}{}"] {
        assert!(
            !matches!(error(text), FileError::NotATrace | FileError::Newer(_)),
            "{text}: {}",
            error(text)
        );
    }
    assert!(matches!(error("PNG"), FileError::NotJson(_)));
    for text in
        ["{}", "[]", "7", "null", "{\"schema\": 3}", "{\"schema\": \"rasterscan.scan/1\", \"form\": 1}"]
    {
        assert!(matches!(error(text), FileError::NotATrace), "{text}: {}", error(text));
    }
    let newer = error("{\"form\": 2, \"schema\": \"rasterscan-trace\", \"and\": [\"new\"]}");
    let says = "made by a newer rasterscan: form 2; this version reads 1; update rasterscan";
    assert_eq!(newer.to_string(), says);
    assert!(matches!(newer, FileError::Newer(2)) && FORM == 1);
    for text in [
        "{\"schema\": \"rasterscan-trace\", \"form\": 1}",
        "{\"schema\": \"rasterscan-trace\", \"form\": 0}",
        "{\"schema\": \"rasterscan-trace\", \"form\": 1, \"alg",
    ] {
        assert!(matches!(error(text), FileError::Damaged(_)), "{text}: {}", error(text));
    }
    let invalid = Recording::from_json(&[b'{', 0xFF, 0xFE]).unwrap_err();
    assert!(matches!(invalid, FileError::NotJson(_)), "{invalid}");
}

/// The document of a recording with one value changed, and the resulting error.
#[track_caller]
fn refused(path: &str, to: Value) -> String {
    let mut document: Value = serde_json::from_slice(&made::everything().to_json().unwrap()).unwrap();
    let place = document.pointer_mut(path).unwrap_or_else(|| panic!("there is no {path}"));
    assert_ne!(*place, to, "{path} is that already");
    *place = to;
    match Recording::from_json(document.to_string().as_bytes()) {
        Err(FileError::Damaged(what)) => what,
        Err(other) => panic!("{path}: {other}"),
        Ok(_) => panic!("{path}: no error"),
    }
}

fn what_does_not_fit_together_is_refused_and_named() {
    for (path, to, says) in [
        ("/request/compact/len", json!(4), "input 0 has 5 f32; the request asks for 4"),
        ("/request/compact/len", json!(65537), "at most 65536"),
        (
            "/request/compact/keep",
            json!({"condition": {"element": "u64", "comparison": "less", "bits": 1}}),
            "condition",
        ),
        ("/request/compact/moves", json!("both"), "2 results; expected 3"),
        ("/inputs", json!([]), "0 inputs"),
        ("/inputs/0/stream", json!(6), "stream 6, but there are 6"),
        ("/inputs/0/values/words", json!([1, 2, 3]), "3 words of f32, but stream 0 has 5"),
        ("/inputs/0/values/element", json!("i32"), "of i32"),
        ("/outputs", json!([4]), "1 results"),
        ("/outputs/0", json!(6), "stream 6"),
        ("/streams/0/layout/width", json!(0), "stream 0 has 0 x"),
        ("/streams/0/layout/width", json!(1), "room for"),
        ("/streams/0/layout/height", json!(4294967295u32), "texels"),
        ("/streams/0/layout/len", json!(1u64 << 60), "room for"),
        ("/streams/0/layout/arity", json!(4294967295u32), "elements"),
        ("/streams/0/layout/items_per_texel", json!(0), "items"),
        ("/streams/0/layout/items_per_texel", json!(3), "texels of 3 words"),
        ("/streams/3/layout/width", json!(3), "buffer"),
        ("/passes/0/sources/0/stream", json!(9), "pass 0 names stream 9"),
        ("/passes/0/sources/1/first", json!(6), "begins to read at 6"),
        ("/passes/0/targets/0/stream", json!(9), "pass 0 names stream 9"),
        ("/passes/0/targets/0/values/words/4", json!(4294967296u64), "4294967296"),
        ("/passes/0/written", json!([]), "of 0 targets"),
        ("/passes/0/written/0", json!("1111"), "4 texels"),
        ("/passes/0/written/0", json!("111120"), "0 and 1"),
        ("/passes/0/cost/adds", json!(1u64 << 49), "cost"),
        ("/passes/0/work/draw/region/width", json!(100), "draws into"),
        ("/passes/0/targets", json!([]), "of 1 targets"),
        ("/passes/0/reads/0/count/0", json!(3), "counted"),
        ("/passes/0/reads/0/count/0", json!(4294967295u32), "counted"),
        ("/passes/0/reads/0/of/1", json!(2), "of its stream 2"),
        ("/passes/0/reads/0/index/1", json!(400), "item 400"),
        ("/passes/0/reads/0/by", json!("invocation"), "readers, but there were 0"),
        ("/passes/1/reads/0/index/0", json!(400), "item 400"),
        ("/passes/1/work/capture/primitives", json!({"points": 1}), "2 readers"),
        ("/passes/1/work/capture/primitives", json!({"points": 1u64 << 40}), "vertices"),
        ("/passes/2/drawn/places/0", json!(7), "counted"),
        ("/passes/3/work/dispatch/invocations", json!(0), "2 groups of 0"),
        ("/passes/3/work/dispatch/groups", json!(1u64 << 40), "groups"),
        ("/passes/3/work/dispatch/groups", json!(1), "one 5"),
        ("/passes/3/writes/of/0", json!(1), "writes item 0 of its stream 1"),
        ("/passes/3/shared/address/0", json!(4294967295u32), "shared memory"),
        ("/passes/3/shared/epoch/0", json!(4294967295u32), "shared memory"),
        ("/passes/3/shared/width", json!(5), "columns"),
        ("/passes/3/shared/width", json!(1u64 << 63), "columns"),
        ("/passes/3/shared/number", json!([0]), "columns"),
        ("/passes/3/shared/written/0", json!(2), "0 and 1"),
    ] {
        let what = refused(path, to.clone());
        assert!(what.contains(says), "{path} = {to}: {what}");
    }
}

/// A value in a document, by an index into each level.
fn place<'a>(value: &'a mut Value, steps: &mut impl Iterator<Item = usize>) -> &'a mut Value {
    let children = match &*value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    let Some(step) = steps.next().filter(|_| children > 0) else { return value };
    match value {
        Value::Array(items) => place(&mut items[step % children], steps),
        Value::Object(fields) => place(fields.values_mut().nth(step % children).unwrap(), steps),
        _ => unreachable!("it has children"),
    }
}

/// A different value.
fn change(value: &mut Value, how: usize) {
    const NUMBERS: [i64; 12] = [0, 1, 2, 3, 5, 7, -1, 255, 65_536, u32::MAX as i64, 1 << 32, i64::MAX];
    match (how, value) {
        (0..12, value) => *value = NUMBERS[how].into(),
        (12, value) => *value = Value::Null,
        (13, value) => *value = json!("u64"),
        (14, value) => *value = json!([]),
        (15, value) => *value = json!(true),
        (16, value) => *value = json!(-1.5e300),
        (17, Value::Array(items)) => drop(items.pop()),
        (18, Value::Array(items)) => items.extend(items.last().cloned()),
        (19, Value::Array(items)) => items.reverse(),
        (20, Value::Object(fields)) => drop(fields.keys().next().cloned().map(|key| fields.remove(&key))),
        (_, Value::Number(number)) => *number = (number.as_i64().unwrap_or(0) / 2).into(),
        (_, value) => *value = json!({"points": 3}),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// For any bytes.
    fn scratched_bytes_harm_nobody(
        scratches in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4usize), 1..4),
    ) {
        let mut bytes = made::everything().to_json().unwrap();
        for (index, byte, how) in scratches {
            let at = index.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                // Damage to digits is hard to detect.
                1 => bytes[at] = b'0' + byte % 10,
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(recording) = Recording::from_json(&bytes) {
            ask_everything(&recording);
        }
    }

    /// For any values.
    fn changed_values_harm_nobody(
        changes in prop::collection::vec((prop::collection::vec(any::<prop::sample::Index>(), 2..8), 0..24usize), 1..4),
    ) {
        let mut document: Value = serde_json::from_slice(&made::everything().to_json().unwrap()).unwrap();
        for (steps, how) in changes {
            let mut steps = steps.iter().map(|index| index.index(1 << 16));
            change(place(&mut document, &mut steps), how);
        }
        if let Ok(recording) = Recording::from_json(document.to_string().as_bytes()) {
            ask_everything(&recording);
        }
    }
}

/// Some changes are not errors: the results are then read completely.
fn a_sound_recording_answers_everything() {
    ask_everything(&made::everything());
    ask_everything(&made::drawn(&[f32::NAN, f32::INFINITY, -1.0, 0.5, 1e9, f32::MAX]));
    ask_everything(&made::scan_of(Numbers::of::<u32>(&[])));
}

crate::tests![
    every_kind_of_file_is_told_apart,
    what_does_not_fit_together_is_refused_and_named,
    scratched_bytes_harm_nobody,
    changed_values_harm_nobody,
    a_sound_recording_answers_everything,
];
