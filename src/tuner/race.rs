//! A race between candidates: after warming up, timed in turns, so that a drifting machine does not decide, and won by
//! another than the first only if it is clearly faster.

use std::time::{Duration, Instant};

/// With fewer rounds nothing is decided.
pub const LEAST_ROUNDS: usize = 7;
/// More rounds than these change little.
const MOST_ROUNDS: usize = 25;
/// After so many rounds, who was never within a quarter of the best time leaves.
const HEAT: usize = 3;

/// A GPU that has rested runs at a low clock, and speeds up in some tenths of a second: an H200 takes 0.047 ms for what
/// it does in 0.014 ms when it is warm, and a race of small candidates is over before.
const WARM_UP: Duration = Duration::from_millis(300);

/// Runs the candidates `0..count` in turns until the device should be as fast as it gets. `run` runs one for a while;
/// `now` is the time since whenever.
///
/// Not less if times stay the same: so they do, for more than a tenth of a second, before a clock is raised.
pub fn warm_up<E>(
    count: usize,
    now: impl Fn() -> Duration,
    mut run: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let start = now();
    for runner in (0..count).cycle() {
        run(runner)?;
        if now() - start >= WARM_UP {
            break;
        }
    }
    Ok(())
}

/// How a race ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub winner: usize,
    /// The winner's median.
    pub time: Duration,
    /// That of the first.
    pub default_time: Duration,
    pub rounds: usize,
}

/// Times the candidates `0..count` in turns, each round beginning with another: [`LEAST_ROUNDS`] rounds, and more
/// while `budget` lasts. `time` runs one and says how long it took.
///
/// The first is the default. Another wins, the one of the smallest median, if [`clearly_faster`].
pub fn race<E>(
    count: usize,
    budget: Duration,
    mut time: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Verdict, E> {
    let start = Instant::now();
    let mut times = vec![Vec::new(); count];
    let mut racing: Vec<usize> = (0..count).collect();
    let mut rounds = 0;
    while rounds < LEAST_ROUNDS || (rounds < MOST_ROUNDS && start.elapsed() < budget) {
        for runner in &racing {
            times[*runner].push(time(*runner)?);
        }
        racing.rotate_left(1);
        rounds += 1;
        if rounds == HEAT {
            let fastest = |runner: &usize| times[*runner].iter().min().copied();
            let best = racing.iter().filter_map(fastest).min();
            racing.retain(|runner| *runner == 0 || fastest(runner) <= best.map(|best| best * 5 / 4));
        }
    }
    times.iter_mut().for_each(|times| times.sort());
    let rivals = racing.into_iter().filter(|runner| *runner != 0);
    let winner = rivals
        .filter(|rival| clearly_faster(&times[*rival], &times[0]))
        .min_by_key(|rival| median(&times[*rival]))
        .unwrap_or(0);
    Ok(Verdict { winner, time: median(&times[winner]), default_time: median(&times[0]), rounds })
}

/// Whether these times are smaller by more than their noise: the middle halves of both do not overlap, and the medians
/// are at least 2% apart. Both sorted, and as many.
///
/// Of two candidates that are equally fast, one passes the first of these by chance in 1.5% of all races of seven
/// rounds, and more rarely in longer ones; then nothing is lost, since they are equally fast.
fn clearly_faster(times: &[Duration], than: &[Duration]) -> bool {
    let quarter = times.len() / 4;
    times[times.len() - 1 - quarter] < than[quarter] && median(times) * 100 <= median(than) * 98
}

/// Of sorted times.
fn median(times: &[Duration]) -> Duration {
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use super::*;

    /// A race on a stubbed clock: the time, in microseconds, of each candidate in each round.
    fn race_of(count: usize, time: impl Fn(usize, usize) -> u64) -> (Verdict, Vec<usize>) {
        let mut laps = vec![0; count];
        let verdict = race(count, Duration::ZERO, |runner| {
            laps[runner] += 1;
            Ok::<_, Infallible>(Duration::from_micros(time(runner, laps[runner] - 1)))
        });
        (verdict.unwrap(), laps)
    }

    #[test]
    fn the_fastest_wins_if_it_is_clearly_faster() {
        let (verdict, laps) = race_of(3, |runner, lap| [1000, 900, 950][runner] + lap as u64);
        let micros = Duration::from_micros;
        let expected =
            Verdict { winner: 1, time: micros(903), default_time: micros(1003), rounds: LEAST_ROUNDS };
        assert_eq!((verdict, laps), (expected, vec![LEAST_ROUNDS; 3]));
    }

    #[test]
    fn the_default_stays_where_the_noise_is_larger_than_the_gain() {
        // 5% faster, in times that scatter by 10%.
        let (verdict, _) = race_of(2, |runner, lap| [1000, 950][runner] + [0, 100, 20, 90, 10, 80, 30][lap]);
        assert_eq!(verdict.winner, 0);
        assert_eq!(verdict.time, verdict.default_time);
        // Without noise, but by so little that it does not matter.
        assert_eq!(race_of(2, |runner, _| [1000, 985][runner]).0.winner, 0);
        // An outlier is no noise.
        let outliers = |runner, lap| if lap == 4 { 9000 } else { [1000, 950][runner] };
        assert_eq!(race_of(2, outliers).0.winner, 1);
    }

    #[test]
    fn the_slow_leave_early_and_the_default_never() {
        let (verdict, laps) = race_of(3, |runner, _| [5000, 1000, 1300][runner]);
        assert_eq!((verdict.winner, laps), (1, vec![LEAST_ROUNDS, LEAST_ROUNDS, HEAT]));
    }

    #[test]
    fn alone_the_default_wins() {
        assert_eq!(race_of(1, |_, lap| lap as u64).0.winner, 0);
    }

    #[test]
    fn each_round_begins_with_another_and_time_left_is_used() {
        let mut order = Vec::new();
        let verdict = race(2, Duration::MAX, |runner| {
            order.push(runner);
            Ok::<_, Infallible>(Duration::from_micros(5))
        });
        assert_eq!(verdict.unwrap().rounds, MOST_ROUNDS);
        assert_eq!(order[..6], [0, 1, 1, 0, 0, 1]);
    }

    /// How many turns of 10 milliseconds candidates are kept busy for, on a stubbed clock.
    fn warmed_up(count: usize) -> Vec<usize> {
        let now = Cell::new(Duration::from_secs(5));
        let mut turns = vec![0; count];
        let ended = warm_up(
            count,
            || now.get(),
            |runner| {
                now.set(now.get() + Duration::from_millis(10));
                turns[runner] += 1;
                Ok::<_, Infallible>(())
            },
        );
        ended.unwrap();
        turns
    }

    #[test]
    fn all_are_kept_busy_until_the_clock_is_up() {
        assert_eq!(warmed_up(3), [10, 10, 10]);
        assert_eq!(warmed_up(0), Vec::<usize>::new());
        assert_eq!(warm_up(2, || Duration::ZERO, |_| Err("lost")), Err("lost"));
    }

    #[test]
    fn an_error_ends_it() {
        assert_eq!(race(2, Duration::MAX, |_| Err("lost")), Err("lost"));
    }
}
