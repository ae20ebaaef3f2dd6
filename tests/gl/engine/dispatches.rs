//! Dispatches through the engine: the buffers after each pass, parts of buffers, draws before and after, and refusals.

use rasterscan::plan::{
    Access, DispatchRecorder, ItemType, Lanes, Layout, Primitives, Shader, Slot, Uniform,
};
use rasterscan::{ElementType, Error, Gpu, Operator, Plan, ScanKind, ScanSpec};
use rasterscan_runner::data::{TestData, TestElement, input};
use rasterscan_runner::{kernels, scan::algorithms, scan::choice, scan::tiles};

use super::context::Hostile;

const ITEM: ItemType = ItemType { element: ElementType::U32, operator: Operator::ADD };

fn buffer(len: u64) -> Layout {
    Layout::buffer(ElementType::U32, 1, len)
}

/// A context with compute shaders; without them, prints so.
fn gpu() -> Option<Gpu> {
    let gpu = rasterscan_runner::gpu();
    if gpu.device().compute.is_none() {
        println!("not applicable: {} has no compute shaders", gpu.device().level());
        return None;
    }
    Some(gpu)
}

/// An earlier run leaves states behind, which must all be cleared.
fn states_are_cleared_in_each_run() {
    fn check<T: TestElement>(gpu: &Gpu, spec: &ScanSpec) -> usize {
        let mut passes = 0;
        for algorithm in algorithms().into_iter().chain(tiles()).filter(|name| name.contains("vectors=")) {
            let Ok(Some(plan)) = choice(algorithm).plan(spec, gpu.device()) else { continue };
            if !plan.passes().iter().any(|pass| pass.phase == "clear") {
                continue;
            }
            let data: Vec<T> = input(spec, TestData::Random);
            let mut prepared = gpu.prepare(&plan).unwrap();
            let stream = prepared.upload(&data).unwrap();
            prepared.run(&stream).unwrap();
            let trace = prepared.trace(&stream).unwrap();
            for step in trace.steps.iter().filter(|step| step.pass.phase == "clear") {
                let states = step.writes[0].values::<u64>().unwrap();
                assert_eq!(states.iter().position(|state| *state != 0), None, "{algorithm}: not cleared");
                passes += 1;
            }
        }
        passes
    }
    let Some(gpu) = gpu() else { return };
    let spec = ScanSpec::new::<u32>(1000).operator(Operator::AFFINE);
    let mut passes = check::<u32>(&gpu, &spec) + check::<u32>(&gpu, &spec.with_len(5));
    passes += check::<u32>(&gpu, &spec.order(2).kind(ScanKind::Exclusive));
    passes += check::<u64>(&gpu, &ScanSpec::new::<u64>(3 * 111).tuple(3).exclusive());
    // Here reduce_then_scan has a variant that takes both orders at once.
    passes += check::<u32>(&gpu, &ScanSpec::new::<u32>(2 * 1111).order(2).tuple(2).exclusive());
    println!("{passes} passes checked on {}", gpu.device().level());
    assert!(passes > 10);
}

/// Checked against another plan than its own, a recording is wrong from the first different pass on.
fn the_first_wrong_pass_is_named() {
    let Some(gpu) = gpu() else { return };
    let spec = ScanSpec::new::<u32>(1000);
    let data: Vec<u32> = input(&spec, TestData::Random);
    for (algorithm, wrong_pass, phase) in [
        ("three_phase:lanes=shared,group=64,vectors=1", 1, "scan"),
        ("reduce_then_scan:lanes=shared,group=64,vectors=1", 1, "reduce"),
        ("chained:lanes=shared,group=64,vectors=1", 2, "scan"),
    ] {
        let plan = choice(algorithm).plan(&spec, gpu.device()).unwrap().unwrap();
        let mut prepared = gpu.prepare(&plan).unwrap();
        let mut trace = prepared.trace(&prepared.upload(&data).unwrap()).unwrap();
        assert_eq!(kernels::first_wrong(&trace), None, "{algorithm}");
        // As if all passes had to compute the maximum.
        trace.plan = choice(algorithm).plan(&spec.operator(Operator::MAX), gpu.device()).unwrap().unwrap();
        let wrong = kernels::first_wrong(&trace).unwrap_or_else(|| panic!("{algorithm} is right\n{plan}"));
        assert!(wrong.starts_with(&format!("{wrong_pass} ({phase}, scan/")), "{algorithm}: {wrong}");
    }
}

const DOUBLE: &str = "
    #include \"common/group.glsl\"
    layout(local_size_x = GROUP) in;
    layout(std430, binding = SOURCE) readonly buffer Source { uint b_source[]; };
    layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };
    uniform int u_len;
    uniform int u_more;
    void main() {
        int at = group_index() * GROUP + int(gl_LocalInvocationIndex);
        if (at < u_len && at < b_target.length()) {
            b_target[at] = b_source[at] * 2u + uint(u_more);
        }
    }
";

/// GLSL of the tests themselves. An include is at the start of a line.
fn own(path: &'static str, text: &str) -> Shader {
    let text: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    Shader::new(path, text)
}

/// Doubles the values of a buffer, and adds `more`.
fn double<'p>(plan: &'p mut Plan, source: Slot, target: Slot, len: u64, more: i32) -> DispatchRecorder<'p> {
    let groups = len.div_ceil(32);
    plan.dispatch("double", own("own/double.comp", DOUBLE), Lanes::Serial, 32, groups)
        .bind("SOURCE", source, Access::Read)
        .bind("TARGET", target, Access::Write)
        .set("u_len", Uniform::Int(len as i32))
        .set("u_more", Uniform::Int(more))
}

/// A capture writes a buffer, a dispatch makes another from it, and a draw reads that as a texture.
fn draws_and_dispatches_in_one_plan() {
    let hostile = Hostile::new();
    let gpu = hostile.gpu();
    let device = gpu.device();
    if device.compute.is_none() || device.max_buffer_texels == 0 {
        return println!("not applicable: {}", device.level());
    }
    const LEN: u64 = 1000;
    let layout = Layout::fit(device, ElementType::U32, 1, 1, LEN, 2).unwrap();
    let mut plan = Plan::new("mixed", ITEM, layout);
    let source = plan.input();
    let [captured, doubled] = ["captured", "doubled"].map(|name| plan.slot(name, buffer(LEN)));
    let result = plan.slot("result", layout);
    let vertex = "
        #include \"common/stream.glsl\"
        uniform usampler2D u_source;
        uniform ivec4 u_source_shape;
        flat out uint v_value;
        void main() {
            int at = gl_VertexID;
            ivec2 place = ivec2(at % u_source_shape.x, at / u_source_shape.x);
            v_value = texelFetch(u_source, place, 0).x + 1u;
            gl_Position = vec4(0.0);
            gl_PointSize = 1.0;
        }
    ";
    plan.capture("capture", Primitives::Points(LEN), own("own/capture.vert", vertex))
        .read("u_source", source)
        .capture("v_value", captured);
    double(&mut plan, captured, doubled, LEN, 5);
    let fragment = "
        #include \"common/stream.glsl\"
        uniform usamplerBuffer u_values;
        uniform ivec4 u_target_shape;
        layout(location = 0) out uvec4 o_result;
        void main() {
            int at = index_of(ivec2(gl_FragCoord.xy), u_target_shape);
            o_result = uvec4(texelFetch(u_values, at).x * 3u, 0u, 0u, 0u);
        }
    ";
    plan.draw("draw", own("own/draw.frag", fragment)).read("u_values", doubled).write(result);
    let plan = plan.finish_with(vec![result, doubled]);
    let mut prepared = gpu.prepare(&plan).unwrap();
    hostile.same("prepare");
    let data: Vec<u32> = super::numbers(LEN as usize);
    let stream = prepared.upload(&data).unwrap();
    let expected = |more: u32, times: u32| -> Vec<u32> {
        let value = |x: &u32| x.wrapping_add(1).wrapping_mul(2).wrapping_add(more).wrapping_mul(times);
        data.iter().map(value).collect()
    };
    for _ in 0..3 {
        let outputs = prepared.run([&stream]).unwrap();
        assert_eq!(outputs.get("result").unwrap().read::<u32>().unwrap(), expected(5, 3));
        assert_eq!(outputs.get("doubled").unwrap().read::<u32>().unwrap(), expected(5, 1));
    }
    hostile.same("runs");
    let trace = prepared.trace(&stream).unwrap();
    assert_eq!(trace.steps[1].writes[0].values::<u32>().unwrap(), expected(5, 1));
    assert_eq!(trace.steps[2].writes[0].values::<u32>().unwrap(), expected(5, 3));
    hostile.same("trace");
}

/// A pass writes only its part of a buffer, and the part must begin where a binding may begin.
fn parts_of_buffers() {
    let Some(gpu) = gpu() else { return };
    let unit = u64::from(gpu.device().compute.as_ref().unwrap().binding_alignment.max(4)) / 4;
    let len = 4 * unit;
    let plan = |start: u64| {
        let mut plan = Plan::new("parts", ITEM, buffer(len));
        let (source, target) = (plan.input(), plan.slot("target", buffer(len)));
        double(&mut plan, source, target, len, 0);
        // For as many items as the buffer has, of which the pass sees only its part.
        plan.dispatch("double", own("own/double.comp", DOUBLE), Lanes::Serial, 32, len.div_ceil(32))
            .bind_part("SOURCE", source, Access::Read, 0..unit)
            .bind_part("TARGET", target, Access::Write, start..start + unit)
            .set("u_len", Uniform::Int(len as i32))
            .set("u_more", Uniform::Int(7));
        plan.finish(target)
    };
    let data: Vec<u32> = (0..len as u32).collect();
    for start in [0, unit, 2 * unit, 3 * unit] {
        let mut prepared = gpu.prepare(&plan(start)).unwrap();
        let stream = prepared.upload(&data).unwrap();
        let mut expected: Vec<u32> = data.iter().map(|x| 2 * x).collect();
        for at in 0..unit {
            expected[(start + at) as usize] = 2 * at as u32 + 7;
        }
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "part at {start}");
    }
    match gpu.prepare(&plan(unit / 2)) {
        _ if unit < 2 => println!("not applicable: every word may begin a binding"),
        Err(Error::Unsupported(reason)) => assert!(reason.to_string().contains("multiple of"), "{reason}"),
        other => panic!("{:?}", other.err()),
    }
}

/// OpenGL counts bytes of buffers in 64 bits. Shaders see a part of a long one from its first item on.
fn parts_beyond_31_bits() {
    let Some(gpu) = gpu() else { return };
    let compute = gpu.device().compute.as_ref().unwrap();
    let unit = u64::from(compute.binding_alignment.max(4)) / 4;
    let (first, len) = (1 << 29, 1000 * unit);
    assert!(4 * (first + len) <= compute.max_buffer, "the contexts of this crate make longer buffers");
    let mut plan = Plan::new("long", ITEM, buffer(len));
    let (source, long) = (plan.input(), plan.slot("long", buffer(first + len)));
    let target = plan.slot("target", buffer(len));
    let far = first..first + len;
    // Offsets that lose their highest bit would make the second pass overwrite the first one's results.
    let passes = [
        ([source, long], [0..len, far.clone()], 0),
        ([source, long], [0..len, 0..len], 9),
        ([long, target], [far, 0..len], 1),
    ];
    for ([from, to], [read, written], more) in passes {
        plan.dispatch("double", own("own/double.comp", DOUBLE), Lanes::Serial, 32, len.div_ceil(32))
            .bind_part("SOURCE", from, Access::Read, read)
            .bind_part("TARGET", to, Access::Write, written)
            .set("u_len", Uniform::Int(len as i32))
            .set("u_more", Uniform::Int(more));
    }
    let mut prepared = gpu.prepare(&plan.finish(target)).unwrap();
    let data: Vec<u32> = (0..len as u32).collect();
    let stream = prepared.upload(&data).unwrap();
    let expected: Vec<u32> = data.iter().map(|x| 4 * x + 1).collect();
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
}

/// `prepare` refuses what this device lacks.
fn plans_for_other_devices() {
    let Some(gpu) = gpu() else { return };
    let compute = gpu.device().compute.clone().unwrap();
    let refuses = |plan: &Plan, part: &str| match gpu.prepare(plan) {
        Err(Error::Unsupported(reason)) => assert!(reason.to_string().contains(part), "{reason}, not {part}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was prepared: {plan}"),
    };
    let with = |lanes: Lanes, invocations: u32| {
        let mut plan = Plan::new("other", ITEM, buffer(100));
        let (source, target) = (plan.input(), plan.slot("target", buffer(100)));
        plan.dispatch("double", own("own/double.comp", DOUBLE), lanes, invocations, 1)
            .bind("SOURCE", source, Access::Read)
            .bind("TARGET", target, Access::Write)
            .set("u_len", 100)
            .set("u_more", 0);
        plan.finish(target)
    };
    assert!(gpu.prepare(&with(Lanes::Serial, compute.max_invocations)).is_ok());
    refuses(&with(Lanes::Serial, compute.max_invocations + 1), "invocations");
    if compute.subgroup == 0 {
        refuses(&with(Lanes::Subgroup, 32), "subgroup");
    }
    if compute.warp == 0 {
        refuses(&with(Lanes::Warp, 32), "warp");
    }
    // At most eight buffers can be restored in a caller's context.
    let buffers = |count: usize| {
        const NAMES: [&str; 9] = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];
        let declared: String = NAMES[..count]
            .iter()
            .map(|n| format!("layout(std430, binding = {n}) buffer B{n} {{ uint b_{n}[]; }};\n"))
            .collect();
        let body: String = NAMES[1..count].iter().map(|n| format!("b_A[0] += b_{n}[0];\n")).collect();
        let text =
            format!("layout(local_size_x = GROUP) in;\n{declared}void main() {{\nb_A[0] = 0u;\n{body}}}\n");
        let mut plan = Plan::new("many", ITEM, buffer(4));
        let mut inputs = vec![plan.input()];
        inputs.extend((2..count).map(|_| plan.further_input("further", buffer(4))));
        let sum = plan.slot("sum", buffer(4));
        let mut pass = plan.dispatch("sum", Shader::new("own/sum.comp", text), Lanes::Serial, 1, 1);
        pass = pass.bind("A", sum, Access::Write);
        for (name, slot) in NAMES[1..].iter().zip(inputs) {
            pass = pass.bind(name, slot, Access::Read);
        }
        plan.finish(sum)
    };
    let mut prepared = gpu.prepare(&buffers(8)).unwrap();
    let streams: Vec<_> = (0..7).map(|n| prepared.upload_input(n, &[1u32 << n; 4]).unwrap()).collect();
    let sum = prepared.run(&streams.iter().collect::<Vec<_>>()).unwrap().first();
    assert_eq!(sum.read_first::<u32>(1).unwrap(), [0x7F]);
    refuses(&buffers(9), "binds 9 buffers");
    // More than one binding holds.
    if compute.max_binding < (1 << 31) - 16 {
        let items = compute.max_binding / 4;
        let mut plan = Plan::new("long", ITEM, buffer(4));
        let (source, target) = (plan.input(), plan.slot("target", buffer(items + 1)));
        double(&mut plan, source, target, 4, 0);
        refuses(&plan.finish(target), "bytes of a buffer");
    }
}

crate::tests![
    states_are_cleared_in_each_run,
    the_first_wrong_pass_is_named,
    draws_and_dispatches_in_one_plan,
    parts_of_buffers,
    parts_beyond_31_bits,
    plans_for_other_devices,
];
