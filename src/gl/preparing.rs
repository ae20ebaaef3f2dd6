//! A plan that is prepared while the driver compiles its programs, without waiting for them.

use std::fmt;

use super::gpu::Gpu;
use super::prepared::Prepared;
use super::program::{ProgramKey, Started};
use super::state::Effects;
use crate::error::Error;
use crate::plan::Plan;

/// A plan on its way to be prepared, from [`Gpu::prepare_later`].
///
/// Dropped before it is prepared, it is forgotten.
pub struct Preparing {
    gpu: Gpu,
    plan: Plan,
    /// Programs that are not known to be compiled.
    programs: Vec<(ProgramKey, Started)>,
}

impl Gpu {
    /// Starts to compile the plan's programs, and does not wait: [`Preparing::poll`] gives the prepared plan when they are
    /// there.
    ///
    /// Errors: as [`Gpu::prepare`].
    pub fn prepare_later(&self, plan: &Plan) -> Result<Preparing, Error> {
        plan.check()?;
        self.enter("preparing a plan", Effects::Both, || {
            let keys = plan.passes().iter().map(|pass| ProgramKey::of(self, plan, pass));
            Ok(Preparing { gpu: self.clone(), plan: plan.clone(), programs: self.start_all(keys)? })
        })
    }
}

impl Preparing {
    /// The prepared plan, once its programs are compiled; `None` before that, at once. After it has returned the plan, it
    /// prepares it again.
    ///
    /// A driver that does not tell when a program is compiled (`KHR_parallel_shader_compile`) is waited for, one program a call.
    ///
    /// Errors: as [`Gpu::prepare`].
    pub fn poll(&mut self) -> Result<Option<Prepared>, Error> {
        let gpu = self.gpu.clone();
        gpu.enter("preparing a plan", Effects::Both, || {
            let tells = gpu.tells_completion();
            while let Some((key, program)) = self.programs.pop() {
                if tells && !program.is_complete(&gpu.0.gl) {
                    self.programs.push((key, program));
                    return Ok(None);
                }
                gpu.finish_program(key, program)?;
                if !tells {
                    return Ok(None);
                }
            }
            Prepared::new(&gpu, &self.plan).map(Some)
        })
    }
}

impl fmt::Debug for Preparing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Preparing({}, {} programs)", self.plan.name(), self.programs.len())
    }
}

impl Drop for Preparing {
    fn drop(&mut self) {
        if let Ok(_current) = self.gpu.make_current() {
            for (_, program) in self.programs.drain(..) {
                // SAFETY: the context is current.
                unsafe { program.discard(&self.gpu.0.gl) };
            }
        }
    }
}
