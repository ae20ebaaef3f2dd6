//! Why an algorithm is chosen: its costs against the number of items, from plans alone, without a run.

use rasterscan::plan::Cost;
use rasterscan::tools::job::Job;
use rasterscan::tools::problem::InputInfo;
use rasterscan::tools::registry::Choice;
use rasterscan::{Device, ElementType};

/// The lengths of curves: powers of two, by their logarithms.
pub const LENGTHS: std::ops::RangeInclusive<u32> = 4..=24;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quantity {
    /// Uses of the operator.
    #[default]
    Operations,
    /// Texels read and written.
    Texels,
    /// 32-bit words read and written.
    Words,
    /// Draws and dispatches.
    Passes,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Quantity; 4] =
        [Quantity::Operations, Quantity::Texels, Quantity::Words, Quantity::Passes];

    /// The name on the screen, for a job's operator.
    pub fn name(self, adds: bool) -> &'static str {
        match self {
            Quantity::Operations if adds => "adds",
            Quantity::Operations => "operations",
            Quantity::Texels => "texels",
            Quantity::Words => "words",
            Quantity::Passes => "passes",
        }
    }

    /// The meaning.
    pub fn about(self) -> &'static str {
        match self {
            Quantity::Operations => "applications of the operator",
            Quantity::Texels => "texels read or written; compute shaders have none",
            Quantity::Words => "words of 32 bits, read or written",
            Quantity::Passes => "draws and dispatches",
        }
    }
}

/// The costs for one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// The length, in items.
    pub n: u64,
    /// The cost of all passes, as the plan states it.
    pub cost: Cost,
    /// The number of passes; 0 for an algorithm on the CPU.
    pub passes: u64,
}

impl Costs {
    /// A count.
    pub fn of(&self, quantity: Quantity) -> u64 {
        match quantity {
            Quantity::Operations => self.cost.adds,
            Quantity::Texels => self.cost.texels_read + self.cost.texels_written,
            Quantity::Words => self.cost.words_moved(),
            Quantity::Passes => self.passes,
        }
    }
}

/// The costs of an algorithm for many lengths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// The algorithm, with its parameters.
    pub name: String,
    /// The costs, by length.
    pub costs: Vec<Costs>,
    /// The first length that the device or the request rules out, and why.
    pub refused: Option<(u64, String)>,
}

impl Growth {
    /// The costs of an algorithm for a job's options, at powers of two and at `now`, the current length in items. It ends
    /// at the first length for which there is no plan. Cost: building the plans.
    pub fn new(job: &Job, choice: &Choice, device: &Device, now: u64) -> Growth {
        let mut lengths: Vec<u64> = LENGTHS.map(|log| 1 << log).chain([now.max(1)]).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut growth = Growth { name: choice.to_string(), costs: Vec::new(), refused: None };
        for n in lengths {
            match costs(job, choice, device, n) {
                Ok(costs) => growth.costs.push(costs),
                Err(reason) => {
                    growth.refused = Some((n, reason));
                    break;
                }
            }
        }
        growth
    }

    /// The costs at a length.
    pub fn at(&self, n: u64) -> Option<&Costs> {
        self.costs.iter().find(|costs| costs.n == n)
    }
}

/// The costs of a job for another length, in items; a length that the options rule out becomes the next one they take.
fn costs(job: &Job, choice: &Choice, device: &Device, n: u64) -> Result<Costs, String> {
    let len = (n * job.arity()).next_multiple_of(job.whole().max(1));
    let given = InputInfo::new(job.element.unwrap_or(ElementType::U32), len);
    let request = job.request(given).map_err(|error| error.to_string())?;
    let plan = choice.plan(&request, device).map_err(|error| error.to_string())?;
    Ok(match plan {
        Some(plan) => Costs { n, cost: plan.cost(), passes: plan.passes().len() as u64 },
        None => Costs { n, cost: request.cost(), passes: 0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(words: &str, device: &Device) -> Growth {
        let job = Job::parse(words.split(' ')).unwrap();
        let rasterscan::tools::job::Wanted::Algorithm(choice) = job.algorithm.clone() else {
            panic!("one algorithm")
        };
        Growth::new(&job, &choice, device, 24)
    }

    #[test]
    fn horn_grows_faster_than_the_hybrid() {
        let device = Device::gl43();
        let horn = growth("scan random:n=24 -a horn", &device);
        let hybrid = growth("scan random:n=24 -a blelloch", &device);
        let loops = growth("scan random:n=24 -a sequential", &device);
        assert_eq!(horn.costs.len(), 22, "21 powers of two, and the current length");
        // Horn's scan: n log2(n) - n + 1 adds.
        let adds = |growth: &Growth, n| growth.at(n).unwrap().of(Quantity::Operations);
        assert_eq!(adds(&horn, 1 << 20), (20 << 20) - (1 << 20) + 1);
        assert_eq!(adds(&loops, 1 << 20), (1 << 20) - 1);
        assert!(adds(&hybrid, 1 << 20) < 3 << 20);
        assert!(horn.at(1 << 20).unwrap().passes < hybrid.at(1 << 20).unwrap().passes);
        assert_eq!(loops.at(16).unwrap().of(Quantity::Passes), 0);
    }

    #[test]
    fn a_curve_ends_where_no_plan_is_and_says_why() {
        let small = Device { max_texture_size: 64, ..Device::gl33() };
        let horn = growth("scan random:n=24 -a horn", &small);
        let (n, reason) = horn.refused.clone().unwrap();
        assert!(n > 1 << 10 && n <= 1 << 14 && !reason.is_empty(), "{n}: {reason}");
        assert!(horn.costs.iter().all(|costs| costs.n < n));
        let compute = growth("scan random:n=24 -a look_back", &small);
        assert!(compute.costs.is_empty() && compute.refused.is_some());
    }

    #[test]
    fn options_stay() {
        let device = Device::gl43();
        let plain = growth("scan random:n=24 -a horn", &device);
        let pairs = growth("scan random:n=24 -a horn --op affine", &device);
        let words = |growth: &Growth| growth.at(1 << 10).unwrap().of(Quantity::Words);
        assert_eq!(words(&pairs), 2 * words(&plain));
        assert!(growth("scan random:n=24 -a horn --rows 3", &device).refused.is_none());
    }
}
