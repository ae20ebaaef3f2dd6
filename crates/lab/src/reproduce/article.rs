//! The article on the replication: a source with holes, which the stored reports fill.
//!
//! ```text
//! {{reports}}                             the reports, with their machines and dates
//! {{counts}}                              verdicts by report and paper
//! {{outcomes}}                            the same in a sentence for each report
//! {{claims KEY}}                          a paper's claims with their verdicts, and why those that were judged are not just reproduced
//! {{untestable}}                          the claims that are not testable today, with the reasons
//! {{verdict KEY | CLAIM}}                 the verdict on the claim that begins so
//! {{number KEY | CLAIM | POINT}}          a number of it, with its interval
//! {{figure KEY | TITLE}}                  a figure, of the first report of hardware, else of the first report
//! {{table KEY | TITLE}}                   a table of a section, of every report
//! {{errata KEY}}, {{errors}}              the errors in print of a paper, and the number of all
//! {{ms RUNS | NAME | LENGTH}}             the median time, of the comparisons whose files begin with RUNS
//! {{rate RUNS | NAME | LENGTH}}           the words of 32 bits that it writes in that time, in GB/s
//! {{over RUNS | NAME | OTHER | LENGTH}}   the first one's time over the other's
//! {{of RUNS}}                             their machine, driver and date
//! {{cite KEY}}, {{references}}            a number, and the list of what was cited
//! ```
//!
//! Where reports agree, that is said once, with the names of their cards.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use rasterscan_drawing::number::significant;

use super::effort::Effort;
use super::page::page;
use super::store::Store;
use crate::case::length;
use crate::compare::CompareDocument;
use crate::measure::median;
use crate::report::page::{Claim, Compared, Page, Section, Verdict};
use crate::table::distinct;

/// All that fills holes.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The reports.
    pub reports: &'a [Store],
    /// Comparisons, by the names of their files.
    pub comparisons: &'a [(String, CompareDocument)],
    /// The bibliography, in BibTeX.
    pub bibliography: &'a str,
}

/// A hole that nothing fills: its text, and why.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{{{{{0}}}}}: {1}")]
pub struct ArticleError(String, String);

/// The article: the source with its holes filled. Reports are judged again.
///
/// Errors: the first hole that nothing fills.
pub fn article(source: &str, sources: &Sources<'_>) -> Result<String, ArticleError> {
    let reports = sources.reports.iter().map(|store| Report { store, page: page(store) }).collect();
    let mut filler = Filler { reports, sources, cited: Vec::new() };
    let mut parts = source.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (hole, rest) = part.split_once("}}").unwrap_or((part, ""));
        let filled = filler.fill(hole).map_err(|why| ArticleError(hole.into(), why))?;
        text += &filled.into_string();
        text += rest;
    }
    Ok(text)
}

struct Report<'a> {
    store: &'a Store,
    page: Page,
}

impl Report<'_> {
    /// The card, and the effort if it is not the full one.
    fn name(&self) -> String {
        let card = self.store.machine.renderer.split(['/', '(']).next().unwrap_or_default().trim();
        match self.store.effort {
            Effort::Full => card.into(),
            Effort::Quick => format!("{card} (quick)"),
        }
    }

    fn section(&self, key: &str) -> Option<&Section> {
        self.page.sections.iter().find(|section| section.key == key)
    }

    fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.page.sections.iter().flat_map(|section| &section.claims)
    }
}

struct Filler<'a> {
    reports: Vec<Report<'a>>,
    sources: &'a Sources<'a>,
    /// The keys, in the order of their numbers.
    cited: Vec<String>,
}

impl Filler<'_> {
    fn fill(&mut self, hole: &str) -> Result<Markup, String> {
        let (kind, rest) = hole.split_once(' ').unwrap_or((hole, ""));
        let words: Vec<&str> = if rest.is_empty() { Vec::new() } else { rest.split(" | ").collect() };
        match (kind, words.as_slice()) {
            ("reports", []) => Ok(self.reports()),
            ("counts", []) => Ok(self.counts()),
            ("outcomes", []) => Ok(self.outcomes()),
            ("claims", [key]) => self.claims(key),
            ("untestable", []) => Ok(self.untestable()),
            ("verdict", [key, claim]) => Ok(text(&self.told(&self.claim(key, claim)?, Claim::told))),
            ("number", [key, claim, point]) => self.number(key, claim, point),
            ("figure", [key, title]) => self.figure(key, title),
            ("table", [key, title]) => self.table(key, title),
            ("errata", [key]) => Ok(errata(self.section(key)?)),
            ("errors", []) => {
                let of = |section: &Section| section.errata.len();
                Ok(
                    html! { (self.reports.first().map_or(0, |report| report.page.sections.iter().map(of).sum())) },
                )
            }
            ("ms", [runs, name, length]) => Ok(text(&significant(self.ms(runs, name, length)?))),
            ("rate", [runs, name, n]) => {
                let words: u64 = self.rows(runs, name, n)?[0].1;
                Ok(text(&significant(4e-6 * words as f64 / self.ms(runs, name, n)?)))
            }
            ("over", [runs, name, other, n]) => {
                Ok(text(&significant(self.ms(runs, name, n)? / self.ms(runs, other, n)?)))
            }
            ("of", [runs]) => {
                let machine = &self.runs(runs)?[0].machine;
                let (card, _) = machine.renderer.split_once('/').unwrap_or((&machine.renderer, ""));
                Ok(text(&format!("{card}, {}, {}", machine.version, date(&machine.date))))
            }
            ("cite", [key]) => self.cite(key),
            ("references", []) => self.references(),
            _ => Err("there is no such hole".into()),
        }
    }

    fn section(&self, key: &str) -> Result<&Section, String> {
        let found = self.reports.iter().find_map(|report| report.section(key));
        found.ok_or_else(|| "no report has this paper".into())
    }

    /// The first claim of a kind in each report that has one.
    fn each(&self, is: impl Fn(&Claim) -> bool) -> Vec<Option<&Claim>> {
        self.reports.iter().map(|report| report.claims().find(|claim| is(claim))).collect()
    }

    /// A claim in each report that has it. Errors: none has it, or several begin so.
    fn claim(&self, key: &str, words: &str) -> Result<Vec<Option<&Claim>>, String> {
        let is = |claim: &Claim| claim.key == key && claim.text.starts_with(words);
        let all = self.reports.iter().flat_map(Report::claims).filter(|claim| is(claim));
        match distinct(all.map(|claim| &claim.text)).len() {
            1 => Ok(self.each(is)),
            found => Err(format!("{found} claims begin so")),
        }
    }

    /// Words on something in each report, each once, with the names of its reports.
    fn grouped(&self, words: &[Option<String>]) -> Vec<(String, String)> {
        let names = |word: &String| {
            let own = self.reports.iter().zip(words).filter(|(_, other)| other.as_ref() == Some(word));
            own.map(|(report, _)| report.name()).collect::<Vec<_>>().join(" and ")
        };
        distinct(words.iter().flatten()).into_iter().map(|word| (word.clone(), names(word))).collect()
    }

    fn told<T>(&self, each: &[Option<&T>], told: impl Fn(&T) -> String) -> String {
        let word = |found: &Option<&T>| found.map_or_else(|| Verdict::NotMeasured.label().into(), &told);
        let words: Vec<Option<String>> = each.iter().map(|found| Some(word(found))).collect();
        let named = self.grouped(&words).into_iter().map(|(word, names)| format!("{word} on {names}"));
        named.collect::<Vec<_>>().join("; ")
    }

    fn number(&self, key: &str, claim: &str, what: &str) -> Result<Markup, String> {
        let point = |claim: &&Claim| -> Option<usize> {
            claim.points.iter().position(|point| point.what.starts_with(what))
        };
        let points: Vec<Option<&Compared>> = self
            .claim(key, claim)?
            .into_iter()
            .map(|claim| claim.and_then(|claim| Some(&claim.points[point(&claim)?])))
            .collect();
        if points.iter().all(Option::is_none) {
            return Err("no report has this number".into());
        }
        let told = |point: &Compared| match (&point.value, point.verdict) {
            (None, verdict) => verdict.label().to_owned(),
            (_, Verdict::NotMeasured) => format!("{} ({}; not judged)", point.ours, point.interval),
            _ => format!("{} ({})", point.ours, point.interval),
        };
        // Counts are the same on every device, unless they are of its own plans.
        let same = |point: &&Compared| {
            point.interval == "exact" && point.ours == points[0].map_or("", |first| first.ours.as_str())
        };
        if points.iter().all(|point| point.as_ref().is_some_and(same)) {
            return Ok(text(points[0].map_or("", |point| point.ours.as_str())));
        }
        Ok(text(&self.told(&points, told)))
    }

    fn reports(&self) -> Markup {
        let row = |report: &Report<'_>| {
            let Store { machine, commit, .. } = report.store;
            let clock = if machine.software { "wall time" } else { "the GPU's" };
            let load = machine.load.map_or_else(|| "unknown".into(), |load| format!("{load:.2}"));
            let commit = commit.as_deref().unwrap_or("unknown");
            [
                machine.renderer.clone(),
                machine.version.clone(),
                format!("{}, {} cores, load {load}", machine.cpu, machine.cores),
                clock.into(),
                report.store.run(),
                date(&machine.date),
                commit.into(),
            ]
        };
        let heads = ["device", "driver", "CPU", "clock", "run", "date", "commit"];
        rows(
            &heads,
            self.reports.iter().map(row),
            "A name of a card in this text stands for its report here.",
        )
    }

    fn counts(&self) -> Markup {
        let has = |verdict: &Verdict| {
            self.reports.iter().flat_map(Report::claims).any(|claim| claim.verdict == *verdict)
        };
        let verdicts: Vec<Verdict> = Verdict::ALL.into_iter().filter(has).collect();
        let line = |name: &str, claims: &[&Claim]| {
            let count = |verdict: &Verdict| claims.iter().filter(|claim| claim.verdict == *verdict).count();
            let counts = verdicts.iter().map(|verdict| count(verdict).to_string());
            [name.to_owned()].into_iter().chain(counts).chain([claims.len().to_string()]).collect::<Vec<_>>()
        };
        let lines = self.reports.iter().flat_map(|report| {
            let own = report.page.sections.iter().map(|section| {
                line(
                    &format!("{}: {}", report.name(), section.key),
                    &section.claims.iter().collect::<Vec<_>>(),
                )
            });
            own.chain([line(&format!("{}: all", report.name()), &report.claims().collect::<Vec<_>>())])
        });
        let heads: Vec<&str> = ["report: paper"]
            .into_iter()
            .chain(verdicts.iter().map(|verdict| verdict.label()))
            .chain(["claims"])
            .collect();
        rows(&heads, lines, "Verdicts by report and paper.")
    }

    fn outcomes(&self) -> Markup {
        let told = |report: &Report<'_>| {
            let count = |verdict: Verdict| report.claims().filter(|claim| claim.verdict == verdict).count();
            let some = Verdict::ALL.into_iter().filter(|verdict| count(*verdict) > 0);
            let words: Vec<String> =
                some.map(|verdict| format!("{} {}", count(verdict), verdict.label())).collect();
            format!("On {}, of {} claims: {}.", report.name(), report.claims().count(), words.join(", "))
        };
        text(&self.reports.iter().map(told).collect::<Vec<_>>().join(" "))
    }

    fn claims(&self, key: &str) -> Result<Markup, String> {
        self.section(key)?;
        let own = self.reports.iter().flat_map(Report::claims).filter(|claim| claim.key == key);
        let line = |words: &str| {
            let each = self.each(|claim| claim.key == key && claim.text == words);
            let place = each.iter().flatten().next().map_or("", |claim| claim.source.as_str());
            let reasoned = |claim: &&Claim| {
                claim.verdict.is_outcome() && claim.verdict != Verdict::Reproduced && !claim.why.is_empty()
            };
            let why: Vec<Option<String>> =
                each.iter().map(|claim| claim.filter(reasoned).map(|claim| claim.why.clone())).collect();
            let named = |(why, names): (String, String)| match self.reports.len() {
                1 => why,
                _ => format!("{names}: {why}"),
            };
            let why: Vec<String> = self.grouped(&why).into_iter().map(named).collect();
            html! {
                tr {
                    td {
                        (words.replace('`', "")) " " span.place { "[" (place) "]" }
                        @for why in &why { " " span.why { (why) } }
                    }
                    @for claim in &each {
                        td.verdict { (claim.map_or_else(|| Verdict::NotMeasured.label().into(), Claim::told)) }
                    }
                }
            }
        };
        Ok(html! {
            table.claims {
                caption { "The claims of " (key) "." }
                thead { tr { th { "claim, place, and the reason where it was judged otherwise than reproduced" } @for report in &self.reports { th { (report.name()) } } } }
                tbody { @for words in distinct(own.map(|claim| claim.text.as_str())) { (line(words)) } }
            }
        })
    }

    fn untestable(&self) -> Markup {
        let claims = self.reports.iter().flat_map(Report::claims);
        let own = claims.filter(|claim| claim.verdict == Verdict::NotTestable);
        let own: Vec<&Claim> = own.collect();
        let words = |why: &String| {
            let own = own.iter().filter(|claim| claim.why == *why);
            let words = own.map(|claim| format!("{}: “{}”", claim.key, claim.text.replace('`', "")));
            distinct(words).join("; ")
        };
        let reasons = distinct(own.iter().map(|claim| &claim.why));
        html! { ul { @for why in reasons { li { (words(why)) " " (why) } } } }
    }

    fn figure(&self, key: &str, title: &str) -> Result<Markup, String> {
        let hardware = self.reports.iter().find(|report| !report.store.machine.software);
        let report = hardware.or(self.reports.first()).ok_or("there is no report")?;
        let section = report.section(key).ok_or("this report lacks the paper")?;
        let found = section.figures.iter().find(|figure| figure.title.starts_with(title));
        let figure = found.ok_or_else(|| {
            let titles: Vec<&str> = section.figures.iter().map(|figure| figure.title.as_str()).collect();
            format!("the figures are {}", titles.join("; "))
        })?;
        Ok(html! {
            figure {
                (PreEscaped(figure.svg()))
                figcaption { (key) ", " (figure.title) ". From the report of " (report.name()) ", " (date(&report.store.machine.date)) ". " (figure.description) }
            }
        })
    }

    fn table(&self, key: &str, title: &str) -> Result<Markup, String> {
        let of = |report: &Report<'_>| {
            let table =
                report.section(key)?.tables.iter().find(|table| table.title.starts_with(title))?.clone();
            Some((report.name(), table))
        };
        let found: Vec<_> = self.reports.iter().filter_map(of).collect();
        if found.is_empty() {
            return Err("no report has this table".into());
        }
        Ok(html! {
            @for (name, table) in found {
                (rows(&table.header.iter().map(String::as_str).collect::<Vec<_>>(), table.rows, &format!("{}, on {name}.", table.title)))
            }
        })
    }

    /// The comparisons whose files begin so; one at least.
    fn runs(&self, runs: &str) -> Result<Vec<&CompareDocument>, String> {
        let own = self.sources.comparisons.iter().filter(|(name, _)| name.starts_with(runs));
        let own: Vec<&CompareDocument> = own.map(|(_, document)| document).collect();
        match own.as_slice() {
            [] => Err("no file begins so".into()),
            [first, rest @ ..] if rest.iter().any(|run| !run.machine.is_like(&first.machine)) => {
                Err("these are of different machines".into())
            }
            _ => Ok(own),
        }
    }

    /// The times of a contender, one of each run, and how many numbers there are. Errors: no run has them.
    fn rows(&self, runs: &str, name: &str, n: &str) -> Result<Vec<(f64, u64)>, String> {
        let rows = self.runs(runs)?.into_iter().flat_map(|run| &run.rows);
        let own = rows.filter(|row| row.name == name && length(row.case.n()) == n);
        let own: Vec<(f64, u64)> = own.map(|row| (row.ms, row.case.n())).collect();
        if own.is_empty() { Err("no run has these rows".into()) } else { Ok(own) }
    }

    fn ms(&self, runs: &str, name: &str, n: &str) -> Result<f64, String> {
        let mut times: Vec<f64> = self.rows(runs, name, n)?.into_iter().map(|(ms, _)| ms).collect();
        Ok(median(&mut times))
    }

    fn cite(&mut self, key: &str) -> Result<Markup, String> {
        reference(self.sources.bibliography, key)?;
        let number = self.cited.iter().position(|cited| cited == key).unwrap_or(self.cited.len());
        if number == self.cited.len() {
            self.cited.push(key.into());
        }
        Ok(html! { a href={ "#" (key) } { "[" (number + 1) "]" } })
    }

    fn references(&self) -> Result<Markup, String> {
        let lines = self.cited.iter().map(|key| Ok((key, reference(self.sources.bibliography, key)?)));
        let lines = lines.collect::<Result<Vec<_>, String>>()?;
        Ok(html! { ol.references { @for (key, line) in lines { li id=(key) { (line) " (" (key) ")" } } } })
    }
}

fn text(text: &str) -> Markup {
    html! { (text) }
}

/// The day of a date with a time.
fn date(date: &str) -> String {
    date.split('T').next().unwrap_or(date).to_owned()
}

fn rows(heads: &[&str], lines: impl IntoIterator<Item = impl AsRef<[String]>>, caption: &str) -> Markup {
    html! {
        table {
            caption { (caption) }
            thead { tr { @for head in heads { th { (head) } } } }
            tbody { @for line in lines { tr { @for cell in line.as_ref() { td { (cell) } } } } }
        }
    }
}

fn errata(section: &Section) -> Markup {
    html! { ol.errata { @for (place, text) in &section.errata { li { em { (place) ". " } (text) } } } }
}

/// An entry of a bibliography in BibTeX, as a line.
fn reference(bibliography: &str, key: &str) -> Result<String, String> {
    let (_, entry) = bibliography.split_once(&format!("{{{key},")).ok_or("the bibliography lacks it")?;
    let (entry, _) = entry.split_once("\n}").ok_or("its entry has no end")?;
    let field = |name: &str| {
        let mut fields = entry.split(",\n").filter_map(|field| field.split_once('='));
        let (_, value) = fields.find(|(own, _)| own.trim() == name)?;
        let value = value.replace(['{', '}'], "").replace("--", "–").replace("\\&", "&");
        Some(value.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let need = |name: &str| field(name).ok_or_else(|| format!("its entry has no {name}"));
    let mut line = format!("{}: {}.", need("author")?.replace(" and ", ", "), need("title")?);
    for name in
        ["booktitle", "journal", "school", "institution", "publisher", "volume", "chapter", "number", "pages"]
    {
        let before = if ["volume", "chapter", "number", "pages"].contains(&name) {
            format!("{name} ")
        } else {
            String::new()
        };
        field(name).map(|value| write!(line, " {before}{value},"));
    }
    let _ = write!(line, " {}.", need("year")?);
    field("doi").map(|doi| write!(line, " doi:{doi}."));
    if line.contains('\\') { Err(format!("a mark of LaTeX is left: {line}")) } else { Ok(line) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rasterscan::Device;

    use super::*;
    use crate::case::Case;
    use crate::cell::Lab;
    use crate::measure::Protocol;
    use crate::reproduce::paper::cell;
    use crate::reproduce::samples;
    use crate::stub::{StubLab, machine};

    /// A hole, filled from a full run on hardware and a quick one without.
    fn filled(hole: &str) -> Result<String, String> {
        let software = Device { software: true, ..Device::gl43() };
        let runs = [(Device::gl43(), Effort::Full), (software, Effort::Quick)];
        let reports = runs.map(|(device, effort)| samples::run(&["harris2007"], &device, effort));
        let mut document = CompareDocument::new(machine(), "copy:texture", Duration::ZERO);
        let cell = cell(Case::scan(1 << 20), &["sam", "look_back"]);
        let protocol = Protocol::new(false, Duration::from_secs(1));
        document.add(StubLab::new(Device::gl43()).measure(&cell, &protocol, &mut || true).unwrap());
        let sources = Sources {
            reports: &reports,
            comparisons: &[("scan-1".into(), document.clone()), ("scan-2".into(), document)],
            bibliography: include_str!("../../../../assets/references.bib"),
        };
        article(&format!("<p>{{{{{hole}}}}}</p>"), &sources).map_err(|error| error.to_string())
    }

    #[test]
    fn reports_that_agree_are_named_together() {
        let agrees = "on a stub and a stub (quick)</p>";
        let of = |hole: &str| filled(hole).unwrap();
        assert_eq!(of("verdict harris2007 | The sequential scan"), format!("<p>opposite {agrees}"));
        let number = "number harris2007 | The sequential scan | adds at 512";
        assert_eq!(of(number), "<p>511</p>");
        let counts = of("outcomes");
        assert!(
            counts.starts_with("<p>On a stub, of ") && counts.contains(". On a stub (quick), of "),
            "{counts}"
        );
        let differs =
            of("verdict harris2007 | Bank conflicts have a significant effect on performance, in a block");
        assert!(differs.contains(" on a stub; not on this device on a stub (quick)<"), "{differs}");
        let shown = of("number harris2007 | For large arrays | speed");
        assert!(shown.contains("; not judged) on a stub (quick)<"), "{shown}");
    }

    #[test]
    fn times_are_medians_of_runs() {
        assert_eq!(filled("over scan | sam | sam | 2^20"), Ok("<p>1.00</p>".into()));
        let [sam, other] = ["ms scan- | sam | 2^20", "ms scan- | look_back | 2^20"].map(filled);
        assert!(sam.is_ok() && sam != other, "{sam:?} {other:?}");
    }

    #[test]
    fn citations_are_numbered_and_listed() {
        let both = filled("cite harris2007}} {{cite yan2013}} {{cite harris2007}} {{references").unwrap();
        let numbers: Vec<&str> = both.split('[').skip(1).filter_map(|rest| rest.get(..1)).collect();
        assert_eq!(numbers, ["1", "2", "1"]);
        assert!(
            both.contains("Mark Harris: Parallel Prefix Sum (Scan) with CUDA. NVIDIA Corporation, 2007.")
        );
        assert!(both.contains("StreamScan: Fast Scan Algorithms"), "{both}");
    }

    #[test]
    fn holes_that_nothing_fills_are_named() {
        for (hole, why) in [
            ("verdicts harris2007", "no such hole"),
            ("verdict harris2007 | The", "claims begin so"),
            ("verdict harris2007 | Nothing", "0 claims begin so"),
            ("number harris2007 | The sequential scan | nothing", "no report has this number"),
            ("figure harris2007 | Nothing", "the figures are "),
            ("table harris2007 | Nothing", "no report has this table"),
            ("claims roger2007", "no report has this paper"),
            ("ms reduce | sam | 2^20", "no file begins so"),
            ("ms scan | horn | 2^20", "no run has these rows"),
            ("cite nobody", "the bibliography lacks it"),
        ] {
            let error = filled(hole).unwrap_err();
            assert!(error.starts_with(&format!("{{{{{hole}}}}}: ")) && error.contains(why), "{error}");
        }
    }
}
