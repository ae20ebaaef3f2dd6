//! The time of a run: from timer queries where they are reliable, otherwise wall time up to a finish.
//!
//! On hardware, a timer query gives the GPU's own time. Software renderers offer the query but do not wait for the
//! rasteriser, so there the clock is wall time, from before the first call until `glFinish` returns. Every [`Timing`]
//! says which. Upload and readback are not included. A pass that is timed alone cannot overlap the next, so the times
//! of the passes add up to more than the whole.

use std::time::Duration;

use glow::HasContext;

use super::gpu::Gpu;
use super::texture::check_error;
use crate::clock::Instant;
use crate::device::Clock;
use crate::error::Error;

/// The time of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// The clock that measured it.
    pub clock: Clock,
    /// The time of one run.
    pub total: Duration,
    /// Each pass alone, from a second run. Their sum exceeds `total`: a pass that is timed cannot overlap with the
    /// next.
    pub passes: Vec<Duration>,
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
        // A query that is asked for its result blocks without limit.
        let nanoseconds =
            gpu.wait_if_bounded("timing").map(|()| gl.get_query_parameter_u64(query, glow::QUERY_RESULT));
        gl.delete_query(query);
        let nanoseconds = nanoseconds?;
        check_error(gl, "timing")?;
        Ok((Clock::Gpu, Duration::from_nanos(nanoseconds)))
    }
}
