//! The self-test of lanes: whether the subgroups of this context are as reported.
//!
//! A driver can run a shader with subgroups of another size than it reports, or leave some of their lanes empty. Scans
//! rely on full subgroups of the reported size.

use glow::HasContext;

use super::buffer::read_back;
use super::functions::GlFunctions;
use super::program::{self, Program, ProgramKey};
use super::texture;
use crate::device::{Api, Compute};
use crate::error::Error;
use crate::plan::{Dialect, Lanes, shader};

/// Warps in the tested group.
const WARPS: u32 = 4;

/// Removes from `compute` the lanes that fail the test. Changes state that a guard restores.
pub fn keep_what_works(gl: &GlFunctions, api: Api, compute: &mut Compute) -> Result<(), Error> {
    for (lanes, count) in [(Lanes::Subgroup, &mut compute.subgroup), (Lanes::Warp, &mut compute.warp)] {
        if *count > 0 && !work(gl, api, lanes, *count)? {
            *count = 0;
        }
    }
    Ok(())
}

/// The invocations that this context runs in lockstep, a register of the CPU's: llvmpipe names its bits. Groups of no more
/// need no barriers, for which llvmpipe keeps all registers of a group in memory. 0 where they are not known, or fail the
/// test. Changes state that a guard restores.
pub fn lockstep(gl: &GlFunctions, api: Api, renderer: &str) -> Result<u32, Error> {
    let count = lockstep_of(renderer);
    if count == 0 {
        return Ok(0);
    }
    let defines = vec![("GROUP", count.into()), ("SEEN", 0), ("LOCKSTEP", count.into())];
    let dialect = Dialect::of_compute(api, Lanes::Serial);
    let key = ProgramKey::compute(dialect, shader!("selftest/lockstep.comp"), defines);
    Ok(if passes(gl, &key, count)? { count } else { 0 })
}

/// The same by the renderer's name: `llvmpipe (LLVM 15.0.6, 256 bits)` has 8 words in a register.
fn lockstep_of(renderer: &str) -> u32 {
    let bits = renderer.strip_prefix("llvmpipe (").and_then(|rest| rest.strip_suffix(" bits)"));
    let bits: Option<u32> = bits.and_then(|rest| rest.rsplit(' ').next()?.parse().ok());
    bits.map_or(0, |bits| bits / 32)
}

/// Runs one group and checks the findings of each invocation.
fn work(gl: &GlFunctions, api: Api, lanes: Lanes, count: u32) -> Result<bool, Error> {
    let group = WARPS * count;
    let defines = vec![("GROUP", group.into()), ("SEEN", 0), ("LANES", count.into())];
    let key = ProgramKey::compute(Dialect::of_compute(api, lanes), shader!("selftest/lanes.comp"), defines);
    passes(gl, &key, group)
}

/// Runs a group of a test; returns true if each invocation has found what it should.
fn passes(gl: &GlFunctions, key: &ProgramKey, group: u32) -> Result<bool, Error> {
    let failed = |what| Error::Gl { during: "testing lanes", what };
    // Lanes that do not compile do not work, whatever the extension list says.
    let Ok(program) = Program::compile(gl, key) else { return Ok(false) };
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
        program::delete(gl, program.id);
        buffer
    };
    let seen: Vec<u32> = bytemuck::pod_collect_to_vec(&read_back(gl, buffer, 4 * group as usize)?);
    // SAFETY: the context is current, and the buffer is ours.
    unsafe { gl.delete_buffer(buffer) };
    texture::check_error(gl, "testing lanes")?;
    Ok((0..group).zip(seen).all(|(place, seen)| seen == 3 * place + 1))
}

#[cfg(test)]
mod tests {
    use super::lockstep_of;

    #[test]
    fn llvmpipe_tells_its_width() {
        for (renderer, expected) in [
            ("llvmpipe (LLVM 15.0.6, 256 bits)", 8),
            ("llvmpipe (LLVM 11.0.1, 128 bits)", 4),
            ("llvmpipe (LLVM 19.1.7, 512 bits)", 16),
            ("softpipe", 0),
            ("llvmpipe", 0),
            ("NVIDIA H200/PCIe/SSE2", 0),
        ] {
            assert_eq!(lockstep_of(renderer), expected, "{renderer}");
        }
    }
}
