//! The caller's context: its state does not affect results, and is restored.

use glow::HasContext;
use glutin::context::PossiblyCurrentGlContext;
use rasterscan::compact;
use rasterscan::scan;
use rasterscan::{Api, CompactSpec, Device, Gpu, Moves, Operator, ScanSpec};
use rasterscan_runner::compaction::{Input, TestShape};
use rasterscan_runner::compaction::{compaction, execute, masked, shaped, upload};

use super::{COMPACTIONS, algorithms, numbers, plan};
use crate::engine::foreign::{self, Foreign};

/// The switches that the crate promises to restore. They are listed again here, so that a missing one is found.
const SWITCHES: [u32; 7] = [
    glow::SCISSOR_TEST,
    glow::BLEND,
    glow::DEPTH_TEST,
    glow::STENCIL_TEST,
    glow::CULL_FACE,
    glow::RASTERIZER_DISCARD,
    glow::SAMPLE_ALPHA_TO_COVERAGE,
];

fn desktop_switches(api: Api) -> &'static [u32] {
    const DESKTOP: [u32; 10] = [
        glow::COLOR_LOGIC_OP,
        glow::LINE_SMOOTH,
        glow::CLIP_DISTANCE0,
        glow::CLIP_DISTANCE1,
        glow::CLIP_DISTANCE2,
        glow::CLIP_DISTANCE3,
        glow::CLIP_DISTANCE4,
        glow::CLIP_DISTANCE5,
        glow::CLIP_DISTANCE6,
        glow::CLIP_DISTANCE7,
    ];
    if api == Api::Gl { &DESKTOP } else { &[] }
}

/// Returns true if transform feedback has objects of its own, which hold the numbered bindings.
fn has_feedback_objects(device: &Device) -> bool {
    device.api == Api::Gles || device.version >= (4, 0)
}

/// All state that the crate promises to restore, as numbers.
fn state(gl: &glow::Context, device: &Device) -> Vec<(String, Vec<i32>)> {
    let desktop = device.api == Api::Gl;
    let mut state = Vec::new();
    // SAFETY: the context is current, and the names exist in its API.
    unsafe {
        for (name, key, count) in [
            ("program", glow::CURRENT_PROGRAM, 1),
            ("vertex array", glow::VERTEX_ARRAY_BINDING, 1),
            ("array buffer", glow::ARRAY_BUFFER_BINDING, 1),
            ("feedback buffer", glow::TRANSFORM_FEEDBACK_BUFFER_BINDING, 1),
            ("draw framebuffer", glow::DRAW_FRAMEBUFFER_BINDING, 1),
            ("read framebuffer", glow::READ_FRAMEBUFFER_BINDING, 1),
            ("renderbuffer", glow::RENDERBUFFER_BINDING, 1),
            ("viewport", glow::VIEWPORT, 4),
            ("active texture", glow::ACTIVE_TEXTURE, 1),
            ("unpack buffer", glow::PIXEL_UNPACK_BUFFER_BINDING, 1),
            ("pack buffer", glow::PIXEL_PACK_BUFFER_BINDING, 1),
            ("unpack alignment", glow::UNPACK_ALIGNMENT, 1),
            ("unpack row length", glow::UNPACK_ROW_LENGTH, 1),
            ("unpack skip rows", glow::UNPACK_SKIP_ROWS, 1),
            ("unpack skip pixels", glow::UNPACK_SKIP_PIXELS, 1),
            ("unpack image height", glow::UNPACK_IMAGE_HEIGHT, 1),
            ("unpack skip images", glow::UNPACK_SKIP_IMAGES, 1),
            ("pack alignment", glow::PACK_ALIGNMENT, 1),
            ("pack row length", glow::PACK_ROW_LENGTH, 1),
            ("pack skip rows", glow::PACK_SKIP_ROWS, 1),
            ("pack skip pixels", glow::PACK_SKIP_PIXELS, 1),
        ]
        .into_iter()
        .chain(desktop.then_some(("unpack swap bytes", glow::UNPACK_SWAP_BYTES, 1)))
        .chain(desktop.then_some(("pack swap bytes", glow::PACK_SWAP_BYTES, 1)))
        .chain(has_feedback_objects(device).then_some((
            "feedback",
            glow::TRANSFORM_FEEDBACK_BINDING,
            1,
        ))) {
            let mut values = vec![0; 4];
            gl.get_parameter_i32_slice(key, &mut values);
            values.truncate(count);
            state.push((name.into(), values));
        }
        if device.compute.is_some() {
            let general = gl.get_parameter_i32(glow::SHADER_STORAGE_BUFFER_BINDING);
            state.push(("storage buffer".into(), vec![general]));
            let general = gl.get_parameter_i32(glow::UNIFORM_BUFFER_BINDING);
            let numbered = gl.get_parameter_indexed_i32(glow::UNIFORM_BUFFER_BINDING, 0);
            let part = [glow::UNIFORM_BUFFER_START, glow::UNIFORM_BUFFER_SIZE]
                .map(|name| gl.get_parameter_indexed_i64(name, 0) as i32);
            state.push(("uniform buffers".into(), vec![general, numbered, part[0], part[1]]));
            for number in 0..8 {
                let buffer = gl.get_parameter_indexed_i32(glow::SHADER_STORAGE_BUFFER_BINDING, number);
                let start = gl.get_parameter_indexed_i64(glow::SHADER_STORAGE_BUFFER_START, number);
                let size = gl.get_parameter_indexed_i64(glow::SHADER_STORAGE_BUFFER_SIZE, number);
                let part = vec![buffer, start as i32, size as i32];
                state.push((format!("storage buffer {number}"), part));
            }
        }
        if has_feedback_objects(device) {
            let buffers = [0, 1]
                .map(|index| gl.get_parameter_indexed_i32(glow::TRANSFORM_FEEDBACK_BUFFER_BINDING, index));
            state.push(("feedback buffers".into(), buffers.to_vec()));
            let capture = [glow::TRANSFORM_FEEDBACK_ACTIVE, glow::TRANSFORM_FEEDBACK_PAUSED]
                .map(|name| gl.get_parameter_i32(name));
            state.push(("capture".into(), capture.to_vec()));
        }
        state.push(("line width".into(), vec![gl.get_parameter_f32(glow::LINE_WIDTH).to_bits() as i32]));
        let mask: [bool; 4] = gl.get_parameter_bool_array(glow::COLOR_WRITEMASK);
        state.push(("colour mask".into(), mask.map(i32::from).to_vec()));
        let point_size = desktop.then_some(&glow::PROGRAM_POINT_SIZE);
        for switch in SWITCHES.iter().chain(desktop_switches(device.api)).chain(point_size) {
            state.push((format!("switch {switch:#x}"), vec![i32::from(gl.is_enabled(*switch))]));
        }
        if desktop {
            let mut mode = [0; 2];
            gl.get_parameter_i32_slice(glow::POLYGON_MODE, &mut mode);
            state.push(("polygon mode".into(), vec![mode[0]]));
        }
        let active = gl.get_parameter_i32(glow::ACTIVE_TEXTURE) as u32;
        for unit in 0..16 {
            gl.active_texture(glow::TEXTURE0 + unit);
            let texture = gl.get_parameter_i32(glow::TEXTURE_BINDING_2D);
            let sampler = gl.get_parameter_i32(glow::SAMPLER_BINDING);
            let array = gl.get_parameter_i32(glow::TEXTURE_BINDING_2D_ARRAY);
            state.push((format!("unit {unit}"), vec![texture, array, sampler]));
            if desktop {
                let buffer = gl.get_parameter_i32(glow::TEXTURE_BINDING_BUFFER);
                state.push((format!("buffer of unit {unit}"), vec![buffer]));
            }
        }
        gl.active_texture(active);
        assert_eq!(gl.get_error(), glow::NO_ERROR, "reading the state");
    }
    state
}

/// A program that draws.
pub(super) fn program(gl: &glow::Context, device: &Device) -> glow::Program {
    let version = if device.api == Api::Gl { "#version 330\n" } else { "#version 300 es\n" };
    let stages = [
        (glow::VERTEX_SHADER, "void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 1.0; }"),
        (glow::FRAGMENT_SHADER, "out mediump vec4 o_colour; void main() { o_colour = vec4(1.0); }"),
    ];
    // SAFETY: the context is current.
    unsafe {
        let program = gl.create_program().unwrap();
        for (kind, text) in stages {
            let shader = gl.create_shader(kind).unwrap();
            gl.shader_source(shader, &format!("{version}{text}"));
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.transform_feedback_varyings(program, &["gl_Position"], glow::SEPARATE_ATTRIBS);
        gl.link_program(program);
        assert!(gl.get_program_link_status(program), "{}", gl.get_program_info_log(program));
        program
    }
}

/// Puts a context into a state in which a careless draw, capture or transfer goes wrong.
fn make_hostile(foreign: &Foreign, device: &Device) {
    let gl = &foreign.gl;
    let desktop = device.api == Api::Gl;
    // SAFETY: the context is current; everything made here lives as long as the context.
    unsafe {
        for switch in SWITCHES.iter().chain(desktop_switches(device.api)) {
            gl.enable(*switch);
        }
        gl.scissor(1, 1, 2, 2);
        gl.depth_func(glow::NEVER);
        gl.cull_face(glow::FRONT_AND_BACK);
        gl.color_mask(false, true, false, true);
        gl.viewport(3, 4, 5, 6);
        gl.line_width(3.0);
        if desktop {
            gl.pixel_store_i32(glow::UNPACK_SWAP_BYTES, 1);
            gl.pixel_store_i32(glow::PACK_SWAP_BYTES, 1);
            gl.polygon_mode(glow::FRONT_AND_BACK, glow::LINE);
            foreign.point_size(5.0);
        }
        for (mode, value) in [
            (glow::UNPACK_ALIGNMENT, 8),
            (glow::UNPACK_ROW_LENGTH, 77),
            (glow::UNPACK_SKIP_ROWS, 2),
            (glow::UNPACK_SKIP_PIXELS, 3),
            (glow::UNPACK_IMAGE_HEIGHT, 55),
            (glow::UNPACK_SKIP_IMAGES, 1),
            (glow::PACK_ALIGNMENT, 8),
            (glow::PACK_ROW_LENGTH, 99),
            (glow::PACK_SKIP_ROWS, 1),
            (glow::PACK_SKIP_PIXELS, 5),
        ] {
            gl.pixel_store_i32(mode, value);
        }
        let framebuffers = [(); 2].map(|()| gl.create_framebuffer().unwrap());
        gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(framebuffers[0]));
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(framebuffers[1]));
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(gl.create_renderbuffer().unwrap()));
        if has_feedback_objects(device) {
            let feedback = gl.create_transform_feedback().unwrap();
            gl.bind_transform_feedback(glow::TRANSFORM_FEEDBACK, Some(feedback));
        }
        let buffer = |target: u32| {
            let buffer = gl.create_buffer().unwrap();
            gl.bind_buffer(target, Some(buffer));
            gl.buffer_data_size(target, 16, glow::STATIC_DRAW);
            buffer
        };
        for index in 0..2 {
            let captured = buffer(glow::TRANSFORM_FEEDBACK_BUFFER);
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index, Some(captured));
        }
        for target in [
            glow::TRANSFORM_FEEDBACK_BUFFER,
            glow::ARRAY_BUFFER,
            glow::PIXEL_UNPACK_BUFFER,
            glow::PIXEL_PACK_BUFFER,
        ] {
            buffer(target);
        }
        if let Some(compute) = &device.compute {
            // Parts of buffers, a whole one, and an empty binding.
            let place = compute.binding_alignment.max(16) as i32;
            for number in 0..8 {
                let stored = buffer(glow::SHADER_STORAGE_BUFFER);
                gl.buffer_data_size(glow::SHADER_STORAGE_BUFFER, 16 * place, glow::STATIC_DRAW);
                let (number, start) = (number as u32, number * place);
                match number {
                    3 => gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, number, Some(stored)),
                    5 => gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, number, None),
                    _ => {
                        let target = glow::SHADER_STORAGE_BUFFER;
                        gl.bind_buffer_range(target, number, Some(stored), start, place + 4 * start);
                    }
                }
            }
            buffer(glow::SHADER_STORAGE_BUFFER);
            let uniforms = buffer(glow::UNIFORM_BUFFER);
            gl.buffer_data_size(glow::UNIFORM_BUFFER, 1024, glow::STATIC_DRAW);
            gl.bind_buffer_range(glow::UNIFORM_BUFFER, 0, Some(uniforms), 256, 32);
            buffer(glow::UNIFORM_BUFFER);
        }
        gl.bind_vertex_array(Some(gl.create_vertex_array().unwrap()));
        for unit in 0..16 {
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_texture(glow::TEXTURE_2D, Some(gl.create_texture().unwrap()));
            gl.bind_texture(glow::TEXTURE_2D_ARRAY, Some(gl.create_texture().unwrap()));
            if desktop {
                gl.bind_texture(glow::TEXTURE_BUFFER, Some(gl.create_texture().unwrap()));
            }
            // A linear filter makes an integer texture incomplete: it reads as zero.
            let sampler = gl.create_sampler().unwrap();
            gl.sampler_parameter_i32(sampler, glow::TEXTURE_MIN_FILTER, glow::LINEAR as i32);
            gl.bind_sampler(unit, Some(sampler));
        }
        gl.active_texture(glow::TEXTURE5);
        gl.use_program(Some(program(gl, device)));
        if has_feedback_objects(device) {
            gl.begin_transform_feedback(glow::POINTS);
        }
        assert_eq!(gl.get_error(), glow::NO_ERROR, "making the state");
    }
}

/// A context in its worst state, with a check that the state is unchanged.
pub(super) struct Hostile {
    pub(super) foreign: Foreign,
    pub(super) device: Device,
    before: Vec<(String, Vec<i32>)>,
}

impl Hostile {
    pub(super) fn new() -> Hostile {
        let foreign = foreign::context();
        // The device is queried before any state is set.
        let device = foreign.gpu().device().clone();
        make_hostile(&foreign, &device);
        let before = state(&foreign.gl, &device);
        Hostile { foreign, device, before }
    }

    pub(super) fn gpu(&self) -> Gpu {
        let gpu = self.foreign.gpu();
        assert_eq!(*gpu.device(), self.device, "exact lines among them");
        self.same("setting up");
        gpu
    }

    /// Takes the present state for the one that is to stay.
    pub(super) fn look_again(&mut self) {
        self.before = state(&self.foreign.gl, &self.device);
    }

    pub(super) fn same(&self, after: &str) {
        assert_eq!(state(&self.foreign.gl, &self.device), self.before, "after {after}");
    }
}

/// In the worst context, results are right and all state is restored.
fn a_foreign_context_gets_its_state_back() {
    let hostile = Hostile::new();
    let gpu = hostile.gpu();
    let spec = ScanSpec::new::<u32>(5000).operator(Operator::AFFINE);
    let data = numbers(10_000);
    let expected = scan::sequential(&spec, &data).unwrap();
    for algorithm in algorithms(&gpu) {
        let mut prepared = gpu.prepare(&plan(algorithm, &spec, &gpu)).unwrap();
        hostile.same("prepare");
        let stream = prepared.upload(&data).unwrap();
        hostile.same("upload");
        let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
        hostile.same("run and read");
        assert_eq!(result, expected, "{algorithm}");
        let together = gpu.together(|| {
            let again = prepared.upload(&data)?;
            prepared.run(&again)?.read::<u32>()
        });
        hostile.same("calls together");
        assert_eq!(together.unwrap().unwrap(), expected, "{algorithm}");
        prepared.trace(&stream).unwrap();
        hostile.same("trace");
        prepared.time_passes(&stream).unwrap();
        hostile.same("time");
    }
    drop(gpu);
    hostile.same("all is dropped");
    assert!(hostile.foreign.context.is_current());
}

/// Each call is made while an error of the caller's waits to be read.
fn an_unread_error_fails_no_call() {
    let foreign = foreign::context();
    let gpu = foreign.gpu();
    // SAFETY: the context is current; there is no such switch.
    let leave = || unsafe { foreign.gl.enable(0) };
    let (spec, data) = (ScanSpec::new::<u32>(5000), numbers(5000));
    let expected = scan::sequential(&spec, &data).unwrap();
    for algorithm in algorithms(&gpu) {
        let plan = plan(algorithm, &spec, &gpu);
        leave();
        let mut prepared = gpu.prepare(&plan).unwrap();
        leave();
        let stream = prepared.upload(&data).unwrap();
        leave();
        let sums = prepared.run(&stream).unwrap();
        leave();
        assert_eq!(sums.read::<u32>().unwrap(), expected, "{algorithm}");
        leave();
        assert_eq!(sums.read_later::<u32>().unwrap().wait().unwrap(), expected, "{algorithm}");
        let mut later = sums.read_later::<u32>().unwrap();
        gpu.finish().unwrap();
        leave();
        assert_eq!(later.poll().unwrap().unwrap(), expected, "{algorithm}");
        let kept = gpu.check_error("calls of this test").unwrap_err().to_string();
        assert!(kept.contains("invalid enum") && kept.contains("before this crate's"), "{kept}");
        gpu.check_error("calls of this test").unwrap();
    }
}

fn compacts_in(hostile: &Hostile, algorithm: &str, spec: &CompactSpec, input: &Input<u32>) {
    let gpu = hostile.gpu();
    let Ok(plan) = compaction(algorithm).plan(spec, gpu.device()) else {
        return println!("not applicable: {algorithm}");
    };
    let Input { data, mask, .. } = input;
    let mut prepared = gpu.prepare(&plan.expect("a plan")).unwrap();
    hostile.same("prepare");
    let got = execute(&mut prepared, spec, data, mask).unwrap();
    hostile.same("upload, run and read");
    let expected = compact::sequential(spec, data, mask).unwrap();
    let verified = expected.verify(got.count, Some(&got.values), Some(&got.indices));
    verified.unwrap_or_else(|mismatch| panic!("{algorithm}: {mismatch}"));

    let streams = upload(&prepared, spec, data, mask).unwrap();
    let streams: Vec<_> = streams.iter().collect();
    hostile.same("upload");
    prepared.trace(&streams).unwrap();
    hostile.same("trace");
    prepared.time_passes(&streams).unwrap();
    hostile.same("time");
}

/// The same of compactions, which draw lines and points, capture, and read buffers.
fn a_foreign_context_gets_its_state_back_from_compactions() {
    let mut hostile = Hostile::new();
    let spec = CompactSpec::new::<u32>(5000).moves(Moves::Both);
    let input = shaped(5000, TestShape::Share(60));
    for algorithm in COMPACTIONS {
        compacts_in(&hostile, algorithm, &spec, &input);
        compacts_in(&hostile, algorithm, &spec.masked(), &masked(5000, TestShape::Runs));
    }
    hostile.same("all is dropped");
    if hostile.device.api == Api::Gl {
        // The one switch that the crate turns on is restored, whether it was on or off.
        // SAFETY: the context is current.
        unsafe { hostile.foreign.gl.enable(glow::PROGRAM_POINT_SIZE) };
        hostile.look_again();
        compacts_in(&hostile, "points", &spec, &input);
    }
}

crate::tests![
    a_foreign_context_gets_its_state_back,
    a_foreign_context_gets_its_state_back_from_compactions,
    an_unread_error_fails_no_call,
];
