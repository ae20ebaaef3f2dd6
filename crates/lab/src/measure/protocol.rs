//! The number and order of runs: in turns, until every median is known well enough or the time is up.
//!
//! ```text
//! run all in turns for a while, then the yardstick until it settles    a rested GPU runs at a fraction of its clock
//! while a runner is not done, and there is time
//!   run the yardstick once                                             the speed of the device in this round
//!   run each that is not done once                                     A B C, B C A, C A B: drift affects all alike
//! a runner is done when it has run often enough, and its median is known to the precision
//! if the yardstick was slower than its best of the whole run, do all of it once more
//! ```
//!
//! A slow runner does not use up the time of the others: after an equal share of the time it sits out, once it has run
//! three times.

use std::time::Duration;

use rasterscan::tools::clock::Instant;

use rasterscan::Error;

use super::statistics::{LEAST_RUNS, Summary};
use super::yardstick::Yardstick;

/// The settings of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Protocol {
    /// Wall time to run before times count, for all together. Each runs at least once.
    pub warm_up: Duration,
    /// The least runs of each, if there is time.
    pub least: u32,
    /// The most runs of each.
    pub most: u32,
    /// Half of the confidence interval, as a share of the median, at which a median is known well enough.
    pub precision: f64,
    /// Wall time for all together, without the warm-up. Each is timed at least once, whatever it takes.
    pub budget: Duration,
    /// True if a runner that is known well enough goes on while others are not: then rounds are pairs.
    pub in_pairs: bool,
}

impl Protocol {
    /// The protocol for a device: hardware, which idles at a low frequency, is warmed up for longer.
    pub fn new(software: bool, budget: Duration) -> Protocol {
        let warm_up = if software { Duration::ZERO } else { Duration::from_millis(300) };
        Protocol { warm_up, least: LEAST_RUNS, most: 301, precision: 0.01, budget, in_pairs: false }
    }
}

/// The number of runs to time together, from the fastest time of one: as many as take a millisecond, up to
/// 128. Then starting and reading a clock adds less than 1% (an H200: 2 microseconds), and the device does not rest
/// between them. In a page, as many as take 20 milliseconds, up to 4096: browsers round their clocks to 0.1 or 1
/// millisecond, and a wait is a readback.
pub fn at_a_time(fastest: Duration) -> u32 {
    let (enough, most) = match cfg!(target_family = "wasm") {
        true => (Duration::from_millis(20), 4096),
        false => (Duration::from_millis(1), 128),
    };
    enough.as_nanos().div_ceil(fastest.as_nanos().max(1)).clamp(1, most) as u32
}

/// The runs of one contender that are timed together: [`at_a_time`] of the fastest so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Batch {
    fastest: Option<Duration>,
}

impl Batch {
    /// Calls `time` with a number of runs; it returns the mean time of one.
    pub fn time<E>(&mut self, mut time: impl FnMut(u32) -> Result<Duration, E>) -> Result<Duration, E> {
        // In a page a single run is no sample: its time is mostly the wait.
        if self.fastest.is_none() && cfg!(target_family = "wasm") {
            self.fastest = Some(time(1)?);
        }
        let time = time(self.fastest.map_or(1, at_a_time))?;
        self.fastest = Some(self.fastest.map_or(time, |fastest| fastest.min(time)));
        Ok(time)
    }
}

/// After this many runs, a slow runner may have to wait for others.
const SLOW_RUNS: usize = 3;

/// The times of one runner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Laps {
    /// The times, in the order in which they were taken.
    pub times: Vec<Duration>,
    /// For each time, the yardstick's reading of its round; empty without a yardstick.
    pub yardstick: Vec<Duration>,
}

/// The most attempts: one more if the yardstick was off.
const ATTEMPTS: u32 = 2;

/// Runs `0..count` in turns; `time` runs one of them and returns its time, by any clock. Returns the times of each: at
/// least one, unless `go_on` returns false before.
///
/// With a yardstick, all wait until it has settled, and it is read in every round. If it was off for one of them,
/// everything is measured a second time, in the time that is left and at least a quarter of the budget. The attempt at
/// the better speed counts. It may still be off: [`Yardstick::is_settled`] tells, from each runner's readings.
///
/// `go_on` is called before every run. Results must be verified before: wrong ones are not worth timing.
///
/// Errors: the first of `time`, and those of the yardstick.
pub fn interleaved<E: From<Error>>(
    count: usize,
    protocol: &Protocol,
    yardstick: Option<&mut Yardstick>,
    mut go_on: impl FnMut() -> bool,
    mut time: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Vec<Laps>, E> {
    let Some(yardstick) = yardstick else {
        let start = Instant::now();
        let mut watch = Watch::Alone(&|| start.elapsed());
        return Ok(in_turns(count, protocol, &mut watch, &mut go_on, &mut time)?.laps);
    };
    let mut budget = protocol.budget;
    let mut kept: Option<Vec<Laps>> = None;
    for _ in 0..ATTEMPTS {
        let watch = &mut Watch::With(yardstick);
        let attempt = in_turns(count, &Protocol { budget, ..*protocol }, watch, &mut go_on, &mut time)?;
        let pace = |laps: &[Laps]| {
            let paces = laps.iter().filter_map(|laps| yardstick.pace(&laps.yardstick));
            paces.fold(0.0, f64::max)
        };
        kept = Some(match kept {
            Some(before) if !attempt.whole || pace(&before) < pace(&attempt.laps) => before,
            _ => attempt.laps,
        });
        budget = budget.saturating_sub(attempt.spent).max(budget / 4);
        let settled = |laps: &[Laps]| laps.iter().all(|laps| yardstick.is_settled(&laps.yardstick));
        if !attempt.whole || kept.as_deref().is_none_or(settled) {
            break;
        }
    }
    Ok(kept.unwrap_or_default())
}

/// A clock, and perhaps a yardstick for the speed of the device.
enum Watch<'a> {
    Alone(&'a dyn Fn() -> Duration),
    With(&'a mut Yardstick),
}

impl Watch<'_> {
    fn now(&self) -> Duration {
        match self {
            Watch::Alone(now) => now(),
            Watch::With(yardstick) => yardstick.now(),
        }
    }

    fn warm_up(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        match self {
            Watch::Alone(_) => Ok(()),
            Watch::With(yardstick) => yardstick.warm_up(go_on).map(drop),
        }
    }

    fn read(&mut self) -> Result<Option<Duration>, Error> {
        match self {
            Watch::Alone(_) => Ok(None),
            Watch::With(yardstick) => yardstick.read().map(Some),
        }
    }
}

/// One attempt to measure everything.
struct Attempt {
    laps: Vec<Laps>,
    /// The time spent of the budget.
    spent: Duration,
    /// True if the attempt ran to its end.
    whole: bool,
}

fn in_turns<E: From<Error>>(
    count: usize,
    protocol: &Protocol,
    watch: &mut Watch<'_>,
    go_on: &mut dyn FnMut() -> bool,
    time: &mut dyn FnMut(usize) -> Result<Duration, E>,
) -> Result<Attempt, E> {
    let mut laps = vec![Laps::default(); count];
    let mut turns: Vec<usize> = (0..count).collect();
    let start = watch.now();
    for round in 0.. {
        if round > 0 && (count == 0 || watch.now() - start >= protocol.warm_up) {
            break;
        }
        for runner in 0..count {
            if !go_on() {
                return Ok(Attempt { laps, spent: Duration::ZERO, whole: false });
            }
            time(runner)?;
        }
    }
    if count > 0 {
        watch.warm_up(go_on)?;
    }
    let start = watch.now();
    let mut spent = vec![Duration::ZERO; count];
    while !turns.is_empty() {
        let share = protocol.budget / count as u32;
        let reading = watch.read()?;
        for &runner in &turns {
            let left = protocol.budget.saturating_sub(watch.now() - start);
            // No further run that would end too late.
            let runs = laps[runner].times.len() as u32;
            let usual = if runs == 0 { Duration::ZERO } else { spent[runner] / runs };
            if runs > 0 && usual > left {
                continue;
            }
            if !go_on() {
                return Ok(Attempt { laps, spent: watch.now() - start, whole: false });
            }
            let before = watch.now();
            laps[runner].times.push(time(runner)?);
            laps[runner].yardstick.extend(reading);
            spent[runner] += watch.now() - before;
        }
        let now = watch.now();
        let late = now - start >= protocol.budget;
        let done = |runner: &usize| is_done(&laps[*runner].times, protocol);
        let all_done = turns.iter().all(done);
        turns.retain(|runner| {
            let runs = laps[*runner].times.len();
            let usual = spent[*runner] / runs.max(1) as u32;
            let too_slow = runs >= SLOW_RUNS && spent[*runner] + usual > share;
            let no_time = usual > protocol.budget.saturating_sub(now - start);
            !(late || too_slow || no_time || all_done || (done(runner) && !protocol.in_pairs))
        });
        if !turns.is_empty() {
            turns.rotate_left(1);
        }
    }
    Ok(Attempt { laps, spent: watch.now() - start, whole: true })
}

fn is_done(times: &[Duration], protocol: &Protocol) -> bool {
    let runs = times.len() as u32;
    // Checked rarely: it sorts all times.
    let due = runs == protocol.least || (runs > protocol.least && runs.is_multiple_of(4));
    let known = |summary: Summary| summary.uncertainty() <= protocol.precision;
    runs >= protocol.most || (due && Summary::of(times).is_some_and(known))
}

/// The time of a run, from several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampled {
    /// The median of the times.
    pub median: Duration,
    /// The number of runs that it is the median of.
    pub runs: u32,
}

/// Calls `run`, which returns its time: once to warm up, then at most `most` times, and not if it would end after
/// `budget` by taking as long as the last. If there is no time for all of them, the first counts, too.
///
/// For rough figures; careful comparisons use [`interleaved`]. The result must be verified before.
pub fn sample<E>(
    most: u32,
    budget: Duration,
    mut run: impl FnMut() -> Result<Duration, E>,
) -> Result<Sampled, E> {
    let start = Instant::now();
    let warm_up = run()?;
    let mut took = start.elapsed();
    let mut times = Vec::new();
    while times.len() < most as usize && start.elapsed() + took <= budget {
        let before = start.elapsed();
        times.push(run()?);
        took = start.elapsed() - before;
    }
    if times.len() < most as usize {
        times.push(warm_up);
    }
    times.sort();
    Ok(Sampled { median: times[times.len() / 2], runs: times.len() as u32 })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::sleeper::Sleeper;
    use super::super::yardstick::{Patience, Workload};
    use super::*;
    use rasterscan::device::Clock;

    const PROTOCOL: Protocol = Protocol {
        warm_up: Duration::ZERO,
        least: 6,
        most: 40,
        precision: 0.01,
        budget: Duration::from_secs(3600),
        in_pairs: false,
    };

    /// Runs on a stubbed clock: the time, in microseconds, of each runner's laps. Returns the times of each, and the
    /// order of runs.
    fn run(
        count: usize,
        protocol: Protocol,
        lap: impl Fn(usize, usize) -> u64,
    ) -> (Vec<Vec<Duration>>, Vec<usize>) {
        let (clock, mut laps) = (Cell::new(Duration::ZERO), vec![0; count]);
        let mut order = Vec::new();
        let attempt =
            in_turns(count, &protocol, &mut Watch::Alone(&|| clock.get()), &mut || true, &mut |runner| {
                let time = Duration::from_micros(lap(runner, laps[runner]));
                laps[runner] += 1;
                order.push(runner);
                clock.set(clock.get() + time);
                Ok::<_, Error>(time)
            });
        (times(attempt.unwrap().laps), order)
    }

    fn times(laps: Vec<Laps>) -> Vec<Vec<Duration>> {
        laps.into_iter().map(|laps| laps.times).collect()
    }

    fn counts(times: &[Vec<Duration>]) -> Vec<usize> {
        times.iter().map(Vec::len).collect()
    }

    #[test]
    fn each_round_begins_with_another() {
        let (times, order) = run(3, PROTOCOL, |_, _| 100);
        assert_eq!(order[..9], [0, 1, 2, 0, 1, 2, 1, 2, 0], "one round to warm up, then in turns");
        assert_eq!(counts(&times), [6, 6, 6], "equal times need no more than the least");
    }

    #[test]
    fn noisy_runners_run_longer_but_not_for_ever() {
        let (times, _) =
            run(2, PROTOCOL, |runner, lap| 1000 + if runner == 1 { 300 * (lap as u64 % 2) } else { 0 });
        assert_eq!(counts(&times), [6, 40]);
        // In pairs, the steady one goes on as long as the noisy one does.
        let pairs = Protocol { in_pairs: true, ..PROTOCOL };
        let (times, _) =
            run(2, pairs, |runner, lap| 1000 + if runner == 1 { 300 * (lap as u64 % 2) } else { 0 });
        assert_eq!(counts(&times), [40, 40]);
        // A scatter that a longer sample averages out.
        let (times, _) =
            run(1, Protocol { most: 301, ..PROTOCOL }, |_, lap| 1000 + [0, 40, 15, 25, 20][lap % 5]);
        assert!((7..301).contains(&times[0].len()), "{}", times[0].len());
        assert!(Summary::of(&times[0]).unwrap().uncertainty() <= 0.01);
    }

    #[test]
    fn warming_up_takes_its_time_and_does_not_count() {
        let protocol = Protocol { warm_up: Duration::from_micros(1000), ..PROTOCOL };
        // Slow until it is warm.
        let (times, order) = run(2, protocol, |_, lap| if lap < 4 { 150 } else { 50 });
        assert_eq!(counts(&times), [6, 6]);
        assert!(times.iter().flatten().all(|time| time.as_micros() == 50), "{times:?}");
        assert_eq!(order.len(), 8 + 12);
    }

    #[test]
    fn the_slow_leave_time_for_the_others() {
        let protocol = Protocol { budget: Duration::from_millis(100), ..PROTOCOL };
        let scatter = |lap: usize| 300 * (lap as u64 % 2);
        let (times, _) =
            run(3, protocol, |runner, lap| if runner == 0 { 12_000 } else { 100 + scatter(lap) });
        assert_eq!(counts(&times), [3, 40, 40]);
        // If even three are too many, one is not.
        let (times, _) =
            run(2, protocol, |runner, lap| if runner == 0 { 70_000 } else { 100 + scatter(lap) });
        assert_eq!(counts(&times), [1, 40]);
        let (times, _) = run(2, protocol, |_, _| 200_000);
        assert_eq!(counts(&times), [1, 1]);
    }

    #[test]
    fn short_runs_are_timed_together() {
        for (micros, runs) in [(0, 128), (1, 128), (10, 100), (12, 84), (999, 2), (1000, 1), (9999, 1)] {
            assert_eq!(at_a_time(Duration::from_micros(micros)), runs, "{micros}");
        }
    }

    #[test]
    fn it_ends_when_it_is_told_to_and_at_errors() {
        let asked = Cell::new(0);
        let go_on = || {
            asked.set(asked.get() + 1);
            asked.get() <= 5
        };
        let mut time = |_| Ok::<_, Error>(Duration::from_micros(1));
        let mut watch = Watch::Alone(&|| Duration::ZERO);
        let attempt = in_turns(2, &PROTOCOL, &mut watch, &mut { go_on }, &mut time).unwrap();
        assert!(!attempt.whole);
        assert_eq!(counts(&times(attempt.laps)), [1, 2], "two to warm up");
        let lost = || Error::NoDevice("lost".into());
        let failed = interleaved(2, &PROTOCOL, None, || true, |_| Err(lost()));
        assert_eq!(failed.unwrap_err().to_string(), lost().to_string());
        let none = interleaved(0, &PROTOCOL, None, || true, |_| Err(lost()));
        assert_eq!(none.unwrap(), Vec::new());
    }

    // --- With a yardstick, on a device that sleeps ----------------------------------------------

    /// The protocol of a GPU, as in the program.
    fn protocol() -> Protocol {
        Protocol::new(false, Duration::from_secs(5))
    }

    /// Times of two runners on an awake device.
    const AWAKE: [Duration; 2] = [Duration::from_micros(300), Duration::from_micros(40)];

    fn yardstick(device: &Sleeper) -> Yardstick {
        Yardstick::of(device.clone(), "a copy", Patience::on(Clock::Gpu))
    }

    fn measured(device: &Sleeper, yardstick: &mut Yardstick) -> Vec<Laps> {
        let time = |runner: usize| Ok::<_, Error>(device.work(AWAKE[runner]));
        interleaved(2, &protocol(), Some(yardstick), || true, time).unwrap()
    }

    fn medians(laps: &[Laps]) -> Vec<Duration> {
        laps.iter().map(|laps| Summary::of(&laps.times).unwrap().median).collect()
    }

    #[test]
    fn without_a_yardstick_a_sleeping_device_looks_like_a_slow_one() {
        let device = Sleeper::new(Duration::from_secs_f64(0.7), 3.5);
        let time = &mut |runner: usize| Ok::<_, Error>(device.work(AWAKE[runner]));
        let now = || device.now();
        let attempt = in_turns(2, &protocol(), &mut Watch::Alone(&now), &mut || true, time).unwrap();
        assert_eq!(medians(&attempt.laps), AWAKE.map(|time| time.mul_f64(3.5)), "300 ms do not wake it");
        let certain = |laps: &Laps| Summary::of(&laps.times).unwrap().uncertainty() == 0.0;
        assert!(attempt.laps.iter().all(certain), "and they agree to the last digit");
    }

    #[test]
    fn with_a_yardstick_it_is_awake_before_times_count() {
        let device = Sleeper::new(Duration::from_secs_f64(0.7), 3.5);
        let mut yardstick = yardstick(&device);
        for _ in 0..3 {
            device.rest();
            let laps = measured(&device, &mut yardstick);
            assert_eq!(medians(&laps), AWAKE);
            for laps in &laps {
                assert_eq!(laps.times.len(), laps.yardstick.len());
                assert!(yardstick.is_settled(&laps.yardstick));
            }
        }
    }

    #[test]
    fn a_device_that_falls_asleep_meanwhile_is_measured_again_and_once_only() {
        let device = Sleeper::new(Duration::from_secs_f64(0.7), 3.5);
        let mut yardstick = yardstick(&device);
        yardstick.warm_up(|| true).unwrap();
        // In its second round, when it was thought to be awake.
        let mut runs = 0;
        let time = |runner: usize| {
            runs += 1;
            if runs == 5 {
                device.rest();
            }
            Ok::<_, Error>(device.work(AWAKE[runner]))
        };
        let protocol = Protocol { warm_up: Duration::ZERO, ..protocol() };
        let laps = interleaved(2, &protocol, Some(&mut yardstick), || true, time).unwrap();
        assert_eq!(runs, 2 * (2 + 2 * 9), "two attempts");
        assert_eq!(medians(&laps), AWAKE);
        assert!(laps.iter().all(|laps| yardstick.is_settled(&laps.yardstick)));
        // Never again: it ends, and says so.
        device.never_wakes();
        let laps = measured(&device, &mut yardstick);
        assert_eq!(medians(&laps), AWAKE.map(|time| time.mul_f64(3.5)));
        for laps in &laps {
            assert!(!yardstick.is_settled(&laps.yardstick));
            assert!((yardstick.pace(&laps.yardstick).unwrap() - 3.5).abs() < 1e-3);
        }
    }
}
