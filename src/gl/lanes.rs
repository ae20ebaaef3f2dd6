//! The self-test of lanes: whether the subgroups of this context are what it says that they are.
//!
//! A driver may run a shader with other subgroups than those whose size it reports, or leave lanes of them empty.
//! Scans count on full ones.

use glow::HasContext;

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
    let mut seen = vec![0u32; group as usize];
    let bytes = (4 * group) as i32;
    // SAFETY: the context is current, and the mapping is as long as the slice.
    unsafe {
        let buffer = gl.create_buffer().map_err(failed)?;
        gl.bind_buffer(glow::SHADER_STORAGE_BUFFER, Some(buffer));
        gl.buffer_data_u8_slice(
            glow::SHADER_STORAGE_BUFFER,
            bytemuck::cast_slice(&seen),
            glow::DYNAMIC_COPY,
        );
        gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, 0, Some(buffer));
        gl.use_program(Some(program.id));
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(glow::ALL_BARRIER_BITS);
        let mapped = gl.map_buffer_range(glow::SHADER_STORAGE_BUFFER, 0, bytes, glow::MAP_READ_BIT);
        if !mapped.is_null() {
            seen.copy_from_slice(std::slice::from_raw_parts(mapped.cast(), group as usize));
            gl.unmap_buffer(glow::SHADER_STORAGE_BUFFER);
        }
        gl.use_program(None);
        gl.delete_buffer(buffer);
        gl.delete_program(program.id);
    }
    texture::check_error(gl, "testing lanes")?;
    Ok((0..group).zip(seen).all(|(place, seen)| seen == 3 * place + 1))
}
