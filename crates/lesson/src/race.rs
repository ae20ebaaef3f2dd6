//! A race of scans on an imagined machine: work against depth, for as many processors as one likes. From plans alone.
//!
//! A pass runs one task for each texel that it writes. The machine runs as many tasks at a time as it has processors: a wave. A task
//! takes a step for each number that it adds, and at least one. So a pass of `t` tasks that add `a` numbers takes
//! `ceil(t / P) * max(1, ceil(a / t))` steps. A loop is one task.

use rasterscan::tools::Request;
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::Choice;
use rasterscan::{Device, ScanSpec};

/// A scan in a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runner {
    /// The algorithm, as on the command line.
    pub name: String,
    /// The passes, in order.
    pub passes: Vec<Tasks>,
}

/// The tasks of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tasks {
    /// Texels that it writes.
    pub count: u64,
    /// Steps that each of them takes.
    pub steps: u64,
}

impl Tasks {
    /// The steps with so many processors; without a number, with one for each task.
    pub fn steps_with(&self, processors: Option<u64>) -> u64 {
        self.steps * processors.map_or(1, |processors| self.count.div_ceil(processors.max(1)))
    }
}

impl Runner {
    /// The steps of all passes with so many processors.
    pub fn steps_with(&self, processors: Option<u64>) -> u64 {
        self.passes.iter().map(|pass| pass.steps_with(processors)).sum()
    }

    /// The steps of all tasks.
    pub fn work(&self) -> u64 {
        self.steps_with(Some(1))
    }
}

/// The scans that race over `n` items, on a device without compute shaders: from the one with the least depth to that with
/// the least work. The hybrid reduces until there are no more sums than processors (sengupta2006, section 2.4). Cost: building
/// the plans.
pub fn runners(n: u64, processors: Option<u64>) -> Vec<Runner> {
    let request = Request::from(&ScanSpec::new::<u32>(n as usize));
    let fits = |reduced: &u32| processors.is_none_or(|processors| n.div_ceil(1 << reduced) <= processors);
    let reduces = (1..n.max(2).ilog2()).find(fits).unwrap_or(n.max(2).ilog2());
    let names =
        ["horn", &format!("hybrid:reduce={reduces}"), "blelloch", "packed", "sequential"].map(String::from);
    let passes = |name: &str| {
        let plan = Choice::parse(SCAN, name).ok()?.plan(&request, &Device::gl33()).ok()?;
        let Some(plan) = plan else {
            return Some(vec![Tasks { count: 1, steps: n.saturating_sub(1) }]);
        };
        let tasks = |pass: &rasterscan::plan::Pass| {
            let count = pass.cost.texels_written.max(1);
            Tasks { count, steps: pass.cost.adds.div_ceil(count).max(1) }
        };
        Some(plan.passes().iter().map(tasks).collect())
    };
    names.into_iter().filter_map(|name| Some(Runner { passes: passes(&name)?, name })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(name: &str, processors: Option<u64>) -> u64 {
        let runners = runners(1 << 10, processors);
        let runner = runners.iter().find(|runner| runner.name.starts_with(name)).unwrap();
        runner.steps_with(processors)
    }

    #[test]
    fn few_processors_favour_little_work_and_many_favour_little_depth() {
        let names = |processors| {
            runners(1 << 10, processors).into_iter().map(|runner| runner.name).collect::<Vec<_>>()
        };
        assert_eq!(names(Some(64)), ["horn", "hybrid:reduce=4", "blelloch", "packed", "sequential"]);
        assert_eq!(
            (names(None)[1].as_str(), names(Some(1))[1].as_str()),
            ("hybrid:reduce=1", "hybrid:reduce=10")
        );
        assert_eq!((steps("sequential", Some(1)), steps("sequential", None)), (1023, 1023));
        // Ten passes of 1,024 texels.
        assert_eq!((steps("horn", Some(1)), steps("horn", Some(32)), steps("horn", None)), (10240, 320, 10));
        assert!(steps("blelloch", Some(1)) < steps("horn", Some(1)) && steps("blelloch", None) > 10);
        let fastest = |processors| {
            let of = |name: &&str| steps(name, processors);
            ["horn", "hybrid", "blelloch", "sequential"].into_iter().min_by_key(of).unwrap()
        };
        assert_eq!((fastest(Some(1)), fastest(Some(64)), fastest(None)), ("sequential", "hybrid", "horn"));
        for name in ["horn", "hybrid", "blelloch", "packed", "sequential"] {
            let more: Vec<u64> = (0..12).map(|log| steps(name, Some(1 << log))).collect();
            assert!(
                more.is_sorted_by(|few, many| few >= many),
                "{name}: more processors are not slower: {more:?}"
            );
        }
    }
}
