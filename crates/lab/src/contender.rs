//! Contenders: algorithms of the registry, and the baselines they are compared with.

use rasterscan::scan::compute::Capannini;
use rasterscan::tools::problem::{Problem, SORT};
use rasterscan::tools::registry::{Choice, ChoiceError, Era};
use rasterscan::{
    Device, Error, Plan, Unsupported,
    tools::copy::{self, TextureCopy},
};

use crate::case::Case;
use crate::cpu::{self, Cpu};

/// The prefix of the names of peers.
pub const PREFIX: &str = "peer:";

/// The names of all peers: see [`peers`](crate::peers).
pub const PEERS: [&str; 7] = [
    "peer:numpy",
    "peer:rdst",
    "peer:lampshade",
    "peer:cub",
    "peer:cub:deterministic",
    "peer:thrust",
    "peer:sam",
];

/// A contender, which runs a case.
#[derive(Debug, Clone)]
pub enum Contender {
    /// An algorithm of the registry.
    Algorithm(Choice),
    /// A draw that copies the stream.
    CopyTexture(TextureCopy),
    /// A compute pass that copies the stream.
    CopyBuffer,
    /// An algorithm of the registry, timed on the CPU's clock from the call to the end of the work: with its launches.
    Launched(Choice),
    /// The CPU's own algorithm.
    Cpu(Cpu),
    /// capannini2011's case (i): blocks, each scanned alone. Not the scan that the case asks for.
    IndependentBlocks(Capannini),
    /// Another implementation, by its name among [`PEERS`]; a program of its own runs it.
    Peer(&'static str),
}

impl Contender {
    /// The baselines that every comparison of a problem has.
    pub fn baselines(problem: &Problem) -> Vec<Contender> {
        let counting = (*problem == *SORT).then_some(Contender::Cpu(Cpu::Counting));
        let all = [
            Contender::CopyTexture(TextureCopy::default()),
            Contender::CopyBuffer,
            Contender::Cpu(Cpu::Sequential),
            #[cfg(feature = "parallel")]
            Contender::Cpu(Cpu::Parallel),
        ];
        all.into_iter().chain(counting).collect()
    }

    /// An algorithm of the registry, or a baseline, by its name. The registry's algorithm for the CPU is the baseline.
    pub fn parse(problem: &Problem, text: &str) -> Result<Contender, ChoiceError> {
        let baseline = Contender::baselines(problem).into_iter().find(|baseline| baseline.name() == text);
        if let Some(baseline) = baseline {
            return Ok(baseline);
        }
        if let Some(peer) = PEERS.into_iter().find(|peer| *peer == text) {
            return Ok(Contender::Peer(peer));
        }
        let choice = Choice::parse(problem, text)?;
        Ok(match choice.card.era {
            Era::Cpu => Contender::Cpu(Cpu::Sequential),
            _ => Contender::Algorithm(choice),
        })
    }

    /// The contender of this name, which the registry has.
    #[cfg(feature = "report")]
    pub(crate) fn known(problem: &Problem, name: &str) -> Contender {
        Contender::parse(problem, name).unwrap_or_else(|error| unreachable!("{name}: {error}"))
    }

    /// The name of another implementation; `None` for ours.
    pub fn peer(&self) -> Option<&'static str> {
        if let Contender::Peer(name) = self { Some(*name) } else { None }
    }

    /// The name, as written on the command line.
    pub fn name(&self) -> String {
        match self {
            Contender::Algorithm(choice) => choice.to_string(),
            Contender::Launched(choice) => format!("launched:{choice}"),
            Contender::CopyTexture(copy) => copy.to_string(),
            Contender::CopyBuffer => "copy:buffer".into(),
            Contender::Cpu(Cpu::Sequential) => "cpu:sequential".into(),
            Contender::Cpu(Cpu::Harris) => "cpu:harris".into(),
            Contender::Cpu(Cpu::Counting) => "cpu:counting".into(),
            #[cfg(feature = "parallel")]
            Contender::Cpu(Cpu::Parallel) => "cpu:parallel".into(),
            Contender::Peer(name) => (*name).into(),
            Contender::IndependentBlocks(capannini) => {
                let block = capannini.block.unwrap_or(Capannini::BLOCK);
                format!("blocks of {block}:pattern={}", capannini.pattern.name())
            }
        }
    }

    /// The plan for a case; `None` for what runs on the CPU.
    pub fn plan(&self, case: &Case, device: &Device) -> Result<Option<Plan>, Error> {
        let stream = case.stream();
        match self {
            Contender::Algorithm(choice) | Contender::Launched(choice) => {
                match choice.plan(case.request()?, device)? {
                    Some(plan) => Ok(Some(plan)),
                    None => Err(Unsupported::request("it runs on the CPU").into()),
                }
            }
            Contender::CopyTexture(copy) => copy.plan(&stream, device).map(Some),
            Contender::CopyBuffer => copy::buffer(&stream, device).map(Some),
            Contender::Cpu(cpu) => Ok(cpu::check(*cpu, &case.request()?).map(|()| None)?),
            Contender::IndependentBlocks(capannini) => match case.request()?.get() {
                Some(spec) => capannini.independent_blocks(spec, device).map(Some),
                None => Err(Unsupported::request("only scans have independent blocks").into()),
            },
            Contender::Peer(_) => Err(Unsupported::request("rasterscan-peers runs it: --peers").into()),
        }
    }
}
