//! How long a run takes: timer queries where they can be believed, wall time around a finish else.

use std::time::{Duration, Instant};

use glow::HasContext;

use super::gpu::Gpu;
use crate::device::Clock;
use crate::error::Error;

/// The time of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    pub clock: Clock,
    pub total: Duration,
    /// Each pass alone, from a second run. Their sum is more than `total`: a pass that is timed
    /// cannot overlap with the next.
    pub passes: Vec<Duration>,
}

/// Lets what comes wait for what was issued before, as far as it touches the same memory. The context has compute
/// shaders.
pub fn barrier(gpu: &Gpu) {
    // SAFETY: the context is current, and has barriers.
    unsafe { gpu.0.gl.memory_barrier(glow::ALL_BARRIER_BITS) }
}

/// Times a stretch of work with the clock that suits the device.
pub fn measure(gpu: &Gpu, work: impl FnOnce()) -> Result<(Clock, Duration), Error> {
    let gl = &gpu.0.gl;
    if !gpu.device().timer_queries {
        gpu.wait("timing")?;
        let start = Instant::now();
        work();
        gpu.wait("timing")?;
        return Ok((Clock::Wall, start.elapsed()));
    }
    // SAFETY: the context is current, and has timer queries.
    unsafe {
        let query = gl.create_query().map_err(|what| Error::Gl { during: "timing", what })?;
        gl.begin_query(glow::TIME_ELAPSED, query);
        work();
        gl.end_query(glow::TIME_ELAPSED);
        // Asked for its result, a query waits without end.
        let nanoseconds =
            gpu.wait_if_bounded("timing").map(|()| gl.get_query_parameter_u64(query, glow::QUERY_RESULT));
        gl.delete_query(query);
        let nanoseconds = nanoseconds?;
        gpu.check_error("timing")?;
        Ok((Clock::Gpu, Duration::from_nanos(nanoseconds)))
    }
}
