//! Contenders: algorithms of the registry, and the baselines they are compared with.

use rasterscan::scan::compute::Capannini;
use rasterscan::tools::problem::Problem;
use rasterscan::tools::registry::{Choice, ChoiceError, Era};
use rasterscan::{Device, Error, Plan, Unsupported, tools::copy};

use crate::case::Case;
use crate::cpu::Cpu;

/// A contender, which runs a case.
#[derive(Debug, Clone)]
pub enum Contender {
    /// An algorithm of the registry.
    Algorithm(Choice),
    /// A full-screen pass that copies the stream.
    CopyTexture,
    /// A compute pass that copies the stream.
    CopyBuffer,
    /// An algorithm of the registry, timed on the CPU's clock from the call to the end of the work: with its launches.
    Launched(Choice),
    /// The CPU's own algorithm.
    Cpu(Cpu),
    /// capannini2011's case (i): blocks, each scanned alone. Not the scan that the case asks for.
    IndependentBlocks(Capannini),
}

impl Contender {
    /// The baselines that every comparison has.
    pub const BASELINES: &[Contender] = &[
        Contender::CopyTexture,
        Contender::CopyBuffer,
        Contender::Cpu(Cpu::Sequential),
        #[cfg(feature = "parallel")]
        Contender::Cpu(Cpu::Parallel),
    ];

    /// An algorithm of the registry, or a baseline, by its name. The registry's algorithm for the CPU is the baseline.
    pub fn parse(problem: &Problem, text: &str) -> Result<Contender, ChoiceError> {
        if let Some(baseline) = Contender::BASELINES.iter().find(|baseline| baseline.name() == text) {
            return Ok(baseline.clone());
        }
        let choice = Choice::parse(problem, text)?;
        Ok(match choice.card.era {
            Era::Cpu => Contender::Cpu(Cpu::Sequential),
            _ => Contender::Algorithm(choice),
        })
    }

    /// The name, as written on the command line.
    pub fn name(&self) -> String {
        match self {
            Contender::Algorithm(choice) => choice.to_string(),
            Contender::Launched(choice) => format!("launched:{choice}"),
            Contender::CopyTexture => "copy:texture".into(),
            Contender::CopyBuffer => "copy:buffer".into(),
            Contender::Cpu(Cpu::Sequential) => "cpu:sequential".into(),
            Contender::Cpu(Cpu::Harris) => "cpu:harris".into(),
            #[cfg(feature = "parallel")]
            Contender::Cpu(Cpu::Parallel) => "cpu:parallel".into(),
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
            Contender::CopyTexture => copy::texture(&stream, device).map(Some),
            Contender::CopyBuffer => copy::buffer(&stream, device).map(Some),
            Contender::Cpu(_) => Ok(None),
            Contender::IndependentBlocks(capannini) => match case.request()?.get() {
                Some(spec) => capannini.independent_blocks(spec, device).map(Some),
                None => Err(Unsupported::request("only scans have independent blocks").into()),
            },
        }
    }
}
