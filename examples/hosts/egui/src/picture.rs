//! A stream of heights as a picture, drawn by egui's painter from the library's texture.

use std::sync::Arc;

use egui::{PaintCallback, Sense, Ui, vec2};
use egui_glow::CallbackFn;
use glow::HasContext;
use rasterscan::Stream;

use crate::heights::{PEAK, SIDE};
use crate::shell;

const VERTEX: &str = "
out vec2 v_place;
void main() {
    v_place = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(v_place * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}";

const FRAGMENT: &str = "
uniform usampler2D u_heights;
uniform usampler2D u_number;
uniform ivec4 u_map; // side, sea level, greatest height, and 1 if only the first heights count
in vec2 v_place;
out vec4 o_colour;

vec3 land(float height) {
    vec3 colour = mix(vec3(0.25, 0.50, 0.22), vec3(0.66, 0.66, 0.38), smoothstep(0.05, 0.35, height));
    colour = mix(colour, vec3(0.48, 0.36, 0.27), smoothstep(0.3, 0.6, height));
    return mix(colour, vec3(0.97), smoothstep(0.6, 0.85, height));
}

void main() {
    ivec2 cell = ivec2(v_place * float(u_map.x));
    int index = cell.y * u_map.x + cell.x;
    // Four heights lie in a texel.
    int width = textureSize(u_heights, 0).x;
    int height = int(texelFetch(u_heights, ivec2(index / 4 % width, index / 4 / width), 0)[index % 4]);
    vec3 colour = land(float(height) / float(u_map.z));
    if (u_map.w == 1) {
        bool counts = uint(index) < texelFetch(u_number, ivec2(0), 0).x;
        colour = counts ? colour : vec3(0.12);
    } else if (height <= u_map.y) {
        colour = mix(vec3(0.36, 0.62, 0.80), vec3(0.07, 0.20, 0.45), float(u_map.y - height) / float(u_map.z) * 3.0);
    }
    o_colour = vec4(colour, 1.0);
}";

/// The program that draws heights, in egui's context.
#[derive(Clone, Copy)]
pub struct Pictures {
    program: glow::Program,
    vertex_array: glow::VertexArray,
}

impl Pictures {
    pub fn new(gl: &glow::Context) -> Result<Pictures, String> {
        // SAFETY: the context is current.
        let vertex_array = unsafe { gl.create_vertex_array() }?;
        Ok(Pictures { program: shell::program(gl, VERTEX, FRAGMENT)?, vertex_array })
    }

    /// Adds a square of this side, with the map and its sea, or with the first heights of a stream alone.
    pub fn show(self, ui: &mut Ui, side: f32, heights: &Stream, number: &Stream, sea: Option<u32>) {
        let (rect, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
        // Streams stay on their thread, as egui's callbacks need not: these are names of textures, which the streams
        // keep until the frame is painted.
        let textures = [heights.texture(), number.texture()];
        let map = [SIDE as i32, sea.unwrap_or(0) as i32, PEAK as i32, i32::from(sea.is_none())];
        let paint = CallbackFn::new(move |_, painter| self.paint(painter.gl(), textures, map));
        ui.painter().add(PaintCallback { rect, callback: Arc::new(paint) });
    }

    /// Draws into the viewport that egui has set, and leaves the rest to it: it sets its own state again afterwards.
    fn paint(self, gl: &glow::Context, textures: [Option<glow::Texture>; 2], map: [i32; 4]) {
        let place = |name| {
            // SAFETY: the context is current: egui is painting.
            unsafe { gl.get_uniform_location(self.program, name) }
        };
        // SAFETY: as above, and program, vertex array and textures belong to the context.
        unsafe {
            gl.use_program(Some(self.program));
            gl.uniform_4_i32_slice(place("u_map").as_ref(), &map);
            for (unit, (name, texture)) in (0..).zip(["u_heights", "u_number"].into_iter().zip(textures)) {
                gl.uniform_1_i32(place(name).as_ref(), unit as i32);
                gl.active_texture(glow::TEXTURE0 + unit);
                gl.bind_texture(glow::TEXTURE_2D, texture);
            }
            gl.bind_vertex_array(Some(self.vertex_array));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.active_texture(glow::TEXTURE0);
        }
    }
}
