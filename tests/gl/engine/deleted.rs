//! Deleted objects that live on in the caller's context: a call binds them again, or refuses before it changes anything.

use std::num::NonZeroU32;
use std::rc::Rc;

use glow::HasContext;
use rasterscan::plan::{Rewrite, Shader};
use rasterscan::{Error, Gpu, Prepared, Stream};

use super::context::{Hostile, program};
use super::{numbers, plan, scan};
use crate::engine::foreign::{self, Foreign};

/// Deletes all objects that are bound, in their own context: that unbinds them, but for the program.
fn delete_all(gl: &glow::Context, has_storage: bool, has_feedback: bool, desktop: bool) {
    // SAFETY: the context is current, and the names exist in its API.
    unsafe {
        for unit in 0..16 {
            gl.active_texture(glow::TEXTURE0 + unit);
            let buffer = desktop.then_some(glow::TEXTURE_BINDING_BUFFER);
            for point in [glow::TEXTURE_BINDING_2D, glow::TEXTURE_BINDING_2D_ARRAY].into_iter().chain(buffer)
            {
                gl.delete_texture(gl.get_parameter_texture(point).unwrap());
            }
            gl.delete_sampler(gl.get_parameter_sampler(glow::SAMPLER_BINDING).unwrap());
        }
        let general = [
            glow::ARRAY_BUFFER_BINDING,
            glow::TRANSFORM_FEEDBACK_BUFFER_BINDING,
            glow::PIXEL_UNPACK_BUFFER_BINDING,
            glow::PIXEL_PACK_BUFFER_BINDING,
        ];
        let storage = has_storage.then_some(glow::SHADER_STORAGE_BUFFER_BINDING);
        for point in general.into_iter().chain(storage) {
            gl.delete_buffer(gl.get_parameter_buffer(point).unwrap());
        }
        for number in (0..8).filter(|_| has_storage) {
            let name = gl.get_parameter_indexed_i32(glow::SHADER_STORAGE_BUFFER_BINDING, number);
            if let Some(name) = NonZeroU32::new(name as u32) {
                gl.delete_buffer(glow::NativeBuffer(name));
            }
        }
        if has_feedback {
            gl.end_transform_feedback();
            let bound = gl.get_parameter_transform_feedback(glow::TRANSFORM_FEEDBACK_BINDING);
            gl.delete_transform_feedback(bound.unwrap());
        }
        for point in [glow::DRAW_FRAMEBUFFER_BINDING, glow::READ_FRAMEBUFFER_BINDING] {
            gl.delete_framebuffer(gl.get_parameter_framebuffer(point).unwrap());
        }
        gl.delete_renderbuffer(gl.get_parameter_renderbuffer(glow::RENDERBUFFER_BINDING).unwrap());
        gl.delete_vertex_array(gl.get_parameter_vertex_array(glow::VERTEX_ARRAY_BINDING).unwrap());
        assert_eq!(gl.get_error(), glow::NO_ERROR);
    }
}

fn a_host_may_delete_what_it_has_bound() {
    let mut hostile = Hostile::new();
    let desktop = hostile.device.api == rasterscan::Api::Gl;
    let has_feedback = !desktop || hostile.device.version >= (4, 0);
    delete_all(&hostile.foreign.gl, hostile.device.compute.is_some(), has_feedback, desktop);
    hostile.look_again();
    let gpu = hostile.gpu();
    for algorithm in super::algorithms(&gpu) {
        let (mut prepared, stream, expected) = scan(&gpu, algorithm, 5000);
        hostile.same("upload");
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
        hostile.same("run and read");
    }
    drop(gpu);
    hostile.same("all is dropped");
}

#[track_caller]
fn is_deleted<T>(result: Result<T, Error>, what: &str) {
    match result.err() {
        Some(Error::DeletedObject(object)) => assert_eq!(object, what),
        other => panic!("{what}: {other:?}"),
    }
}

/// A program that is deleted while it is current stays current: runs are refused, transfers are not.
fn a_deleted_program_stays_current() {
    let host = foreign::context();
    let (gl, gpu) = (&host.gl, host.gpu());
    let (mut prepared, stream, expected) = scan(&gpu, "packed", 700);
    // SAFETY: the context is current.
    unsafe {
        let theirs = program(gl, gpu.device());
        gl.use_program(Some(theirs));
        gl.delete_program(theirs);
        is_deleted(prepared.run(&stream), "a program");
        is_deleted(prepared.time_passes(&stream), "a program");
        is_deleted(prepared.trace(&stream), "a program");
        is_deleted(gpu.prepare(prepared.plan()), "a program");
        is_deleted(host.try_gpu(), "a program");
        let kept = prepared.new_outputs().unwrap();
        is_deleted(prepared.run_into([&stream], [&kept[0]]), "a program");
        assert_eq!(prepared.upload(&numbers(700)).unwrap().read::<u32>().unwrap(), numbers(700));
        stream.write(&numbers(700)).unwrap();
        assert_eq!(stream.read_later::<u32>().unwrap().wait().unwrap(), numbers(700));
        drop(kept);
        // It is as current as it was, and draws.
        assert_eq!(gl.get_parameter_program(glow::CURRENT_PROGRAM), Some(theirs));
        gl.bind_vertex_array(Some(gl.create_vertex_array().unwrap()));
        let target = gl.create_renderbuffer().unwrap();
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(target));
        gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, 1, 1);
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(gl.create_framebuffer().unwrap()));
        gl.framebuffer_renderbuffer(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::RENDERBUFFER,
            Some(target),
        );
        gl.viewport(0, 0, 1, 1);
        gl.draw_arrays(glow::POINTS, 0, 1);
        let mut pixel = [0; 4];
        let data = glow::PixelPackData::Slice(Some(&mut pixel));
        gl.read_pixels(0, 0, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, data);
        assert_eq!((pixel, gl.get_error()), ([255; 4], glow::NO_ERROR));
        gl.use_program(None);
        assert!(!gl.is_program(theirs));
    }
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
}

/// An object that contexts share.
#[derive(Clone, Copy)]
enum Shared {
    Texture(u32, u32),
    Sampler,
    Buffer(u32, u32),
    Numbered(u32, u32),
}

impl Shared {
    /// Makes one and binds it.
    fn bind(self, gl: &glow::Context) -> Box<dyn Fn(&glow::Context)> {
        // SAFETY: the context is current.
        unsafe {
            match self {
                Shared::Texture(target, _) => {
                    let texture = gl.create_texture().unwrap();
                    gl.bind_texture(target, Some(texture));
                    Box::new(move |gl| gl.delete_texture(texture))
                }
                Shared::Sampler => {
                    let sampler = gl.create_sampler().unwrap();
                    gl.bind_sampler(0, Some(sampler));
                    Box::new(move |gl| gl.delete_sampler(sampler))
                }
                Shared::Buffer(target, _) => {
                    let buffer = gl.create_buffer().unwrap();
                    gl.bind_buffer(target, Some(buffer));
                    Box::new(move |gl| gl.delete_buffer(buffer))
                }
                Shared::Numbered(target, number) => {
                    let buffer = gl.create_buffer().unwrap();
                    gl.bind_buffer_base(target, number, Some(buffer));
                    gl.bind_buffer(target, None);
                    Box::new(move |gl| gl.delete_buffer(buffer))
                }
            }
        }
    }

    fn unbind(self, gl: &glow::Context) {
        // SAFETY: the context is current.
        unsafe {
            match self {
                Shared::Texture(target, _) => gl.bind_texture(target, None),
                Shared::Sampler => gl.bind_sampler(0, None),
                Shared::Buffer(target, _) => gl.bind_buffer(target, None),
                Shared::Numbered(target, number) => gl.bind_buffer_base(target, number, None),
            }
        }
    }

    /// The name that is bound.
    fn bound(self, gl: &glow::Context) -> i32 {
        // SAFETY: the context is current.
        unsafe {
            match self {
                Shared::Texture(_, binding) | Shared::Buffer(_, binding) => gl.get_parameter_i32(binding),
                Shared::Sampler => gl.get_parameter_i32(glow::SAMPLER_BINDING),
                Shared::Numbered(glow::UNIFORM_BUFFER, n) => {
                    gl.get_parameter_indexed_i32(glow::UNIFORM_BUFFER_BINDING, n)
                }
                Shared::Numbered(_, n) => {
                    gl.get_parameter_indexed_i32(glow::SHADER_STORAGE_BUFFER_BINDING, n)
                }
            }
        }
    }

    /// Whether the driver still knows a name: NVIDIA's keeps that of a buffer that is bound somewhere.
    fn is_known(self, gl: &glow::Context, name: i32) -> bool {
        let name = NonZeroU32::new(name as u32).expect("a name");
        // SAFETY: the context is current.
        unsafe {
            match self {
                Shared::Texture(..) => gl.is_texture(glow::NativeTexture(name)),
                // A sampler is known by binding it.
                Shared::Sampler => false,
                Shared::Buffer(..) | Shared::Numbered(..) => gl.is_buffer(glow::NativeBuffer(name)),
            }
        }
    }

    fn what(self) -> &'static str {
        match self {
            Shared::Texture(..) => "a texture",
            Shared::Sampler => "a sampler",
            Shared::Buffer(..) | Shared::Numbered(..) => "a buffer",
        }
    }
}

/// Every kind of shared object that a call binds again.
fn shared_objects(gpu: &Gpu) -> Vec<Shared> {
    let mut all = vec![
        Shared::Texture(glow::TEXTURE_2D, glow::TEXTURE_BINDING_2D),
        Shared::Texture(glow::TEXTURE_2D_ARRAY, glow::TEXTURE_BINDING_2D_ARRAY),
        Shared::Sampler,
        Shared::Buffer(glow::ARRAY_BUFFER, glow::ARRAY_BUFFER_BINDING),
        Shared::Buffer(glow::PIXEL_UNPACK_BUFFER, glow::PIXEL_UNPACK_BUFFER_BINDING),
        Shared::Buffer(glow::PIXEL_PACK_BUFFER, glow::PIXEL_PACK_BUFFER_BINDING),
        Shared::Buffer(glow::TRANSFORM_FEEDBACK_BUFFER, glow::TRANSFORM_FEEDBACK_BUFFER_BINDING),
    ];
    if gpu.device().max_buffer_texels > 0 {
        all.push(Shared::Texture(glow::TEXTURE_BUFFER, glow::TEXTURE_BINDING_BUFFER));
    }
    if gpu.device().compute.is_some() {
        all.push(Shared::Buffer(glow::SHADER_STORAGE_BUFFER, glow::SHADER_STORAGE_BUFFER_BINDING));
        all.push(Shared::Buffer(glow::DISPATCH_INDIRECT_BUFFER, glow::DISPATCH_INDIRECT_BUFFER_BINDING));
        all.push(Shared::Buffer(glow::UNIFORM_BUFFER, glow::UNIFORM_BUFFER_BINDING));
        all.extend([0, 3].map(|number| Shared::Numbered(glow::SHADER_STORAGE_BUFFER, number)));
        all.push(Shared::Numbered(glow::UNIFORM_BUFFER, 0));
    }
    all
}

/// What another context has deleted stays bound in this one, and calls leave it there.
fn what_another_context_deletes_stays_bound() {
    let host = foreign::context();
    let other = host.sharing();
    host.make_current();
    let (gl, gpu) = (&*host.gl, host.gpu());
    let (mut prepared, stream, expected) = scan(&gpu, "packed", 700);
    let mut refused = 0;
    for object in shared_objects(&gpu) {
        let delete = object.bind(gl);
        let name = object.bound(gl);
        other.make_current();
        delete(&other.gl);
        host.make_current();
        assert!(name != 0 && object.bound(gl) == name, "{}", object.what());
        if object.is_known(gl, name) {
            // It can be bound again.
            assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{}", object.what());
        } else {
            // A run transfers nothing.
            if !matches!(object, Shared::Buffer(glow::PIXEL_UNPACK_BUFFER | glow::PIXEL_PACK_BUFFER, _)) {
                is_deleted(prepared.run(&stream), object.what());
            }
            // A transfer captures nothing.
            if !matches!(object, Shared::Buffer(glow::TRANSFORM_FEEDBACK_BUFFER, _)) {
                is_deleted(stream.write(&numbers(700)), object.what());
                is_deleted(stream.read::<u32>(), object.what());
            }
            is_deleted(host.try_gpu(), object.what());
            refused += 1;
        }
        // SAFETY: the context is current.
        let rest = unsafe { (gl.get_parameter_i32(glow::ACTIVE_TEXTURE), gl.get_error()) };
        assert_eq!(rest, (glow::TEXTURE0 as i32, glow::NO_ERROR), "{}", object.what());
        assert_eq!(object.bound(gl), name, "{}", object.what());
        object.unbind(gl);
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
    }
    assert!(refused >= 3, "{refused} objects were deleted");
    // No call changes this one.
    let kept = Shared::Buffer(glow::COPY_READ_BUFFER, glow::COPY_READ_BUFFER_BINDING);
    let delete = kept.bind(gl);
    let name = kept.bound(gl);
    other.make_current();
    delete(&other.gl);
    host.make_current();
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
    assert!(name != 0 && kept.bound(gl) == name);
    // A renderbuffer is bound only while a Gpu is made.
    // SAFETY: the contexts are current in turn.
    unsafe {
        let theirs = gl.create_renderbuffer().unwrap();
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(theirs));
        other.make_current();
        other.gl.delete_renderbuffer(theirs);
        host.make_current();
        is_deleted(host.try_gpu(), "a renderbuffer");
        assert_eq!(gl.get_parameter_renderbuffer(glow::RENDERBUFFER_BINDING), Some(theirs));
    }
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
}

fn made_in(host: &Foreign, gpu: &Gpu) -> (Prepared, Stream, Vec<u32>) {
    host.make_current();
    scan(gpu, "hybrid", 700)
}

/// Vertex arrays and framebuffers are not shared: in another context of the group, ours are its own or none.
fn a_context_that_shares_objects_is_another_one() {
    let host = foreign::context();
    let gpu = host.gpu();
    let other = host.sharing();
    let beside = other.gpu();
    let (mut prepared, stream, expected) = made_in(&host, &gpu);
    let dropped = made_in(&host, &gpu);
    let (mut kept, kept_stream, _) = made_in(&other, &beside);
    assert!(matches!(prepared.run(&stream).err(), Some(Error::NotCurrent)));
    assert!(matches!(gpu.finish(), Err(Error::NotCurrent)));
    drop(dropped);
    assert_eq!(kept.run(&kept_stream).unwrap().read::<u32>().unwrap(), expected);
    host.make_current();
    assert!(matches!(kept.run(&kept_stream).err(), Some(Error::NotCurrent)));
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
    // SAFETY: the context is current.
    assert_eq!(unsafe { host.gl.get_error() }, glow::NO_ERROR);
}

/// The current program, if there is one, has not been deleted.
fn not_deleted(gl: &glow::Context) {
    // SAFETY: the context is current.
    unsafe {
        if let Some(current) = gl.get_parameter_program(glow::CURRENT_PROGRAM) {
            assert_eq!(gl.get_program_parameter_i32(current, glow::DELETE_STATUS), 0, "deleted and current");
        }
    }
}

/// This crate leaves no deleted program current: a Gpu can be made in the context of another one.
fn a_headless_context_can_be_adopted() {
    let own = rasterscan_runner::own_gpu();
    let adopted = || {
        let gl = own.load_glow().unwrap().expect("functions of the crate's own context");
        not_deleted(&gl);
        // SAFETY: the functions are those of the context, which is current.
        let gpu = unsafe { Gpu::from_glow(Rc::new(gl)) }.unwrap();
        for algorithm in super::algorithms(&gpu) {
            let (mut prepared, stream, expected) = scan(&gpu, algorithm, 700);
            assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
        }
    };
    own.with_current(|_| adopted()).unwrap();
    // After a run, too.
    let (mut prepared, stream, _) = scan(&own, "horn", 700);
    prepared.run(&stream).unwrap();
    own.with_current(|_| adopted()).unwrap();
}

/// Programs of edited texts are deleted once there are many, the current one among them.
fn programs_that_are_dropped_are_not_current() {
    let own = rasterscan_runner::own_gpu();
    let spec = rasterscan::ScanSpec::new::<u32>(2);
    let rewrite = Rewrite { name: "same", apply: |text| Ok(text.into()) };
    for edit in 0..70 {
        let edited = plan("horn", &spec, &own).with_shaders(|shader: &Shader| {
            shader.with_source(format!("{}// {edit}\n", shader.source())).rewritten(rewrite)
        });
        let mut prepared = own.prepare(&edited).unwrap();
        own.with_current(not_deleted).unwrap();
        let stream = prepared.upload(&numbers(2)).unwrap();
        prepared.run(&stream).unwrap();
    }
}

/// OpenGL cannot suspend a query: a host's occlusion query counts our fragments, as the documentation says, and goes on.
fn an_occlusion_query_counts_runs() {
    let host = foreign::context();
    let (gl, gpu) = (&host.gl, host.gpu());
    let (mut prepared, stream, expected) = scan(&gpu, "horn", 700);
    // SAFETY: the context is current.
    unsafe {
        let query = gl.create_query().unwrap();
        gl.begin_query(glow::ANY_SAMPLES_PASSED, query);
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
        gl.end_query(glow::ANY_SAMPLES_PASSED);
        let passed = gl.get_query_parameter_u32(query, glow::QUERY_RESULT);
        assert_eq!((passed, gl.get_error()), (1, glow::NO_ERROR), "counted, and ended by the host");
    }
}

crate::tests![
    a_host_may_delete_what_it_has_bound,
    a_deleted_program_stays_current,
    what_another_context_deletes_stays_bound,
    a_context_that_shares_objects_is_another_one,
    a_headless_context_can_be_adopted,
    programs_that_are_dropped_are_not_current,
    an_occlusion_query_counts_runs,
];
