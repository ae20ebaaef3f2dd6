//! Sorts splats by depth in every frame, and draws them from the result, which never leaves the GPU.
//!
//! A splat is a soft disc, mixed with what is behind it, so the farthest one must be drawn first. The positions are the
//! caller's. One plan computes the keys from them, by a map with the camera as uniforms, and sorts their indices. Keys are
//! read more than once, so the map is a pass that stores them. Its 16 bits need half the passes that a float's 32 need.
//!
//! A sort by fragments takes the positions from a texture and leaves the indices in one, from which vertex n fetches its splat.
//! A sort by compute shaders takes them from the buffer of vertices and leaves a buffer of elements. Positions that lie in the
//! other one would be moved first, which can take longer than the sort.
//!
//!     cargo run --features headless --example 13_depth_sort -- 1000000 splats.ppm

use std::error::Error;
use std::rc::Rc;
use std::time::Instant;

use glow::HasContext;
use rasterscan::plan::{Layout, Map, Storage, Uniform};
use rasterscan::{Device, ElementType, Gpu, Moves, Plan, SortSpec, Stream};

const FRAMES: u32 = 8;
const SIDE: i32 = 512;
/// Distances from the eye: of the middle of the scene, of what is nearest, and of what is farthest.
const MIDDLE: f32 = 4.0;
const NEAR: f32 = 2.0;
const FAR: f32 = 6.0;
const KEYS: f32 = 65535.0;

/// The farthest depth has the lowest key.
const KEY: &str = "
uniform float u_x;
uniform float u_z;
uniform float u_farthest;
uniform float u_scale;

void map(uint from[FROM], int index, out uint to[TO]) {
    float depth = uintBitsToFloat(from[0]) * u_x + uintBitsToFloat(from[2]) * u_z;
    to[0] = uint(clamp((u_farthest - depth) * u_scale, 0.0, 65535.0));
}";

/// A plan from splats to the order in which they are drawn.
fn order(gpu: &Gpu, count: usize) -> Result<Plan, rasterscan::Error> {
    let sort = gpu.plan_auto(&SortSpec::new::<u32>(count).moves(Moves::Indices).bits(0..16))?;
    let keys = *sort.layout(sort.input());
    let splats = match keys.storage {
        Storage::Texture => Layout::fit(gpu.device(), ElementType::F32, 4, 1, keys.len, 1)?,
        Storage::Buffer => Layout::buffer(ElementType::F32, 4, keys.len),
    };
    let mut plan = Plan::new("depth sort", sort.item().clone(), splats);
    let key = Map::new(KEY)
        .set("u_x", Uniform::Float(0.0))
        .set("u_z", Uniform::Float(1.0))
        .set("u_farthest", Uniform::Float(FAR - MIDDLE))
        .set("u_scale", Uniform::Float(KEYS / (FAR - NEAR)));
    let keys = plan.map(plan.input(), "key", key, keys)?;
    let order = plan.append_plan(&sort, &[keys])?;
    Ok(plan.finish_with(order))
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> =
        if cfg!(test) { vec!["20000".into()] } else { std::env::args().skip(1).collect() };
    let count = arguments.first().map_or(Ok(1_000_000), |count| count.parse())?;
    // Stands in for your window, as in examples/03_shared_context.rs.
    let window = Gpu::headless()?;
    let gl = window.load_glow()?.ok_or("no functions")?;
    let pixels = window.with_current(|_| frames(&Rc::new(gl), count))??;
    if let Some(path) = arguments.get(1) {
        let header = format!("P6 {SIDE} {SIDE} 255\n").into_bytes();
        let colours = pixels.chunks(4).flat_map(|pixel| pixel[..3].to_vec());
        std::fs::write(path, header.into_iter().chain(colours).collect::<Vec<u8>>())?;
    }
    Ok(())
}

/// Draws frames of so many splats. Returns the pixels of the last one.
fn frames(gl: &Rc<glow::Context>, count: usize) -> Result<Vec<u8>, Box<dyn Error>> {
    // SAFETY: the functions were loaded for the context, which is current.
    let gpu = unsafe { Gpu::from_glow(Rc::clone(gl)) }?;
    let scene = scene(count);
    let mut sort = gpu.prepare(&order(&gpu, count)?)?;
    let layout = *sort.plan().layout(sort.plan().input());
    let picture = YourPicture::new(gl, gpu.device(), &scene, &layout, sort.plan())?;
    // SAFETY: both are of this context, and are never deleted.
    let splats = match picture.splats {
        Splats::Texture(texture) => unsafe { gpu.wrap_texture(texture, &layout) }?,
        Splats::Buffer(buffer) => unsafe { gpu.wrap_buffer(buffer, &layout) }?,
    };

    let start = Instant::now();
    for frame in 0..FRAMES {
        let [x, z] = camera(frame);
        sort.set("u_x", x)?;
        sort.set("u_z", z)?;
        picture.draw(sort.run(&splats)?, [x, z], count as i32);
    }
    gpu.finish()?;
    let passes = sort.plan().passes().len();
    println!(
        "{FRAMES} frames of {count} splats on {}, {passes} passes each: {:?}",
        gpu.device(),
        start.elapsed()
    );

    // The only readbacks: the order of the last frame, and its pixels.
    let order: Vec<u32> = sort.run(&splats)?.read()?;
    let [x, z] = camera(FRAMES - 1);
    let depth = |splat: &[f32; 4]| splat[0] * x + splat[2] * z;
    let mut expected: Vec<f32> = scene.iter().map(depth).collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    for (place, index) in order.iter().enumerate() {
        // Depths of one key differ by less than a step, in either order.
        let off = (depth(&scene[*index as usize]) - expected[place]).abs();
        assert!(off < 1.1 * (FAR - NEAR) / KEYS, "place {place}: splat {index} is {off} off");
    }
    let mut is_drawn = vec![false; count];
    order.iter().for_each(|index| is_drawn[*index as usize] = true);
    assert!(is_drawn.iter().all(|drawn| *drawn));
    picture.read()
}

/// The direction of view, in the plane of x and z.
fn camera(frame: u32) -> [f32; 2] {
    let angle = 0.3 + frame as f32 * 0.1;
    [angle.sin(), angle.cos()]
}

/// Three rings, each through the next one: x, y, z and the number of the ring.
fn scene(count: usize) -> Vec<[f32; 4]> {
    let number = |index: usize, salt: u32| {
        let mixed = (index as u32 ^ salt << 24).wrapping_mul(2_654_435_761);
        let mixed = (mixed ^ mixed >> 15).wrapping_mul(2_246_822_519);
        (mixed ^ mixed >> 13) as f32 / 2f32.powi(32)
    };
    let splat = |index: usize| {
        let ring = index % 3;
        let [along, around] = [1, 2].map(|salt| number(index, salt) * std::f32::consts::TAU);
        let thickness = 0.2 * number(index, 3).sqrt();
        let from_axis = 0.9 + thickness * around.cos();
        let place = [from_axis * along.cos() + 0.45, from_axis * along.sin(), thickness * around.sin()];
        let [x, y, z] = [0, 1, 2].map(|axis| place[(axis + ring) % 3]);
        [x, y, z, ring as f32]
    };
    (0..count).map(splat).collect()
}

/// The caller's own drawing, and its splats.
struct YourPicture {
    gl: Rc<glow::Context>,
    program: glow::Program,
    vertices: glow::VertexArray,
    framebuffer: glow::Framebuffer,
    splats: Splats,
}

#[derive(Clone, Copy)]
enum Splats {
    Texture(glow::Texture),
    Buffer(glow::Buffer),
}

const VERTEX: &str = "
uniform vec2 u_camera;
out vec3 v_colour;

#if IN_TEXTURES
uniform highp sampler2D u_splats;
uniform highp usampler2D u_order;
uniform ivec3 u_shape; // columns of splats, columns of the order, indices in a texel of it

vec4 splat() { // a vertex is a place of the order
    int texel = gl_VertexID / u_shape.z;
    uvec4 indices = texelFetch(u_order, ivec2(texel % u_shape.y, texel / u_shape.y), 0);
    int number = int(indices[gl_VertexID % u_shape.z]);
    return texelFetch(u_splats, ivec2(number % u_shape.x, number / u_shape.x), 0);
}
#else
layout(location = 0) in vec4 a_splat;

vec4 splat() { // elements are the order
    return a_splat;
}
#endif

void main() {
    vec4 place = splat();
    float depth = MIDDLE + dot(place.xz, u_camera);
    float right = dot(place.xz, vec2(u_camera.y, -u_camera.x));
    gl_Position = vec4(2.2 * right, 2.2 * place.y, 0.0, depth);
    gl_PointSize = 16.0 / depth;
    vec3 colour = place.w < 0.5 ? vec3(0.9, 0.3, 0.2) : place.w < 1.5 ? vec3(0.2, 0.7, 0.3) : vec3(0.2, 0.4, 0.9);
    v_colour = colour * clamp(1.7 - 0.3 * depth, 0.1, 1.0);
}";

const FRAGMENT: &str = "
in vec3 v_colour;
layout(location = 0) out vec4 o_colour;

void main() {
    vec2 from_middle = gl_PointCoord * 2.0 - 1.0;
    o_colour = vec4(v_colour, 0.6 * exp(-3.0 * dot(from_middle, from_middle)));
}";

impl YourPicture {
    fn new(
        gl: &Rc<glow::Context>,
        device: &Device,
        scene: &[[f32; 4]],
        layout: &Layout,
        sort: &Plan,
    ) -> Result<YourPicture, Box<dyn Error>> {
        let is_gles = gl.version().is_embedded;
        let head = if is_gles { "#version 300 es\nprecision highp float;" } else { "#version 330 core" };
        let in_textures = layout.storage == Storage::Texture;
        let head =
            format!("{head}\n#define MIDDLE {MIDDLE:?}\n#define IN_TEXTURES {}\n", i32::from(in_textures));
        let mut texels = scene.concat();
        texels.resize((4 * layout.width * layout.height) as usize, 0.0);
        let bytes: Vec<u8> = texels.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let order = sort.layout(sort.output());
        let shape = [layout.width, order.width, order.items_per_texel].map(|size| size as i32);
        assert!(layout.height <= device.max_texture_size);
        // SAFETY: the context is current, every object is made here, and the slice holds a texture of floats.
        unsafe {
            let program = gl.create_program()?;
            for (kind, source) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, FRAGMENT)] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, &format!("{head}{source}"));
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(gl.get_program_info_log(program).into());
            }
            gl.use_program(Some(program));
            gl.uniform_1_i32(gl.get_uniform_location(program, "u_order").as_ref(), 1);
            gl.uniform_3_i32_slice(gl.get_uniform_location(program, "u_shape").as_ref(), &shape);

            let vertices = gl.create_vertex_array()?;
            let splats = if in_textures {
                let splats = gl.create_texture()?;
                gl.bind_texture(glow::TEXTURE_2D, Some(splats));
                for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                    gl.tex_parameter_i32(glow::TEXTURE_2D, filter, glow::NEAREST as i32);
                }
                let (width, height) = (layout.width as i32, layout.height as i32);
                let data = glow::PixelUnpackData::Slice(Some(&bytes));
                let (format, of_float) = (glow::RGBA32F as i32, glow::FLOAT);
                gl.tex_image_2d(glow::TEXTURE_2D, 0, format, width, height, 0, glow::RGBA, of_float, data);
                Splats::Texture(splats)
            } else {
                let splats = gl.create_buffer()?;
                gl.bind_vertex_array(Some(vertices));
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(splats));
                gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, &bytes, glow::STATIC_DRAW);
                gl.enable_vertex_attrib_array(0);
                gl.vertex_attrib_pointer_f32(0, 4, glow::FLOAT, false, 0, 0);
                Splats::Buffer(splats)
            };

            let target = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(target));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, SIDE, SIDE);
            let framebuffer = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let attachment = glow::COLOR_ATTACHMENT0;
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, glow::RENDERBUFFER, Some(target));
            gl.viewport(0, 0, SIDE, SIDE);
            gl.clear_color(1.0, 1.0, 1.0, 1.0);
            gl.enable(glow::BLEND);
            gl.blend_func(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
            if !is_gles {
                gl.enable(glow::PROGRAM_POINT_SIZE);
            }
            Ok(YourPicture { gl: Rc::clone(gl), program, vertices, framebuffer, splats })
        }
    }

    /// Issues a frame, and waits for nothing.
    fn draw(&self, order: &Stream, [x, z]: [f32; 2], count: i32) {
        let gl = &self.gl;
        // SAFETY: the context is current, and the order has as many indices.
        unsafe {
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.bind_vertex_array(Some(self.vertices));
            gl.uniform_2_f32(gl.get_uniform_location(self.program, "u_camera").as_ref(), x, z);
            match self.splats {
                Splats::Texture(splats) => {
                    gl.active_texture(glow::TEXTURE0);
                    gl.bind_texture(glow::TEXTURE_2D, Some(splats));
                    gl.active_texture(glow::TEXTURE1);
                    gl.bind_texture(glow::TEXTURE_2D, order.texture());
                    gl.draw_arrays(glow::POINTS, 0, count);
                }
                Splats::Buffer(_) => {
                    gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, order.buffer());
                    gl.draw_elements(glow::POINTS, count, glow::UNSIGNED_INT, 0);
                }
            }
        }
    }

    /// The pixels of the last frame, from the highest row on.
    fn read(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let (gl, row) = (&self.gl, 4 * SIDE as usize);
        let mut pixels = vec![0; row * SIDE as usize];
        // SAFETY: the context is current, and the slice holds all pixels.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            let data = glow::PixelPackData::Slice(Some(&mut pixels));
            gl.read_pixels(0, 0, SIDE, SIDE, glow::RGBA, glow::UNSIGNED_BYTE, data);
            match gl.get_error() {
                glow::NO_ERROR => Ok(pixels.chunks(row).rev().flatten().copied().collect()),
                error => Err(format!("OpenGL error {error:#06x}").into()),
            }
        }
    }
}
