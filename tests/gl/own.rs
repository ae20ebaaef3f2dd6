//! Operators and shaders made at run time: they run like the crate's own, and are freed with their last user.

use std::sync::{Arc, Weak};

use rasterscan::operator::Definition;
use rasterscan::plan::{ItemType, Layout, Shader};
use rasterscan::scan;
use rasterscan::tools::problem::{COMPACT, REDUCE, SCAN};
use rasterscan::tools::registry::{self, Card, Choice, Era};
use rasterscan::tools::shared::Text;
use rasterscan::tools::task::Task;
use rasterscan::{
    CompactSpec, Compacted, Element, ElementType, Error, Gpu, Operator, Plan, ReduceSpec, ScanKind, ScanSpec,
    tools::{Numbers, Request},
};

use rasterscan_runner::data::{TestData, TestElement, matrices, mix};
use rasterscan_runner::scan::{Runner, choice, in_tiles};

/// Pairs of a mark and a number: the highest number since the last mark. It does not commute.
fn highest_since<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
    let [before, number] = [left[1], right[1]];
    let mark = if right[0] != T::ZERO { right[0] } else { left[0] };
    [mark, if right[0] != T::ZERO || number > before { number } else { before }]
}

/// The twin of [`highest_since`], on words.
fn highest_since_in_words<T: Element>(left: &[u32], right: &[u32], result: &mut [u32]) {
    let item = |words: &[u32]| -> [T; 2] {
        let numbers: Vec<T> = bytemuck::pod_collect_to_vec(words);
        [numbers[0], numbers[1]]
    };
    result.copy_from_slice(bytemuck::cast_slice(&highest_since(item(left), item(right))));
}

fn highest_since_text(highest: &str) -> String {
    format!(
        "Item combine(Item left, Item right) {{\n    \
             bool marked = !element_equal(right.a, ELEMENT_ZERO);\n    \
             Element mark = marked ? right.a : left.a;\n    \
             return Item(mark, marked ? right.b : {highest}(left.b, right.b));\n\
         }}\n"
    )
}

fn highest_since_operator(glsl: impl Into<Text>, kept_alive: Arc<()>) -> Operator {
    let lowest = i64::MIN as u64;
    let definition = Definition::new(String::from("highest_since"), glsl)
        .identity(ElementType::I32, &[0, i32::MIN as u32])
        .identity(ElementType::F32, &[0, f32::NEG_INFINITY.to_bits()])
        .identity(ElementType::I64, &[0, 0, lowest as u32, (lowest >> 32) as u32])
        .twin(move |element, left, right, result| {
            let _ = &kept_alive;
            match element {
                ElementType::I32 => highest_since_in_words::<i32>(left, right, result),
                ElementType::I64 => highest_since_in_words::<i64>(left, right, result),
                ElementType::F32 => highest_since_in_words::<f32>(left, right, result),
                other => panic!("no identity on {other}"),
            }
        });
    Operator::new(definition).unwrap()
}

/// The bits in which two numbers agree. Its identity is all ones.
fn agreeing_operator() -> Operator {
    let body = "return element_xor(ELEMENT_ALL_BITS, element_xor(left, right));";
    let glsl = format!("Item combine(Item left, Item right) {{ {body} }}\n");
    let definition = Definition::new("agreeing", glsl)
        .identity(ElementType::U32, &[u32::MAX])
        .identity(ElementType::U64, &[u32::MAX, u32::MAX])
        .commutes(true)
        .twin(|_, left, right, result| {
            result.iter_mut().zip(left.iter().zip(right)).for_each(|(result, (l, r))| *result = !(l ^ r));
        });
    Operator::new(definition).unwrap()
}

/// The definition of a scan, without `sequential`: every prefix is folded on its own.
fn folded<T: Element>(
    spec: &ScanSpec,
    input: &[T],
    identity: [T; 2],
    combine: impl Fn([T; 2], [T; 2]) -> [T; 2],
) -> Vec<T> {
    let (arity, tuple) = (spec.operator.arity() as usize, spec.tuple as usize);
    let item = |numbers: &[T]| [numbers[0], numbers.get(1).copied().unwrap_or(T::ZERO)];
    let mut items: Vec<[T; 2]> = input.chunks_exact(arity).map(item).collect();
    for order in 1..=spec.order {
        let before = items.clone();
        let exclusive = order == spec.order && spec.kind == ScanKind::Exclusive;
        for (place, result) in items.iter_mut().enumerate() {
            let own = (place % tuple..place).step_by(tuple).chain((!exclusive).then_some(place));
            *result = own.map(|place| before[place]).fold(identity, &combine);
        }
    }
    items.iter().flat_map(|item| item[..arity].to_vec()).collect()
}

/// A number in eight is a mark.
fn marked_numbers<T: TestElement>(spec: &ScanSpec) -> Vec<T> {
    let number = |index| T::number(&Operator::ADD, TestData::Random, index);
    let mark = |index| if mix(3, index).is_multiple_of(8) { T::ONE } else { T::ZERO };
    (0..spec.elements()).map(|index| if index % 2 == 0 { mark(index) } else { number(index) }).collect()
}

const ALGORITHMS: [&str; 12] = [
    "horn",
    "hybrid:reduce=4",
    "blelloch",
    "packed",
    "packed:block=16",
    "harris:variant=naive,block=16",
    "capannini:pattern=cm,block=64",
    "three_phase:vectors=1",
    "reduce_then_scan:vectors=1",
    "chained:lanes=shared,group=8,vectors=1",
    "look_back:lanes=shared,group=8,vectors=1",
    "sam:vectors=1,groups=2",
];

/// Both kinds, alone, in tuples and of order 2; and a subset for compute shaders, which are slow to compile.
fn specs<T: Element>(operator: &Operator) -> Vec<(ScanSpec, bool)> {
    let plain = ScanSpec::new::<T>(300).operator(operator);
    let (tuple, order, both) = (plain.tuple(3), plain.order(2), plain.order(2).tuple(3));
    vec![
        (plain.exclusive(), true),
        (plain, false),
        (tuple.exclusive(), false),
        (tuple, true),
        (order.exclusive(), false),
        (order, false),
        (both.exclusive(), true),
        (both, false),
    ]
}

/// Runs a scan by every algorithm; the reference uses the operator's twin, and is itself checked against `expected`.
fn scans<T: TestElement>(runner: &mut Runner, spec: &ScanSpec, compute: bool, data: &[T], expected: &[T]) {
    let reference = scan::sequential(spec, data).unwrap();
    assert_eq!(reference, expected, "{spec}");
    for algorithm in ALGORITHMS {
        if compute || choice(algorithm).card.era != Era::Compute {
            runner.data(algorithm, spec, data, "an operator made at run time");
        }
    }
}

fn an_operator_of_a_string_scans() {
    let named = |card: &Card| ALGORITHMS.iter().any(|algorithm| algorithm.starts_with(card.name));
    assert!(registry::of(SCAN).all(|card| card.era == Era::Cpu || named(card)));

    let mut runner = Runner::new();
    fn highest<T: TestElement>(runner: &mut Runner, operator: &Operator, compute: &[ScanKind]) {
        for (spec, slow) in specs::<T>(operator) {
            let data = marked_numbers::<T>(&spec);
            let expected = folded(&spec, &data, [T::ZERO, T::LOWEST], highest_since);
            scans(runner, &spec, slow && compute.contains(&spec.kind), &data, &expected);
        }
    }
    let operator = highest_since_operator(highest_since_text("element_max"), Arc::default());
    highest::<i32>(&mut runner, &operator, &[ScanKind::Inclusive, ScanKind::Exclusive]);
    highest::<i64>(&mut runner, &operator, &[ScanKind::Inclusive]);

    let operator = agreeing_operator();
    for (spec, _) in specs::<u64>(&operator) {
        let data: Vec<u64> = (0..spec.len).map(|index| mix(5, index)).collect();
        let expected = folded(&spec, &data, [!0, 0], |left, right| [!(left[0] ^ right[0]), 0]);
        let plain = spec.order == 1 && spec.tuple == 1 && spec.kind == ScanKind::Inclusive;
        scans(&mut runner, &spec, plain, &data, &expected);
    }
    runner.finish("operators made at run time");
}

/// Without known rounding, results on floats are counted, not checked.
fn an_operator_of_a_string_on_floats_is_not_checked() {
    let gpu = rasterscan_runner::gpu();
    let operator = highest_since_operator(highest_since_text("element_max"), Arc::default());
    let spec = ScanSpec::new::<f32>(4).operator(&operator);
    let data = [0f32, 1.0, 0.0, 3.0, 1.0, 2.0, 0.0, 1.5];
    let result = run(&gpu, &choice("horn").plan(&spec, gpu.device()).unwrap().unwrap(), &data);
    assert_eq!(result, [0.0, 1.0, 0.0, 3.0, 1.0, 2.0, 1.0, 2.0]);
    let verified = scan::verify(&spec, 4, &data, &result).unwrap();
    assert_eq!((verified.compared, verified.unbounded), (0, 8));
}

fn run<T: Element>(gpu: &Gpu, plan: &Plan, data: &[T]) -> Vec<T> {
    let mut prepared = gpu.prepare(plan).unwrap();
    let stream = prepared.upload(data).unwrap();
    prepared.run(&stream).unwrap().read().unwrap()
}

/// Programs are told apart by text, not by name.
fn operators_of_one_name_are_two_programs() {
    let gpu = rasterscan_runner::gpu();
    let scan = |body: &str| {
        let glsl = format!("Item combine(Item left, Item right) {{ return {body}; }}\n");
        let operator = Definition::new("own", glsl).identity(ElementType::U32, &[0]);
        let spec = ScanSpec::new::<u32>(4).operator(Operator::new(operator).unwrap());
        run(&gpu, &choice("horn").plan(&spec, gpu.device()).unwrap().unwrap(), &[1u32, 2, 4, 3])
    };
    assert_eq!(scan("left + right"), [1, 3, 7, 10]);
    assert_eq!(scan("max(left, right)"), [1, 2, 4, 4]);
    assert_eq!(scan("left + right"), [1, 3, 7, 10]);
}

fn an_error_in_an_operator_names_its_line() {
    let gpu = rasterscan_runner::gpu();
    // The line that is named, and what is wrong there or before.
    let broken = [
        (4, "// A comment.\n\nItem combine(Item left, Item right) {\n    return nothing;\n}\n"),
        (2, "Item combine(Item left, Item right) {\n    return left +;\n}\n"),
        (3, "Item combine(Item left, Item right) {\n    if (true) {\n    return left;\n"),
        (1, "Item merge(Item left, Item right) { return left; }\n"),
        (1, "Item combine(Item left) { return left; }\n"),
        (1, "#define LEFT left"),
        (2, "Item combine(Item left, Item right) {\n    return oops(left);\n}\n\n"),
    ];
    for ((line, glsl), arity) in broken.iter().flat_map(|case| [(case, 1), (case, 2)]) {
        let operator = Definition::new("broken", *glsl).identity(ElementType::U32, &[0, 0][..arity]);
        let plain = ScanSpec::new::<u32>(100).operator(Operator::new(operator).unwrap());
        for spec in [plain.clone(), plain.segmented()] {
            for algorithm in ["horn", "look_back:lanes=shared,group=8,vectors=1"] {
                let Ok(plan) = choice(algorithm).plan(&spec, gpu.device()) else { continue };
                match gpu.prepare(&plan.unwrap()).err() {
                    Some(Error::Shader { log, shader }) => {
                        assert!(log.contains(&format!("operator broken:{line}: ")), "{glsl}: {log}");
                        assert!(!log.contains("glsl/"), "{glsl}: {log}");
                        assert_eq!(shader, "operator broken (u32)");
                    }
                    other => panic!("{glsl}: {other:?}"),
                }
            }
        }
    }
}

/// A name that only this shader has, and an operator must not: the message names the shader, with the operator.
fn a_name_that_a_shader_has_is_an_error_of_both() {
    let gpu = rasterscan_runner::gpu();
    let glsl = "uniform int u_source;\nItem combine(Item left, Item right) { return left + right; }\n";
    let operator = Definition::new("taken", glsl).identity(ElementType::U32, &[0]);
    let spec = ScanSpec::new::<u32>(100).operator(Operator::new(operator).unwrap());
    let plan = choice("horn").plan(&spec, gpu.device()).unwrap().unwrap();
    let error = gpu.prepare(&plan).expect_err("two uniforms of one name").to_string();
    assert!(error.contains("glsl/scan/horn/step.frag (u32 taken)"), "{error}");
}

/// A plan that adds to each number what an include says.
fn adding(gpu: &Gpu, shader: Shader) -> Plan {
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let layout = Layout::fit(gpu.device(), ElementType::U32, 1, 1, 100, 1).unwrap();
    let mut plan = Plan::new("adding", item, layout);
    let (input, slot) = (plan.input(), plan.slot("sums", layout));
    plan.draw("add", shader).read("u_source", input).write(slot);
    plan.finish(slot)
}

fn adding_text() -> String {
    let lines = [
        "#include \"common/item.glsl\"",
        "#include \"own/more.glsl\"",
        "uniform Sampler u_source;",
        "layout(location = 0) out Texel o_sum;",
        "void main() {",
        "    Item item = the_item(texelFetch(u_source, ivec2(gl_FragCoord.xy), 0));",
        "    o_sum = texel_of(combine(item, more()));",
        "}",
    ];
    lines.join("\n")
}

fn more_text(more: u32) -> String {
    format!("Item more() {{ return Item({more}u); }}\n")
}

fn a_shader_of_a_string_runs_in_a_plan() {
    let gpu = rasterscan_runner::gpu();
    let shader = Shader::new(String::from("own/adding.frag"), adding_text());
    let input: Vec<u32> = (0..100).collect();
    for more in [1, 70_000] {
        let plan = adding(&gpu, shader.with_include("own/more.glsl", more_text(more)));
        let expected: Vec<u32> = input.iter().map(|number| number + more).collect();
        assert_eq!(run(&gpu, &plan, &input), expected);
        // An include of another path changes nothing; one of the same path replaces it.
        let other = plan.with_shaders(|shader| match shader.path() {
            "own/adding.frag" => shader
                .with_include("own/other.glsl", String::new())
                .with_include("own/more.glsl", more_text(5)),
            _ => shader.clone(),
        });
        assert_eq!(run(&gpu, &other, &input)[..3], [5, 6, 7]);
    }
    let broken = shader.with_include("own/more.glsl", String::from("Item more() { return 1u }\n"));
    match gpu.prepare(&adding(&gpu, broken)).err() {
        Some(Error::Shader { log, .. }) => assert!(log.contains("glsl/own/more.glsl:1: "), "{log}"),
        other => panic!("{other:?}"),
    }
}

/// Only a plan, its prepared form, and the programs that the `Gpu` keeps hold the texts.
fn what_is_made_at_run_time_is_freed() {
    let gpu = rasterscan_runner::own_gpu();
    let (text, include): (Arc<str>, Arc<str>) = (adding_text().into(), more_text(3).into());
    let glsl: Arc<str> = highest_since_text("element_max").into();
    let in_twin = Arc::new(());
    let texts = [&text, &include, &glsl].map(Arc::downgrade);
    let twin = Arc::downgrade(&in_twin);
    let lives = || (texts.each_ref().map(|text| text.strong_count() > 0), twin.strong_count() > 0);

    let shader = Shader::new("own/adding.frag", text).with_include("own/more.glsl", include);
    let added = adding(&gpu, shader);
    let operator = highest_since_operator(glsl, in_twin);
    let spec = ScanSpec::new::<i32>(300).operator(operator);
    let scanned = choice("horn").plan(&spec, gpu.device()).unwrap().unwrap();
    let data = marked_numbers::<i32>(&spec);
    let result = run(&gpu, &scanned, &data);
    assert!(scan::verify(&spec, 300, &data, &result).is_ok());
    let prepared = gpu.prepare(&scanned).unwrap();
    assert_eq!(run(&gpu, &added, &[4u32; 100]), [7; 100]);
    assert_eq!(lives(), ([true; 3], true));

    drop((spec, scanned, added));
    assert_eq!(lives(), ([true; 3], true), "programs that were compiled are kept");
    drop((prepared, gpu));
    assert_eq!(lives(), ([false; 3], false));
    assert!(texts.iter().all(|text: &Weak<str>| text.upgrade().is_none()) && twin.upgrade().is_none());
}

/// The sum, the least and the greatest of numbers: items of three words, given as (x, x, x).
fn summary() -> Operator {
    let glsl = "Item combine(Item left, Item right) {
        Item both;
        both.e[0] = element_add(left.e[0], right.e[0]);
        both.e[1] = element_min(left.e[1], right.e[1]);
        both.e[2] = element_max(left.e[2], right.e[2]);
        return both;
    }";
    let definition = Definition::new("summary", glsl)
        .identity(ElementType::I32, &[0, i32::MAX as u32, i32::MIN as u32])
        .commutes(true)
        .twin(|_, left, right, result| {
            let [l, r] = [left, right].map(|words| [0, 1, 2].map(|i| words[i] as i32));
            let both = [l[0].wrapping_add(r[0]), l[1].min(r[1]), l[2].max(r[2])];
            result.copy_from_slice(&both.map(|word| word as u32));
        });
    Operator::new(definition).unwrap()
}

/// Maps of the four states of a machine to states, two bits for each: what a run of its inputs does. Composed, they tell
/// the state after every input.
fn machine() -> Operator {
    let glsl = "Item combine(Item left, Item right) {
        uint map = 0u;
        for (uint state = 0u; state < 4u; state++) {
            uint next = left >> (2u * state) & 3u;
            map |= (right >> (2u * next) & 3u) << (2u * state);
        }
        return map;
    }";
    let definition = Definition::new("machine", glsl).identity(ElementType::U32, &[0b11_10_01_00]).twin(
        |_, left, right, result| {
            let next = |map: u32, state: u32| map >> (2 * state) & 3;
            result[0] = (0..4).map(|state| next(right[0], next(left[0], state)) << (2 * state)).sum();
        },
    );
    Operator::new(definition).unwrap()
}

/// Runs an operator in every scan and reduction that can hold its items.
fn wide<T: TestElement>(operator: &Operator, input: impl Fn(u64) -> T) -> u32 {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::of(T::TYPE, 700).operator(operator);
    let data: Vec<T> = (0..spec.elements()).map(input).collect();
    let inputs = [Numbers::of(&data)];
    let bits = Numbers::from((0..22u32).map(|word| 1 << (3 * word % 32)).collect::<Vec<u32>>());
    let mut run = 0;
    let mut check = |card: &'static registry::Card, request: Request, inputs: &[Numbers]| {
        // Small tiles: their shaders compile in a tenth of the time.
        let text = if in_tiles(card) { format!("{}:vectors=1", card.name) } else { card.name.to_owned() };
        let choice = Choice::parse(card.problem, &text).unwrap();
        let plan = match choice.plan(&request, gpu.device()) {
            Ok(Some(plan)) => plan,
            Ok(None) => return,
            Err(Error::Unsupported(reason)) => {
                let reason = reason.to_string();
                let texel = card.name == "packed" && reason.contains("at most 4 words");
                let shared = reason.contains("shared memory");
                let lacks = card.supported(gpu.device()).is_err();
                assert!(
                    texel && operator.item_words(T::TYPE) > 3 || shared || lacks,
                    "{choice}, {request}: {reason}"
                );
                return;
            }
            Err(other) => panic!("{choice}, {request}: {other}"),
        };
        let task = Task::new(&request, inputs).unwrap();
        let mut ready =
            task.prepare(&gpu, &plan).unwrap_or_else(|error| panic!("{choice}, {request}: {error}"));
        let results = task.run(&mut ready).unwrap();
        let verified = task.verify(Some(plan.cost().depth), &results);
        verified.unwrap_or_else(|wrong| panic!("{choice}, {request}: {wrong}\n{plan}"));
        run += 1;
    };
    for card in registry::of(SCAN) {
        check(card, Request::from(&spec), &inputs);
        check(card, Request::from(&spec.segmented().exclusive()), &[inputs[0].clone(), bits.clone()]);
    }
    for card in registry::of(REDUCE) {
        check(card, Request::from(&ReduceSpec::of(T::TYPE, 700).operator(operator)), &inputs);
    }
    run
}

fn items_of_one_to_sixteen_words_are_combined() {
    let compute = rasterscan_runner::gpu().device().compute.is_some();
    let small = |i: u64| (mix(9, i) % 4) as u32;
    let of_buffers = if compute { 10 } else { 0 };
    // Textures: three scans with and without segments, and a reduction; packed ones too of the machine.
    for (operator, of_textures) in [(matrices(2), 9), (matrices(4), 7), (machine(), 10)] {
        let run = wide::<u32>(&operator, small);
        assert!(run >= of_textures + of_buffers, "{operator}: {run} runs");
    }
    assert!(wide::<u64>(&matrices(2), |i| mix(9, i)) >= 7 + of_buffers);
    assert!(wide::<i32>(&summary(), |i| (mix(9, i / 3) % 1000) as i32 - 500) >= 8);
}

/// The larger float with its number, or the first of equal ones: two words.
fn best() -> Operator {
    let glsl = "Item combine(Item left, Item right) {
        bool later = right.value > left.value || (right.value == left.value && right.number < left.number);
        if (later) {
            return right;
        }
        return left;
    }";
    let lowest = f32::NEG_INFINITY.to_bits();
    let definition = Definition::new("best", glsl)
        .members(&[("value", ElementType::F32, &[lowest]), ("number", ElementType::U32, &[u32::MAX])])
        .twin(|_, left, right, result| {
            let [l, r] = [left, right].map(|words| (f32::from_bits(words[0]), words[1]));
            let later = r.0 > l.0 || r.0 == l.0 && r.1 < l.1;
            result.copy_from_slice(if later { right } else { left });
        });
    Operator::new(definition).unwrap()
}

/// A maximum, a minimum, a count and a long sum, each of its own type: five words, which take two planes of a texture. The
/// last marked item begins anew, so that it does not commute.
fn several() -> Operator {
    let glsl = "Item combine(Item left, Item right) {
        uint low = left.total.x + right.total.x;
        uint carry = uint(low < left.total.x);
        Item both;
        both.most = right.most > left.most ? right.most : left.most;
        both.least = min(left.least, right.least);
        both.last = right.last != 0u ? right.last : left.last;
        both.total = uvec2(low, left.total.y + right.total.y + carry);
        return both;
    }";
    let definition = Definition::new("several", glsl)
        .members(&[
            ("most", ElementType::F32, &[f32::NEG_INFINITY.to_bits()]),
            ("least", ElementType::I32, &[i32::MAX as u32]),
            ("last", ElementType::U32, &[0]),
            ("total", ElementType::I64, &[0, 0]),
        ])
        .twin(|_, l, r, result| {
            let most = f32::from_bits(l[0]).max(f32::from_bits(r[0]));
            let [a, b] = [l, r].map(|words| u64::from(words[3]) | u64::from(words[4]) << 32);
            let total = a.wrapping_add(b);
            let least = (l[1] as i32).min(r[1] as i32);
            let last = if r[2] != 0 { r[2] } else { l[2] };
            result.copy_from_slice(&[most.to_bits(), least as u32, last, total as u32, (total >> 32) as u32]);
        });
    Operator::new(definition).unwrap()
}

/// Items of floats and integers at once, by every algorithm: bit by bit, since nothing here is rounded.
fn items_of_several_types_are_combined() {
    let gpu = rasterscan_runner::gpu();
    let signed = |i: u64, most: u64| (mix(3, i) % most) as i32 - (most / 2) as i32;
    let of_best = |i: u64| [(signed(i, 40) as f32 * 0.5).to_bits(), i as u32];
    let of_several = |i: u64| {
        let total = mix(7, i) as i64;
        let marked = if mix(5, i).is_multiple_of(4) { i as u32 } else { 0 };
        [
            (signed(i, 1000) as f32).to_bits(),
            signed(i + 1, 1000) as u32,
            marked,
            total as u32,
            (total >> 32) as u32,
        ]
    };
    let mut run = 0;
    for (operator, len) in
        [best(), several()].into_iter().flat_map(|operator| [(operator.clone(), 1), (operator, 700)])
    {
        let words: Vec<u32> = match operator.arity() {
            2 => (0..len).flat_map(of_best).collect(),
            _ => (0..len).flat_map(of_several).collect(),
        };
        let spec = ScanSpec::of(ElementType::U32, len).operator(&operator);
        let flags = Numbers::from(vec![0x0100_0081u32; len.div_ceil(32) as usize]);
        let requests = [
            (Request::from(&spec), None),
            (Request::from(&spec.exclusive().segmented()), Some(flags)),
            (Request::from(&ReduceSpec::of(ElementType::U32, len).operator(&operator)), None),
        ];
        for (request, flags) in requests {
            let inputs = [Some(Numbers::of(&words)), flags].into_iter().flatten();
            let task = Task::new(&request, inputs).unwrap();
            let expected = task.solve().unwrap();
            for card in registry::of(request.problem()) {
                // Small tiles: their shaders compile in a tenth of the time.
                let text =
                    if in_tiles(card) { format!("{}:vectors=1", card.name) } else { card.name.to_owned() };
                let plan = match choice_of(card.problem, &text).plan(&request, gpu.device()) {
                    Ok(Some(plan)) => plan,
                    Ok(None) | Err(Error::Unsupported(_)) => continue,
                    Err(other) => panic!("{}, {request}: {other}", card.name),
                };
                let mut ready =
                    task.prepare(&gpu, &plan).unwrap_or_else(|error| panic!("{}: {error}", card.name));
                let got = task.run(&mut ready).unwrap();
                got.same(&expected)
                    .unwrap_or_else(|mismatch| panic!("{}, {request}: {mismatch}\n{plan}", card.name));
                // Another order of evaluation could round otherwise.
                let verified = task.verify(Some(plan.cost().depth), &got).unwrap();
                assert!(verified.compared == 0 && verified.unbounded > 0, "{}, {request}", card.name);
                run += 1;
            }
        }
    }
    assert!(run >= 34, "{run} runs");
}

fn members_that_make_no_item_are_refused() {
    let refused = |members: &[(&str, ElementType, &[u32])]| {
        Operator::new(Definition::new("own", "").members(members)).unwrap_err().to_string()
    };
    let one: &[u32] = &[0];
    assert!(refused(&[("a", ElementType::U64, one)]).contains("\"a\" of u64 has 1 words; expected 2"));
    assert!(
        refused(&[("a", ElementType::U32, one), ("a", ElementType::F32, one)]).contains("a name of its own")
    );
    assert!(refused(&[("a b", ElementType::U32, one)]).contains("\"a b\""));
    assert!(refused(&[]).contains("has 0 words"));
    assert!(refused(&[("a", ElementType::U32, one); 1].repeat(17)).contains("a name of its own"));
    let new = |definition| Operator::new(definition).unwrap();
    let own =
        || Definition::new("own", "").members(&[("a", ElementType::U32, one), ("b", ElementType::F32, one)]);
    let pair = || Definition::new("own", "").identity(ElementType::U32, &[0, 0]);
    assert!(new(own()) == new(own()) && new(own()) != new(pair()));
    assert_eq!(new(own().identity(ElementType::U32, &[0, 0])), new(pair()));
}

/// Every compaction takes any predicate: here the primes.
fn a_condition_of_the_callers_keeps_what_it_says() {
    let gpu = rasterscan_runner::gpu();
    let prime = "bool is_kept(Element value) {
        if (value < 2u) {
            return false;
        }
        for (uint d = 2u; d * d <= value; d++) {
            if (value % d == 0u) {
                return false;
            }
        }
        return true;
    }";
    let data: Vec<u32> = (0..900).map(|i| (mix(2, i) % 1000) as u32).collect();
    let is_prime = |n: &u32| *n > 1 && (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let expected: Vec<u32> = data.iter().copied().filter(is_prime).collect();
    let mut run = 0;
    for card in registry::of(COMPACT) {
        let plan = match card.with_defaults().plan(&CompactSpec::new::<u32>(data.len()), gpu.device()) {
            Ok(Some(plan)) => plan.with_condition("prime", prime),
            Ok(None) | Err(Error::Unsupported(_)) => continue,
            Err(other) => panic!("{}: {other}", card.name),
        };
        let mut prepared = gpu.prepare(&plan).unwrap_or_else(|error| panic!("{}: {error}", card.name));
        let input = prepared.upload(&data).unwrap();
        let kept = Compacted::try_from(prepared.run([&input]).unwrap()).unwrap();
        assert_eq!(kept.read_values::<u32>().unwrap(), expected, "{}", card.name);
        run += 1;
    }
    assert!(run >= 6, "{run} runs");
    let plan = choice_of(COMPACT, "packed").plan(&CompactSpec::new::<u32>(9), gpu.device()).unwrap().unwrap();
    let broken = plan.with_condition("broken", "bool is_kept(Element value) {\n    return value > ;\n}");
    match gpu.prepare(&broken).err() {
        Some(Error::Shader { log, .. }) => assert!(log.contains("glsl/condition broken:2"), "{log}"),
        other => panic!("{other:?}"),
    }
}

fn choice_of(problem: &rasterscan::tools::Problem, text: &str) -> Choice {
    Choice::parse(problem, text).unwrap()
}

crate::tests![
    a_condition_of_the_callers_keeps_what_it_says,
    items_of_one_to_sixteen_words_are_combined,
    items_of_several_types_are_combined,
    members_that_make_no_item_are_refused,
    an_operator_of_a_string_scans,
    an_operator_of_a_string_on_floats_is_not_checked,
    operators_of_one_name_are_two_programs,
    an_error_in_an_operator_names_its_line,
    a_name_that_a_shader_has_is_an_error_of_both,
    a_shader_of_a_string_runs_in_a_plan,
    what_is_made_at_run_time_is_freed,
];
