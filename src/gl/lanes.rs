//! The self-test of lanes: whether the subgroups of this context are what it says that they are.
//!
//! A driver may run a shader with other subgroups than those whose size it reports, or leave lanes of them empty.
//! Scans count on full ones.

use glow::HasContext;

use super::buffer::read_back;
use super::program::{Program, ProgramKey};
use super::texture;
use crate::device::{Api, Compute};
use crate::error::Error;
use crate::plan::{Dialect, Lanes, shader};

/// Warps in the group that is tested.
const WARPS: u32 = 4;

/// Leaves in `compute` only the lanes that work. Changes state that a guard puts back.
pub fn keep_what_works(gl: &glow::Context, api: Api, compute: &mut Compute) -> Result<(), Error> {
    for (lanes, count) in [(Lanes::Subgroup, &mut compute.subgroup), (Lanes::Warp, &mut compute.warp)] {
        if *count > 0 && !work(gl, api, lanes, *count)? {
            *count = 0;
        }
    }
    Ok(())
}

/// Runs one group, and looks at what each of its invocations has found.
fn work(gl: &glow::Context, api: Api, lanes: Lanes, count: u32) -> Result<bool, Error> {
    let failed = |what| Error::Gl { during: "testing lanes", what };
    let group = WARPS * count;
    let defines = vec![("GROUP", group.into()), ("SEEN", 0), ("LANES", count.into())];
    let key = ProgramKey::compute(Dialect::of_compute(api, lanes), shader!("selftest/lanes.comp"), defines);
    // What does not compile does not work, whatever the list of extensions says.
    let Ok(program) = Program::compile(gl, &key) else { return Ok(false) };
    let nothing = vec![0u32; group as usize];
    // SAFETY: the context is current.
    let buffer = unsafe {
        let buffer = gl.create_buffer().map_err(failed)?;
        gl.bind_buffer(glow::SHADER_STORAGE_BUFFER, Some(buffer));
        gl.buffer_data_u8_slice(
            glow::SHADER_STORAGE_BUFFER,
            bytemuck::cast_slice(&nothing),
            glow::DYNAMIC_COPY,
        );
        gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, 0, Some(buffer));
        gl.use_program(Some(program.id));
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(glow::ALL_BARRIER_BITS);
        gl.use_program(None);
        gl.delete_program(program.id);
        buffer
    };
    let seen: Vec<u32> = bytemuck::pod_collect_to_vec(&read_back(gl, buffer, 4 * group as usize)?);
    // SAFETY: the context is current, and the buffer is ours.
    unsafe { gl.delete_buffer(buffer) };
    texture::check_error(gl, "testing lanes")?;
    Ok((0..group).zip(seen).all(|(place, seen)| seen == 3 * place + 1))
}
