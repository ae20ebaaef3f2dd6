//! A stand-in for a device that falls asleep when it rests, and wakes under load, on a clock of its own. For tests.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rasterscan::Error;

use super::yardstick::Workload;

/// The time of the yardstick on it, awake.
pub const COPY: Duration = Duration::from_micros(300);

/// The device. Clones are the same device.
#[derive(Debug, Clone)]
pub struct Sleeper(Rc<State>);

#[derive(Debug)]
struct State {
    now: Cell<Duration>,
    /// Work since it fell asleep.
    worked: Cell<Duration>,
    asleep: Cell<bool>,
    /// Work after which it wakes.
    wakes_after: Cell<Duration>,
    /// The factor by which all work takes longer while it sleeps.
    slowdown: f64,
}

impl Sleeper {
    /// A device that is asleep at first.
    pub fn new(wakes_after: Duration, slowdown: f64) -> Sleeper {
        Sleeper(Rc::new(State {
            now: Cell::default(),
            worked: Cell::default(),
            asleep: Cell::new(true),
            wakes_after: Cell::new(wakes_after),
            slowdown,
        }))
    }

    /// Puts it to sleep, as when others work.
    pub fn rest(&self) {
        self.0.asleep.set(true);
        self.0.worked.set(Duration::ZERO);
    }

    /// Puts it to sleep for ever.
    pub fn never_wakes(&self) {
        self.rest();
        self.0.wakes_after.set(Duration::MAX);
    }

    /// Does work that takes this long when awake, and returns the time that it took.
    pub fn work(&self, awake: Duration) -> Duration {
        let state = &self.0;
        let took = if state.asleep.get() { awake.mul_f64(state.slowdown) } else { awake };
        state.now.set(state.now.get() + took);
        state.worked.set(state.worked.get() + took);
        if state.worked.get() >= state.wakes_after.get() {
            state.asleep.set(false);
        }
        took
    }
}

impl Workload for Sleeper {
    fn time(&mut self) -> Result<Duration, Error> {
        Ok(self.work(COPY))
    }

    fn keep_busy(&mut self) -> Result<(), Error> {
        self.work(COPY * 15);
        Ok(())
    }

    fn now(&self) -> Duration {
        self.0.now.get()
    }
}
