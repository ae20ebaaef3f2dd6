//! `list`: every algorithm with its card, and whether this device runs it.

use anyhow::ensure;
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use rasterscan::tools::printable::printable;
use rasterscan::tools::problem::{self, Problem};
use rasterscan::tools::registry::{self, Card, Era, Parameter};
use rasterscan::{Device, ElementType, Gpu};

use crate::console::Console;
use crate::device::DeviceOptions;
use rasterscan_lab::document::word_or_number;
use rasterscan_lab::table;

use crate::console::called;
use crate::document::{Counts, Gl};
use crate::exit::Usage;
use crate::output;

/// The length for which plans are counted.
const COUNTED: u64 = 1 << 20;

/// List every algorithm: its paper, what it needs, its parameters, and whether this device runs it
#[derive(Debug, Args)]
pub struct ListOptions {
    /// Only these: names of algorithms, or of problems
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub fn run(options: &ListOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let cards = named(&options.names)?;
    // Without a device, the list says why support is unknown.
    let gpu = device.open();
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    let device = gpu.as_ref().map(Gpu::device).map_err(|error| first_line(error.to_string()));
    let rows: Vec<ListRow> = cards.into_iter().map(|card| ListRow::new(card, &device)).collect();
    if options.json {
        let gl = device.ok().map(Gl::of);
        return output::json_to_stdout(&ListDocument { schema: "rasterscan.list/1", gl, algorithms: rows });
    }
    match &device {
        Ok(device) => console.note(format!("{} algorithms; this device is {device}", rows.len())),
        Err(reason) => console.note(format!("cannot tell which algorithms run here: {reason}")),
    }
    let listed = |problem: &&Problem| rows.iter().any(|row| row.family == problem.name);
    let problems: Vec<String> =
        problem::ALL.into_iter().filter(listed).map(|problem| text_of(problem, &rows)).collect();
    output::text_to_stdout(&problems.join("\n"))
}

/// The cards of these algorithms and problems; without names, all.
fn named(names: &[String]) -> anyhow::Result<Vec<&'static Card>> {
    let is = |card: &Card, name: &str| card.name == name || card.problem.name == name;
    for name in names {
        let problems = problem::ALL.into_iter().map(|problem| problem.name);
        let known = problems.chain(registry::all().map(|card| card.name));
        ensure!(
            registry::all().any(|card| is(card, name)),
            Usage(format!(
                "there is no algorithm or problem '{}'; {}",
                printable(name),
                registry::hint(name, known)
            ))
        );
    }
    let wanted = |card: &&Card| names.is_empty() || names.iter().any(|name| is(card, name));
    Ok(registry::all().filter(wanted).collect())
}

/// A problem's algorithms under a heading.
fn text_of(problem: &Problem, rows: &[ListRow]) -> String {
    let name = problem.name;
    let (first, rest) = problem.noun.split_at(1);
    let title = format!("{}{rest}s", first.to_uppercase());
    let cards = rows.iter().filter(|row| row.family == name).map(|row| format!("\n{}", row.text()));
    format!("{title}: {} {name} INPUT -a NAME\n{}", called(), cards.collect::<String>())
}

#[derive(Debug, Serialize)]
struct ListDocument {
    schema: &'static str,
    /// `null` if there is no device.
    gl: Option<Gl>,
    algorithms: Vec<ListRow>,
}

#[derive(Debug, Serialize)]
struct ListRow {
    name: &'static str,
    summary: &'static str,
    family: &'static str,
    era: &'static str,
    /// Passes over n items, and the work, as formulas.
    passes: &'static str,
    work: &'static str,
    /// Keys of the bibliography.
    source: &'static [&'static str],
    requires: &'static str,
    parameters: Vec<ParameterRow>,
    /// `null` if there is no device to ask.
    supported: Option<bool>,
    /// The reason why it is not, or why that is unknown.
    reason: Option<String>,
    /// Counts for 2^20 u32 and default parameters, all kept, on this device or plain OpenGL 4.3; `null` if there is no
    /// plan.
    counts: Option<Counts>,
}

#[derive(Debug, Serialize)]
struct ParameterRow {
    name: &'static str,
    about: &'static str,
    default: Value,
    range: String,
}

impl ListRow {
    fn new(card: &'static Card, device: &Result<&Device, String>) -> ListRow {
        let (supported, reason) = match device {
            Ok(device) => match card.supported(device) {
                Ok(()) => (Some(true), None),
                Err(unsupported) => (Some(false), Some(unsupported.to_string())),
            },
            Err(_) if card.era == Era::Cpu => (Some(true), None),
            Err(reason) => (None, Some(reason.clone())),
        };
        let parameter = |parameter: &'static Parameter| ParameterRow {
            name: parameter.name,
            about: parameter.about,
            default: word_or_number(parameter.default),
            range: parameter.domain.to_string(),
        };
        ListRow {
            name: card.name,
            summary: card.summary,
            family: card.problem.name,
            era: card.era.name(),
            passes: card.passes,
            work: card.work,
            source: card.sources,
            requires: card.needs.name(),
            parameters: card.parameters.iter().map(parameter).collect(),
            supported,
            reason,
            counts: counts(card, device.as_ref().map_or(&Device::gl43(), |device| device)),
        }
    }

    /// The card as text: the name in the first column, the rest beside it.
    fn text(&self) -> String {
        let support = match (self.supported, &self.reason) {
            (Some(true), _) => "runs here".into(),
            (Some(false), Some(reason)) => format!("does not run here: {reason}"),
            _ => "unknown whether it runs here".into(),
        };
        let mut text = format!(
            "{}\n{} era; needs {}; {support}\nsource: {}\n",
            self.summary,
            self.era,
            self.requires,
            self.source.join(", ")
        );
        if !self.passes.is_empty() {
            text += &format!("passes: {}\n", self.passes);
        }
        text += &format!("work: {}", self.work);
        for parameter in &self.parameters {
            let ParameterRow { name, about, default, range } = parameter;
            let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
            text += &format!("\nparameter {name}: {range} (default {default})\n  {about}");
        }
        let mut card = table::plain();
        card.add_row(vec![format!("{:<16}", self.name), text]);
        table::render(card)
    }
}

fn counts(card: &'static Card, device: &Device) -> Option<Counts> {
    let choice = card.with_defaults();
    let request = card.problem.plain(ElementType::U32, COUNTED).ok()?;
    choice.plan(request, device).ok().flatten().as_ref().map(Counts::of)
}
