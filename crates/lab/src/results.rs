//! The page of results: documents of `compare --json` and of `selftest --json` as Markdown.

use std::collections::BTreeSet;

use rasterscan::ElementType;
use rasterscan::tools::copy::TextureCopy;
use rasterscan::tools::printable::printable;
use rasterscan::tools::problem::{self, Problem};
use rasterscan::tools::registry::{self, Era};

use crate::case::{Case, length};
use crate::cell::{Pace, Row};
use crate::compare::CompareDocument;
use crate::contender::Contender;
use crate::contender::PREFIX;
use crate::measure::median;
use crate::selftest::{SelftestReport, WrongJob};
use crate::table::{MARK, distinct};
use rasterscan_drawing::number::{grouped, significant};

const HEAD: &str = "\
# Measured results

`rasterscan results` makes this page from the documents of `rasterscan compare --json` and `rasterscan selftest --json`. It is not
edited by hand.
";

const COMPARISONS: &str = "
A cell is the median time of a run in milliseconds. The number in brackets is that time as a multiple of the time that a copy of
the same stream takes: `copy:texture` for algorithms that draw, `copy:buffer` for those that use compute shaders. `*` marks a
time taken while the device ran below its full speed. An empty cell was not measured. A section names only what differs from
the section before it, if both are of one device.
";

const RUNS: &str = "\
Of several runs, a cell is the median of their medians, then the least and the greatest of these. The brackets compare the medians.
";

const PEERS: &str = "\
Names that begin with `peer:` are other projects'. A program of its own timed them, after all others and not in turns with them.
";

/// The protocol, as the page in `docs/` links to it.
const PROTOCOL: &str = "../crates/lab/docs/measuring.md";

const DEVICES: &str = "
## Devices that were checked

A case is right if its result equals that of a sequential loop. A case is not applicable if the device or the algorithm does not
run it, for example a compute shader in WebGL 2. Where a report checked fewer cases than there are, its time was over.

";

/// The page: a table of the devices that were checked, then a section for each comparison. Both have hardware before
/// software, and are sorted by device, problem and date. Comparisons of the same cases with the same program on the same
/// machine are runs of one, and share a section.
pub fn page(documents: &[CompareDocument], reports: &[SelftestReport]) -> String {
    let mut documents: Vec<&CompareDocument> = documents.iter().collect();
    documents.sort_by_key(|&document| {
        let machine = &document.machine;
        let problem = problem_of(document);
        let number = problem::ALL.into_iter().position(|known| Some(known) == problem);
        (machine.software, &machine.renderer, number, &machine.date)
    });
    let peers = documents.iter().flat_map(|document| &document.rows).any(|row| row.name.starts_with(PREFIX));
    let mut page = HEAD.to_owned();
    if !documents.is_empty() {
        page += COMPARISONS;
    }
    if peers {
        page += PEERS;
    }
    let mut comparisons: Vec<Comparison> = Vec::new();
    for document in documents {
        match comparisons.iter_mut().find(|comparison| comparison.is_of(document)) {
            Some(comparison) => comparison.runs.push(document),
            None => comparisons.push(Comparison { runs: vec![document] }),
        }
    }
    if comparisons.iter().any(|comparison| comparison.runs.len() > 1) {
        page += RUNS;
    }
    page += &devices(reports);
    for (number, comparison) in comparisons.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| comparisons[before].first());
        page += &format!("\n{}", section(comparison, before));
    }
    page
}

/// One or more runs of a comparison.
struct Comparison<'a> {
    /// At least one, the earliest first.
    runs: Vec<&'a CompareDocument>,
}

impl Comparison<'_> {
    fn first(&self) -> &CompareDocument {
        self.runs[0]
    }

    /// Returns true if a document is a further run: of the same machine, program and commit, and of the same cases.
    fn is_of(&self, document: &CompareDocument) -> bool {
        let first = self.first();
        first.machine.is_like(&document.machine)
            && first.commit == document.commit
            && !first.rows.is_empty()
            && first.distinct_cases() == document.distinct_cases()
    }

    /// The rows of a contender on a case, one of each run that has it.
    fn rows(&self, name: &str, shape: &Case, n: u64) -> Vec<&Row> {
        let of = |row: &&Row| row.name == name && row.case.n() == n && row.case.with_len(0) == *shape;
        self.runs.iter().filter_map(|run| run.rows.iter().find(of)).collect()
    }
}

/// The median of rows' times, and the least and the greatest of them; all zero if there are none.
fn spread(rows: &[&Row]) -> [f64; 3] {
    if rows.is_empty() {
        return [0.0; 3];
    }
    let mut times: Vec<f64> = rows.iter().map(|row| row.ms).collect();
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = times.iter().copied().fold(0.0, f64::max);
    [median(&mut times), least, greatest]
}

/// A table of the devices that were checked, and a list of what was wrong; empty if there are no reports.
fn devices(reports: &[SelftestReport]) -> String {
    if reports.is_empty() {
        return String::new();
    }
    let mut reports: Vec<&SelftestReport> = reports.iter().collect();
    reports.sort_by_key(|report| {
        let machine = &report.machine;
        (machine.software, &machine.renderer, &machine.system, &machine.date)
    });
    let heads =
        ["device", "driver", "system", "program", "date", "checked", "right", "wrong", "not applicable"];
    let mut section = DEVICES.to_owned();
    section += &line(heads.map(String::from).into_iter());
    section += &line(heads.iter().map(|head| match *head {
        "checked" | "right" | "wrong" | "not applicable" => "---:".into(),
        _ => "---".into(),
    }));
    for report in &reports {
        let machine = &report.machine;
        let commit = report.commit.as_ref().map_or(String::new(), |commit| format!(" ({commit})"));
        let texts = [
            machine.renderer.clone(),
            format!("{} ({})", machine.version, machine.api),
            machine.system.clone(),
            machine.program.clone() + &commit,
            machine.date.clone(),
        ];
        let (checked, cases) = (grouped(report.checked as u64), grouped(report.cases as u64));
        let counts = [
            format!("{checked} of {cases}"),
            grouped(report.total(|row| row.right)),
            grouped(report.total(|row| row.wrong)),
            grouped(report.total(|row| row.not_applicable)),
        ];
        section += &line(texts.iter().map(|text| escaped(text)).chain(counts));
    }
    for report in reports.iter().filter(|report| !report.wrong.is_empty()) {
        section += &format!("\nWrong on {}:\n\n", escaped(&report.machine.renderer));
        for WrongJob { command, what } in report.wrong.iter().take(FIRST_WRONG) {
            section += &format!("- {}: {}\n", code(command), escaped(what));
        }
        if let more @ 1.. = report.wrong.len().saturating_sub(FIRST_WRONG) {
            section += &format!("- and {} more\n", grouped(more as u64));
        }
    }
    section
}

/// The most wrong cases that are listed for a device.
const FIRST_WRONG: usize = 10;

/// The problem of a document's rows, which are all of one.
fn problem_of(document: &CompareDocument) -> Option<&'static Problem> {
    document.rows.first().map(|row| row.case.problem())
}

/// A comparison: the machine, as far as it differs from that of the one before, the protocol, and a table for each shape.
fn section(comparison: &Comparison, before: Option<&CompareDocument>) -> String {
    let document = comparison.first();
    let device = escaped(&document.machine.renderer);
    let title = match problem_of(document) {
        Some(problem) => format!("{device}: {}s", problem.noun),
        None => device,
    };
    let mut section = format!("## {title}\n\n{}", list(document, before));
    if let [_, .., last] = comparison.runs[..] {
        section +=
            &format!("- Runs: {}, the last of {}\n", comparison.runs.len(), escaped(&last.machine.date));
    }
    section += &format!("\n{}\n", protocol(comparison));
    for shape in shapes(document) {
        section += &format!("\n### {}\n\n{}", heading(&shape), table(comparison, &shape));
    }
    section
}

/// The facts as a list. For the same machine as before, only those that differ, and the date and the commit.
fn list(document: &CompareDocument, before: Option<&CompareDocument>) -> String {
    let known =
        before.filter(|before| before.machine.is_like(&document.machine)).map(facts).unwrap_or_default();
    let said =
        |fact: &(String, String)| known.contains(fact) && !["Date", "Commit"].contains(&fact.0.as_str());
    let facts = facts(document).into_iter().filter(|fact| !said(fact));
    facts.map(|(name, value)| format!("- {name}: {}\n", escaped(&value))).collect()
}

/// The machine, the commit and the yardstick.
fn facts(document: &CompareDocument) -> Vec<(String, String)> {
    let mut facts = document.machine.facts();
    facts.push(("Commit".into(), document.commit.clone().unwrap_or_else(|| "not recorded".into())));
    let yardstick = |pace: &Pace| {
        let (best, percent) = (significant(pace.best_ms), (1e4 * pace.tolerance).round() / 1e2);
        format!("{}, {best} ms at its best; up to {percent}% more counts as full speed", pace.work)
    };
    let yardstick = document.yardstick.as_ref().map_or_else(|| "not recorded".into(), yardstick);
    facts.push(("Yardstick".into(), yardstick));
    facts
}

/// The protocol, in a sentence.
fn protocol(comparison: &Comparison) -> String {
    let rows: Vec<&Row> = comparison.runs.iter().flat_map(|run| &run.rows).collect();
    if rows.is_empty() {
        return "Nothing was measured.".into();
    }
    let verified = match rows.iter().filter(|row| !row.verified).count() {
        0 => "Every result was verified".into(),
        unverified => format!("{unverified} of {} results could not be verified", rows.len()),
    };
    let seconds = comparison.first().seconds;
    let all = if comparison.runs.len() > 1 { "each" } else { "in all" };
    format!("{verified}, and contenders were timed in turns, for {seconds} s {all} ([protocol]({PROTOCOL})).")
}

/// The cases without their lengths, in the order in which they were measured.
fn shapes(document: &CompareDocument) -> Vec<Case> {
    distinct(document.rows.iter().map(|row| row.case.with_len(0)))
}

/// A shape, with its element in any case: `Scans of u32, order 8`.
fn heading(shape: &Case) -> String {
    let noun = shape.problem().noun;
    let heading = format!("{}{}s of {}", noun[..1].to_uppercase(), &noun[1..], shape.element());
    match shape.clone().of(ElementType::U32).particulars() {
        particulars if particulars.is_empty() => heading,
        particulars => format!("{heading}, {}", escaped(&particulars)),
    }
}

/// The times of one shape: a row for each contender, a column for each length.
fn table(comparison: &Comparison, shape: &Case) -> String {
    let rows = comparison.runs.iter().flat_map(|run| &run.rows).filter(|row| row.case.with_len(0) == *shape);
    let rows: Vec<&Row> = rows.collect();
    let lengths: BTreeSet<u64> = rows.iter().map(|row| row.case.n()).collect();
    let mut contenders: Vec<&Row> = Vec::new();
    for row in &rows {
        if !contenders.iter().any(|known| known.name == row.name) {
            contenders.push(row);
        }
    }
    contenders.sort_by_key(|row| rank(row));
    let columns = lengths.iter().map(|n| length(*n));
    let mut table = line(["ms".into()].into_iter().chain(columns));
    table += &line(["---".into()].into_iter().chain(lengths.iter().map(|_| "---:".into())));
    for contender in contenders {
        let copy = copy_for(contender);
        let cells = lengths.iter().map(|n| {
            let of = |name: &str| comparison.rows(name, shape, *n);
            cell(&of(&contender.name), &copy.as_deref().map(of).unwrap_or_default())
        });
        table += &line([code(&contender.name)].into_iter().chain(cells));
    }
    table
}

/// The rank of a contender: copies, the CPU, algorithms in the registry's order, unknown ones, and peers.
fn rank(row: &Row) -> (u8, Option<usize>) {
    let known = || registry::of(row.case.problem()).position(|card| card.name == row.algorithm);
    match row.name.as_str() {
        name if name.starts_with("copy:") => (0, None),
        name if name.starts_with("cpu:") => (1, None),
        name if name.starts_with(PREFIX) => (4, None),
        _ => known().map_or((3, None), |number| (2, Some(number))),
    }
}

/// The copy that does the least work that this algorithm must do; `None` if it does not run on the GPU.
fn copy_for(row: &Row) -> Option<String> {
    let card = registry::of(row.case.problem()).find(|card| card.name == row.algorithm)?;
    match card.era {
        Era::Texture => Some(TextureCopy::default().to_string()),
        Era::Compute => Some(Contender::CopyBuffer.name()),
        _ => None,
    }
}

/// The times of a contender, with their mark, and as a multiple of the copy's; empty if there are none.
fn cell(rows: &[&Row], copies: &[&Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mark = if rows.iter().any(|row| row.is_unsettled()) { MARK } else { "" };
    let ([median, least, greatest], [copy, ..]) = (spread(rows), spread(copies));
    let range = match rows.len() {
        1 => String::new(),
        _ => format!(" {}–{}", significant(least), significant(greatest)),
    };
    let multiple = if copy > 0.0 { format!(" ({})", significant(median / copy)) } else { String::new() };
    significant(median) + mark + &range + &multiple
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells = cells.map(|cell| if cell.is_empty() { " |".into() } else { format!(" {cell} |") });
    format!("|{}\n", cells.collect::<String>())
}

/// A name as code, in a table too.
fn code(name: &str) -> String {
    format!("`{}`", printable(name).replace('`', "'").replace('|', "\\|"))
}

/// Text whose characters mean nothing in Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in printable(text).chars() {
        if "\\`*[]<|".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rasterscan::Error;
    use rasterscan::algorithm::results::Verified;
    use rasterscan::tools::conformance::Verdict;
    use rasterscan::tools::job::Job;

    use super::*;
    use crate::compare;
    use crate::machine::Machine;
    use crate::stub;

    /// A document of these contenders with their times, all verified.
    fn document(renderer: &str, software: bool, rows: &[(&str, Case, f64)]) -> CompareDocument {
        let machine = Machine { renderer: renderer.into(), software, ..stub::machine() };
        let mut document = CompareDocument::new(machine, "copy:texture", Duration::from_secs(60));
        document.commit = Some("0123abc".into());
        document.yardstick =
            Some(Pace { work: "copy:texture of 2^22 u32".into(), best_ms: 0.2994, tolerance: 0.03 });
        document.rows.extend(rows.iter().map(|(name, case, ms)| Row {
            algorithm: name.split(':').next().unwrap().into(),
            verified: true,
            ms: *ms,
            ..Row::named(name, case)
        }));
        document
    }

    /// The lines of a page that begin so, without that.
    fn lines<'a>(page: &'a str, begins: &str) -> Vec<&'a str> {
        page.lines().filter_map(|line| line.strip_prefix(begins)).collect()
    }

    #[test]
    fn a_small_page() {
        let (short, long) = (Case::scan(1000), Case::scan(1 << 20));
        let mut gpu = document(
            "A GPU",
            false,
            &[
                ("copy:texture", long.clone(), 0.0758),
                ("copy:buffer", long.clone(), 0.00752),
                ("cpu:sequential", long.clone(), 1234.5),
                ("look_back", long.clone(), 0.01334),
                ("packed", long.clone(), 0.1313),
                ("horn", long.clone(), 1.549),
                ("copy:texture", short.clone(), 0.002),
                ("packed", short.clone(), 0.01),
                ("look_back", short, 0.0123),
                ("peer:numpy", long.clone(), 2.5),
                ("horn", long.order(2), 2.0),
            ],
        );
        gpu.rows[5].settled = Some(false);
        let cpu =
            document("llvmpipe (256 bits)", true, &[("scatter:scan=sam", Case::compact(4096, 0.6), 25.0)]);
        insta::assert_snapshot!(page(&[cpu, gpu], &[]));
    }

    #[test]
    fn hardware_comes_first_and_then_the_device_the_problem_and_the_date_decide() {
        let scan = [("horn", Case::scan(8), 1.0)];
        let of = |renderer: &str, software: bool, date: &str| {
            let mut document = document(renderer, software, &scan);
            document.machine.date = date.into();
            // Of one commit, they would be runs of one comparison.
            document.commit = Some(date.into());
            document
        };
        let compaction = document("B", false, &[("horn", Case::compact(8, 0.5), 1.0)]);
        let nothing = document("B", false, &[]);
        let documents = [
            of("A", true, "2026"),
            compaction,
            of("B", false, "2026-02"),
            of("B", false, "2026-01"),
            nothing,
            of("A", false, "2026"),
        ];
        let page = page(&documents, &[]);
        let sections = ["A: scans", "B", "B: scans", "B: scans", "B: compactions", "A: scans"];
        assert_eq!(lines(&page, "## "), sections);
        let dates = lines(&page, "- Date: ");
        assert_eq!(dates[2..4], ["2026-01", "2026-02"]);
        assert_eq!(page.matches("Nothing was measured.").count(), 1);
    }

    #[test]
    fn contenders_stand_in_the_order_of_the_registry_and_variants_in_their_own() {
        let names = [
            "peer:numpy",
            "unheard_of",
            "sam",
            "hybrid:reduce=4",
            "hybrid:reduce=2",
            "horn",
            "cpu:sequential",
            "copy:texture",
            "copy:buffer",
        ];
        let rows = names.map(|name| (name, Case::scan(8), 1.0));
        let page = page(&[document("A", false, &rows)], &[]);
        let got: Vec<&str> = lines(&page, "| `").iter().filter_map(|line| line.split('`').next()).collect();
        let order = [
            "copy:texture",
            "copy:buffer",
            "cpu:sequential",
            "horn",
            "hybrid:reduce=4",
            "hybrid:reduce=2",
            "sam",
            "unheard_of",
            "peer:numpy",
        ];
        assert_eq!(got, order);
    }

    #[test]
    fn runs_of_one_comparison_share_a_table() {
        let run = |copy: f64, scan: f64| {
            document("A", false, &[("copy:buffer", Case::scan(8), copy), ("look_back", Case::scan(8), scan)])
        };
        let runs = [run(1.0, 2.0), run(1.5, 4.0), run(2.0, 3.0)];
        let page = page(&runs, &[]);
        assert_eq!(lines(&page, "## "), ["A: scans"]);
        assert_eq!(lines(&page, "- Runs: "), ["3, the last of 2026-01-01T00:00:00Z"]);
        assert_eq!(
            lines(&page, "| `"),
            ["copy:buffer` | 1.50 1.00–2.00 |", "look_back` | 3.00 2.00–4.00 (2.00) |"]
        );
        assert!(page.contains("Of several runs, a cell is") && page.contains(" s each ("), "{page}");
        // Of other cases, or of another commit.
        let mut newer = run(1.0, 2.0);
        newer.commit = Some("4567def".into());
        let longer = document("A", false, &[("look_back", Case::scan(16), 1.0)]);
        let apart = super::page(&[run(1.0, 2.0), newer, longer], &[]);
        assert_eq!(lines(&apart, "## ").len(), 3);
        assert!(!apart.contains("Of several runs"));
    }

    #[test]
    fn every_shape_has_a_table() {
        let floats = Case::scan(8).of(ElementType::F32).exclusive().tuple(3);
        let cases = [Case::scan(8), floats.clone(), Case::scan(16), floats.with_len(16)];
        let rows = cases.map(|case| ("horn", case, 1.0));
        let page = page(&[document("A", false, &rows)], &[]);
        assert_eq!(lines(&page, "### "), ["Scans of u32", "Scans of f32, exclusive, 3-tuples"]);
        assert_eq!(lines(&page, "| ms "), ["| 8 | 16 |"; 2]);
    }

    #[test]
    fn what_is_not_known_is_said() {
        let mut old = document("A", false, &[("horn", Case::scan(8), 1.0), ("sam", Case::scan(8), 1.0)]);
        (old.commit, old.yardstick, old.rows[1].verified) = (None, None, false);
        let page = page(&[old], &[]);
        assert_eq!(lines(&page, "- Commit: "), ["not recorded"]);
        assert_eq!(lines(&page, "- Yardstick: "), ["not recorded"]);
        assert!(page.contains("\n1 of 2 results could not be verified, and"), "{page}");
    }

    #[test]
    fn devices_stand_once_each_with_what_is_wrong() {
        let report = |renderer: &str, software: bool, wrong: usize| {
            let machine = Machine { renderer: renderer.into(), software, ..stub::machine() };
            let mut report = SelftestReport::new(machine, 81_700);
            let job = Job::parse("scan ones:n=3 -a horn".split(' ')).unwrap();
            let command = || "rasterscan scan ones:n=3 -a horn".to_owned();
            report.add(&job, Verdict::Right(Verified { compared: 3, unbounded: 0 }), command);
            for _ in 0..wrong {
                report.add(&job, Verdict::Failed(Error::InUse), command);
            }
            report.commit = Some("0123abc".into());
            report
        };
        let page = page(&[], &[report("llvmpipe", true, 0), report("B|C", false, 12), report("A", false, 0)]);
        assert!(!page.contains("A cell is"), "there is no comparison: {page}");
        let rows = lines(&page, "| ");
        let first = |row: &&str| row.split(" | ").next().unwrap().to_owned();
        assert_eq!(rows.iter().map(first).collect::<Vec<_>>(), ["device", "---", "A", "B\\|C", "llvmpipe"]);
        assert!(rows[3].ends_with("| 13 of 81,700 | 1 | 12 | 0 |"), "{}", rows[3]);
        let wrong = lines(&page, "- ");
        assert_eq!((wrong.len(), wrong[10]), (11, "and 2 more"));
        assert!(wrong[0].starts_with("`rasterscan scan ones:n=3 -a horn`: "), "{}", wrong[0]);
        assert_eq!(lines(&page, "Wrong on "), ["B\\|C:"]);
    }

    #[test]
    fn names_break_neither_a_heading_nor_a_table() {
        let page = page(&[document("A|B*\n# C", false, &[("a|b`c", Case::scan(8), 1.0)])], &[]);
        assert_eq!(lines(&page, "## "), [r"A\|B\*\\n# C: scans"]);
        assert_eq!(lines(&page, "| `"), [r"a\|b'c` | 1.00 |"]);
    }

    #[test]
    fn fuzz() {
        let rows = [("horn", Case::scan(1 << 20), 1.5), ("copy:texture", Case::scan(1 << 20), 0.5)];
        let corpus = vec![serde_json::to_vec(&document("A", false, &rows)).unwrap()];
        let words = ["null", "\"ms\":", "\"copy:texture\"", "0", ",", "}", "]"];
        rasterscan_fuzz::Fuzz { name: "results", corpus, words: &words, repair: |_| {}, cases: 1000 }.run(
            |bytes| match compare::parse(bytes) {
                Ok(document) => page(&[document], &[]),
                Err(error) => error.to_string(),
            },
        );
    }
}
