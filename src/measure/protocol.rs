//! How often to run, and in which order: in turns, until every median is known well enough or the time is up.
//!
//! ```text
//! keep everything busy for a while                     a GPU that has idled runs at a fraction of its clock
//! while somebody is not done, and there is time
//!   each one who is not done runs once                 A B C, B C A, C A B: a machine that drifts favours nobody
//! done is who has run often enough, and whose median is known to the precision
//! ```
//!
//! Who is slow may not use up the time of all others: whoever has had an equal share of the time sits out, once it has
//! run three times.

use std::time::{Duration, Instant};

use super::statistics::Summary;

/// How to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Protocol {
    /// How long to run before times count, in wall time and for all together. Each runs once at least.
    pub warm_up: Duration,
    /// Runs that each should have, if there is time.
    pub least: u32,
    /// Runs that nobody has more of.
    pub most: u32,
    /// Half of the confidence interval, as a share of the median, at which a median is known well enough.
    pub precision: f64,
    /// Wall time for all together, the warm-up not counted. Each is timed once whatever it takes.
    pub budget: Duration,
}

impl Protocol {
    /// What a device needs: one that has a clock of its own, and idles at a low frequency, is warmed up for longer.
    pub fn new(software: bool, budget: Duration) -> Protocol {
        let warm_up = if software { Duration::ZERO } else { Duration::from_millis(300) };
        Protocol { warm_up, least: 9, most: 301, precision: 0.01, budget }
    }
}

/// How many runs to time together, of whom one has taken so long at its fastest: as many as take a quarter of a
/// millisecond, up to 32, so that starting and reading a clock adds less than 2% (an H200: 2 microseconds), and the
/// device does not rest between them.
pub fn at_a_time(fastest: Duration) -> u32 {
    const ENOUGH: Duration = Duration::from_micros(250);
    const MOST: u128 = 32;
    ENOUGH.as_nanos().div_ceil(fastest.as_nanos().max(1)).clamp(1, MOST) as u32
}

/// Those who have run so often may be made to wait for others.
const SLOW_RUNS: usize = 3;

/// Runs `0..count` in turns; `time` runs one of them and says how long it took, by whatever clock. Gives the times of
/// each, in the order in which they were taken: one at least, unless `go_on` says no before.
///
/// `go_on` is asked before every run. The results must have been verified before: what is wrong is not worth timing.
///
/// Errors: the first of `time`.
pub fn interleaved<E>(
    count: usize,
    protocol: &Protocol,
    go_on: impl FnMut() -> bool,
    time: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Vec<Vec<Duration>>, E> {
    let start = Instant::now();
    in_turns(count, protocol, || start.elapsed(), go_on, time)
}

/// The same on any clock for the budget, which `now` reads.
fn in_turns<E>(
    count: usize,
    protocol: &Protocol,
    mut now: impl FnMut() -> Duration,
    mut go_on: impl FnMut() -> bool,
    mut time: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Vec<Vec<Duration>>, E> {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); count];
    let mut turns: Vec<usize> = (0..count).collect();
    let start = now();
    for round in 0.. {
        if round > 0 && (count == 0 || now() - start >= protocol.warm_up) {
            break;
        }
        for runner in 0..count {
            if !go_on() {
                return Ok(times);
            }
            time(runner)?;
        }
    }
    let start = now();
    let mut spent = vec![Duration::ZERO; count];
    while !turns.is_empty() {
        let share = protocol.budget / count as u32;
        for &runner in &turns {
            let left = protocol.budget.saturating_sub(now() - start);
            // Not one more, where it would end too late.
            let runs = times[runner].len() as u32;
            let usual = if runs == 0 { Duration::ZERO } else { spent[runner] / runs };
            if runs > 0 && usual > left {
                continue;
            }
            if !go_on() {
                return Ok(times);
            }
            let before = now();
            times[runner].push(time(runner)?);
            spent[runner] += now() - before;
        }
        let late = now() - start >= protocol.budget;
        let waiting: Vec<usize> = turns
            .iter()
            .copied()
            .filter(|runner| {
                let runs = times[*runner].len();
                let usual = spent[*runner] / runs.max(1) as u32;
                let too_slow = runs >= SLOW_RUNS && spent[*runner] + usual > share;
                let no_time = usual > protocol.budget.saturating_sub(now() - start);
                !(late || too_slow || no_time || is_done(&times[*runner], protocol))
            })
            .collect();
        turns = waiting;
        if !turns.is_empty() {
            turns.rotate_left(1);
        }
    }
    Ok(times)
}

fn is_done(times: &[Duration], protocol: &Protocol) -> bool {
    let runs = times.len() as u32;
    // Looked at seldom: it sorts all times.
    let due = runs == protocol.least || (runs > protocol.least && runs.is_multiple_of(4));
    let known = |summary: Summary| summary.uncertainty() <= protocol.precision;
    runs >= protocol.most || (due && Summary::of(times).is_some_and(known))
}

/// The time of a run, over several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampled {
    pub median: Duration,
    /// How many runs it is the median of.
    pub runs: u32,
}

/// Times what `run` does, which says how long it took: once to warm up, then at most `most` times, and none
/// that would end after `budget` if it took as long as the last. Where there is no time for all of them,
/// the first counts too.
///
/// For a figure in passing; what is compared with care goes by [`interleaved`]. The result must have been verified
/// before.
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
    use std::convert::Infallible;

    use super::*;

    const PROTOCOL: Protocol = Protocol {
        warm_up: Duration::ZERO,
        least: 6,
        most: 40,
        precision: 0.01,
        budget: Duration::from_secs(3600),
    };

    /// Runs on a stubbed clock: the time, in microseconds, of each runner's laps. Gives the times of each, and who ran.
    fn run(
        count: usize,
        protocol: Protocol,
        lap: impl Fn(usize, usize) -> u64,
    ) -> (Vec<Vec<Duration>>, Vec<usize>) {
        let (clock, mut laps) = (Cell::new(Duration::ZERO), vec![0; count]);
        let mut order = Vec::new();
        let times = in_turns(
            count,
            &protocol,
            || clock.get(),
            || true,
            |runner| {
                let time = Duration::from_micros(lap(runner, laps[runner]));
                laps[runner] += 1;
                order.push(runner);
                clock.set(clock.get() + time);
                Ok::<_, Infallible>(time)
            },
        );
        (times.unwrap(), order)
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
    fn who_scatters_runs_on_and_nobody_for_ever() {
        let (times, _) =
            run(2, PROTOCOL, |runner, lap| 1000 + if runner == 1 { 300 * (lap as u64 % 2) } else { 0 });
        assert_eq!(counts(&times), [6, 40]);
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
        // Where even three are too many, one is not.
        let (times, _) =
            run(2, protocol, |runner, lap| if runner == 0 { 70_000 } else { 100 + scatter(lap) });
        assert_eq!(counts(&times), [1, 40]);
        let (times, _) = run(2, protocol, |_, _| 200_000);
        assert_eq!(counts(&times), [1, 1]);
    }

    #[test]
    fn short_runs_are_timed_together() {
        for (micros, runs) in [(0, 32), (1, 32), (10, 25), (12, 21), (249, 2), (250, 1), (9999, 1)] {
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
        let time = |_| Ok::<_, Infallible>(Duration::from_micros(1));
        let times = in_turns(2, &PROTOCOL, || Duration::ZERO, go_on, time).unwrap();
        assert_eq!(counts(&times), [1, 2], "two to warm up");
        let failed = interleaved(2, &PROTOCOL, || true, |_| Err::<Duration, _>("lost"));
        assert_eq!(failed, Err("lost"));
        let none = interleaved(0, &PROTOCOL, || true, |_| Err::<Duration, _>("nobody runs"));
        assert_eq!(none, Ok(Vec::new()));
    }
}
