//! The yardstick: a fixed piece of work whose time shows how fast the device runs at that moment.
//!
//! A GPU that has rested runs at a fraction of its clock, and stays there for a while under load: after the CPU had
//! worked alone for some seconds, an H200 took 1.10 ms for a copy that takes 0.30 ms, in every one of nine runs. Times
//! that agree with each other say nothing about a clock that has not settled. So the same copy is timed repeatedly:
//!
//! ```text
//! settle   run the copy until its time has stopped falling, and is near the best of the whole run
//! read     once in every round of what is measured
//! judge    times count as settled if the median of their readings is within the tolerance of the best of the whole run
//! ```
//!
//! The best is the least median of [`WINDOW`] readings in a row, so one reading that is wrong does not move it. A
//! software renderer has no clock of its own. There a reading is wall time, which also rises when other programs run,
//! and the tolerance is wider. Every wait is bounded. A device that never settles is measured anyway, and its times are
//! marked.

use std::fmt;
use std::time::Duration;

use rasterscan::tools::clock::Instant;

use rasterscan::{ElementType, Error, Gpu, Prepared, ScanSpec, Stream, device::Clock, tools::copy};

/// Readings in a row whose median counts.
const WINDOW: usize = 5;

/// A median that is lower by this share has fallen.
const FALL: f64 = 0.01;

/// A fixed piece of work, on a device or on a stand-in for one.
pub trait Workload {
    /// Runs it once, and returns its time.
    ///
    /// Errors: those of the device.
    fn time(&mut self) -> Result<Duration, Error>;

    /// Keeps the device busy for some milliseconds, so that the time between readings is no rest.
    ///
    /// Errors: those of the device.
    fn keep_busy(&mut self) -> Result<(), Error>;

    /// Wall time since a fixed moment.
    fn now(&self) -> Duration;
}

/// The time to wait, and the difference that is allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patience {
    /// The share by which a reading may exceed the best.
    pub tolerance: f64,
    /// The time for which readings must not have fallen, at the first wait.
    pub steady: Duration,
    /// The longest wait.
    pub most: Duration,
}

impl Patience {
    /// The patience for readings on this clock.
    pub const fn on(clock: Clock) -> Patience {
        match clock {
            // An H200 stays at its low clock for more than 0.35 s under load. On a warm one, readings differ by less than 1%.
            Clock::Gpu => Patience {
                tolerance: 0.03,
                steady: Duration::from_millis(1000),
                most: Duration::from_millis(4000),
            },
            // Medians of five on llvmpipe differ by up to 15% on a quiet machine; a second program on two cores adds 50%.
            Clock::Wall => {
                Patience { tolerance: 0.25, steady: Duration::ZERO, most: Duration::from_millis(250) }
            }
        }
    }
}

/// A piece of work, and its times so far. One yardstick serves a whole run.
pub struct Yardstick {
    work: Box<dyn Workload>,
    name: String,
    patience: Patience,
    /// The last readings, the newest last.
    recent: Vec<Duration>,
    best: Option<Duration>,
    /// True once the best has been steady.
    trusted: bool,
}

impl Yardstick {
    /// A copy of 2^22 u32 by a full-screen pass, or of 2^18 on a software renderer: long enough to show the clock, and
    /// short enough to run in every round.
    ///
    /// Errors: those of [`Gpu::prepare`].
    pub fn new(gpu: &Gpu) -> Result<Yardstick, Error> {
        let device = gpu.device();
        let mut log2 = if device.software { 18 } else { 22 };
        let plan = loop {
            match copy::texture(&ScanSpec::of(ElementType::U32, 1 << log2), device) {
                // The device has only small textures.
                Err(Error::Unsupported(_)) if log2 > 10 => log2 -= 1,
                plan => break plan?,
            }
        };
        let prepared = gpu.prepare(&plan)?;
        let numbers: Vec<u32> = (0..1 << log2).collect();
        let input = prepared.upload(&numbers)?;
        let clock = if device.timer_queries { Clock::Gpu } else { Clock::Wall };
        // As long as a few runs of what is measured; a renderer on the CPU does not rest between runs.
        let busy = if device.software { 0 } else { 15 };
        let copy = Copy { prepared, input, busy, start: Instant::now() };
        Ok(Yardstick::of(copy, format!("copy:texture of 2^{log2} u32"), Patience::on(clock)))
    }

    /// A yardstick of any other work. `name` is for people.
    pub fn of(work: impl Workload + 'static, name: impl Into<String>, patience: Patience) -> Yardstick {
        let work = Box::new(work);
        Yardstick { work, name: name.into(), patience, recent: Vec::new(), best: None, trusted: false }
    }

    /// The work, for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The share by which a reading may exceed the best.
    pub fn tolerance(&self) -> f64 {
        self.patience.tolerance
    }

    /// The best so far: the least median of a few readings in a row; `None` before there are as many.
    pub fn best(&self) -> Option<Duration> {
        self.best
    }

    /// Wall time since a fixed moment, by the work's own clock.
    pub fn now(&self) -> Duration {
        self.work.now()
    }

    /// Runs the work once, and returns its time.
    ///
    /// Errors: those of the work.
    pub fn read(&mut self) -> Result<Duration, Error> {
        let time = self.work.time()?;
        if self.recent.len() == WINDOW {
            self.recent.remove(0);
        }
        self.recent.push(time);
        if let Some(median) = self.recent_median() {
            self.best = Some(self.best.map_or(median, |best| best.min(median)));
        }
        Ok(time)
    }

    /// Runs the work until its time has stopped falling and is near the best, for at most [`Patience::most`] and while
    /// `go_on` returns true. Returns whether it settled.
    ///
    /// Errors: those of the work.
    pub fn warm_up(&mut self, mut go_on: impl FnMut() -> bool) -> Result<bool, Error> {
        let start = self.now();
        self.recent.clear();
        let (mut lowest, mut fell) = (Duration::MAX, start);
        while go_on() {
            self.work.keep_busy()?;
            self.read()?;
            let now = self.now();
            if let Some(median) = self.recent_median() {
                if median.as_secs_f64() < lowest.as_secs_f64() * (1.0 - FALL) {
                    (lowest, fell) = (median, now);
                }
                // Once the best is known, being near it is enough.
                let steady = self.trusted || now - fell >= self.patience.steady;
                if steady && self.is_near(median) {
                    self.trusted = true;
                    return Ok(true);
                }
            }
            if now - start >= self.patience.most {
                break;
            }
        }
        Ok(false)
    }

    /// The median of these readings relative to the best; `None` if there are none.
    pub fn pace(&self, readings: &[Duration]) -> Option<f64> {
        Some(median(readings)?.as_secs_f64() / self.best?.as_secs_f64())
    }

    /// Returns true if the device ran at the best speed of the whole run, according to these readings, and if there
    /// are none.
    pub fn is_settled(&self, readings: &[Duration]) -> bool {
        median(readings).is_none_or(|median| self.is_near(median))
    }

    fn is_near(&self, time: Duration) -> bool {
        self.best
            .is_none_or(|best| time.as_secs_f64() <= best.as_secs_f64() * (1.0 + self.patience.tolerance))
    }

    fn recent_median(&self) -> Option<Duration> {
        (self.recent.len() == WINDOW).then(|| median(&self.recent)).flatten()
    }
}

impl fmt::Debug for Yardstick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Yardstick { name, patience, best, .. } = self;
        let mut shown = f.debug_struct("Yardstick");
        shown.field("name", name).field("patience", patience).field("best", best).finish_non_exhaustive()
    }
}

/// The lower median.
fn median(times: &[Duration]) -> Option<Duration> {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

/// The copy on a device.
struct Copy {
    prepared: Prepared,
    input: Stream,
    /// Copies that keep it busy.
    busy: u32,
    start: Instant,
}

impl Workload for Copy {
    fn time(&mut self) -> Result<Duration, Error> {
        Ok(self.prepared.time(&self.input)?.total)
    }

    fn keep_busy(&mut self) -> Result<(), Error> {
        (0..self.busy).try_for_each(|_| self.prepared.run(&self.input).map(drop))
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sleeper::{COPY, Sleeper};
    use super::*;

    const GPU: Patience = Patience::on(Clock::Gpu);

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn it_waits_until_a_device_is_awake_and_no_longer() {
        let device = Sleeper::new(seconds(0.7), 3.7);
        let mut yardstick = Yardstick::of(device.clone(), "a copy", GPU);
        assert!(yardstick.warm_up(|| true).unwrap());
        assert_eq!(yardstick.best(), Some(COPY));
        let took = yardstick.now();
        assert!(
            took > seconds(1.7) && took < seconds(1.9),
            "asleep for 0.7 s, then steady for 1 s: {took:?}"
        );
        // An awake device is not waited for.
        assert!(yardstick.warm_up(|| true).unwrap());
        assert!(yardstick.now() - took < seconds(0.03), "{:?}", yardstick.now() - took);
        // After a rest, the best is known: it waits as long as the device sleeps and no longer.
        device.rest();
        let rested = yardstick.now();
        assert!(yardstick.warm_up(|| true).unwrap());
        let took = yardstick.now() - rested;
        assert!(took > seconds(0.7) && took < seconds(0.75), "{took:?}");
    }

    #[test]
    fn the_wait_is_bounded() {
        let device = Sleeper::new(seconds(0.7), 3.7);
        let mut yardstick = Yardstick::of(device.clone(), "a copy", GPU);
        assert!(yardstick.warm_up(|| true).unwrap());
        device.never_wakes();
        let before = yardstick.now();
        assert!(!yardstick.warm_up(|| true).unwrap());
        let took = yardstick.now() - before;
        assert!(took >= GPU.most && took < GPU.most + seconds(0.05), "{took:?}");
        let mut asked = 0;
        let settled = yardstick.warm_up(|| {
            asked += 1;
            asked < 3
        });
        assert!(!settled.unwrap(), "the caller can end it");
    }

    #[test]
    fn readings_are_compared_with_the_best_of_all() {
        let device = Sleeper::new(seconds(0.7), 3.7);
        let mut yardstick = Yardstick::of(device.clone(), "a copy", GPU);
        assert!(yardstick.is_settled(&[COPY * 9]), "there is nothing to compare it with");
        yardstick.warm_up(|| true).unwrap();
        for (factor, settled) in [(1.0, true), (1.029, true), (1.031, false), (3.7, false)] {
            let readings = [COPY.mul_f64(factor); 3];
            assert_eq!(yardstick.is_settled(&readings), settled, "{factor}");
            assert!((yardstick.pace(&readings).unwrap() - factor).abs() < 1e-4);
        }
        assert!(yardstick.is_settled(&[COPY, COPY * 9, COPY]), "one that is wrong is not the median");
        assert_eq!((yardstick.is_settled(&[]), yardstick.pace(&[])), (true, None));
    }

    #[test]
    fn one_short_reading_is_not_the_best() {
        struct Glitch(u32);
        impl Workload for Glitch {
            fn time(&mut self) -> Result<Duration, Error> {
                self.0 += 1;
                Ok(if self.0.is_multiple_of(7) { Duration::ZERO } else { COPY })
            }
            fn keep_busy(&mut self) -> Result<(), Error> {
                Ok(())
            }
            fn now(&self) -> Duration {
                COPY * self.0
            }
        }
        let mut yardstick = Yardstick::of(Glitch(0), "a copy", GPU);
        assert!(yardstick.warm_up(|| true).unwrap());
        assert_eq!(yardstick.best(), Some(COPY));
    }

    #[test]
    fn wall_time_is_allowed_to_scatter_and_is_not_waited_for() {
        let wall = Patience::on(Clock::Wall);
        struct Noise(u32);
        impl Workload for Noise {
            fn time(&mut self) -> Result<Duration, Error> {
                self.0 += 1;
                Ok(COPY.mul_f64(1.0 + f64::from(self.0.wrapping_mul(0x9E37_79B9) >> 24) / 1024.0))
            }
            fn keep_busy(&mut self) -> Result<(), Error> {
                Ok(())
            }
            fn now(&self) -> Duration {
                COPY * self.0
            }
        }
        let mut yardstick = Yardstick::of(Noise(0), "a copy", wall);
        for _ in 0..100 {
            let before = yardstick.now();
            assert!(yardstick.warm_up(|| true).unwrap());
            assert!(yardstick.now() - before <= COPY * 6);
        }
    }
}
