//! A comparison as text: tables for people, CSV for spreadsheets.

use super::document::CompareDocument;
use crate::case::{Case, length};
use crate::cell::{Pace, Row};
use crate::contender::PREFIX;
use crate::measure::{LEAST_RUNS, median};
use crate::model::{FASTER, Model};
use crate::table::{self, MARK, label, quoted, right};
use rasterscan::tools::problem::COMPACT;
use rasterscan_drawing::number::{grouped, milliseconds};

/// One table a case.
pub fn text(comparison: &CompareDocument) -> String {
    let mut text = String::new();
    for case in comparison.distinct_cases() {
        let rows: Vec<&Row> = comparison.rows.iter().filter(|row| row.case == *case).collect();
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{}\n\n", heading(case));
        text += &table(&rows, &comparison.baseline);
        for line in [transfers(&rows), too_few(&rows)].into_iter().flatten() {
            text += &format!("{line}\n");
        }
        if *case.problem() == *COMPACT {
            text += "words/item: counted as if every item were kept\n";
        }
        if rows.iter().any(|row| row.name.starts_with(PREFIX)) {
            text += "peer: timed by another program, after all others and not in turns with them\n";
        }
        if let Some(line) = comparison.yardstick.as_ref().and_then(|pace| unsettled(&rows, pace)) {
            text += &format!("{line}\n");
        }
    }
    if let Some(model) = &comparison.model {
        text += &format!("\n{}", predictions(model, &comparison.rows));
    }
    if !text.is_empty() {
        text += "\n+-: half of the 95% interval of the median; far off: outliers, which are included. Every result \
                 was verified.\n`rasterscan compare --explain` explains how times are measured and what they do not \
                 tell.\n";
    }
    text
}

/// The model's constants, and its times beside those measured.
fn predictions(model: &Model, rows: &[Row]) -> String {
    let rate = |ms: f64| if ms > 0.0 { milliseconds(1.0 / ms) } else { "any number".into() };
    let giga = |[one, four]: [f64; 2]| format!("{} of one word, {} of four", rate(one), rate(four));
    let [median_miss, greatest_miss] = model.misses_copies().map(|share| 100.0 * share);
    let mut text = format!(
        "Cost model, fitted on {} copies before the rest was timed; it misses them by {median_miss:.1}% (median), at most \
         {greatest_miss:.0}%\n\na pass                            c = {} ms\ntexels written, in 10^9 a second  w = {}\n\
         texels fetched, in 10^9 a second  f = {}\noverlap of fetches and writes     p = {}\n\
         vertices, in 10^9 a second        v = {}\n\n",
        model.copies.len(),
        milliseconds(model.pass_ms),
        giga(model.write_ms),
        giga(model.fetch_ms),
        match model.overlap {
            1.0 => "1, none".into(),
            overlap => overlap.to_string(),
        },
        rate(model.vertex_ms),
    );
    let mut table = table::plain();
    let fast = format!("w x {FASTER}");
    table.set_header(vec![
        "algorithm".into(),
        right("items"),
        right("ms"),
        right("model"),
        right("off"),
        right(fast),
    ]);
    let mut misses = Vec::new();
    for row in rows {
        let Some(predicted) = row.predicted else { continue };
        let off = predicted.ms / row.ms - 1.0;
        if !row.name.starts_with("copy:") && !row.is_unsettled() {
            misses.push(off.abs());
        }
        table.add_row(vec![
            label(&row.name),
            right(length(row.case.n())),
            right(table::marked(row.ms, row.settled)),
            right(milliseconds(predicted.ms)),
            right(format!("{:+.1}%", 100.0 * off)),
            right(milliseconds(predicted.faster_ms)),
        ]);
    }
    text += &table::render(table);
    let in_all = match misses.len() {
        0 => String::new(),
        rows => format!(
            ", {:.1}% more or less in the median of {rows} rows, without copies and what is not settled",
            100.0 * median(&mut misses)
        ),
    };
    text += &format!(
        "\noff: the predicted time over the measured one{in_all}; w x {FASTER}: the time on a device that writes texels {FASTER} \
         times as fast\n"
    );
    text
}

/// The rows whose medians may be off by any amount, if there are any.
fn too_few(rows: &[&Row]) -> Option<String> {
    let names: Vec<&str> =
        rows.iter().filter(|row| row.interval().is_none()).map(|row| row.name.as_str()).collect();
    (!names.is_empty())
        .then(|| format!("too few runs to compare (fewer than {LEAST_RUNS}): {}", names.join(", ")))
}

/// The meaning of the mark, if there is one.
fn unsettled(rows: &[&Row], pace: &Pace) -> Option<String> {
    let range = range(rows.iter().filter_map(|row| pace.slowdown(row)), |times| format!("{times:.2}"))?;
    Some(format!(
        "{MARK} not settled: the device was slower than elsewhere in this run. The yardstick ({}) took {range} times its best",
        pace.work
    ))
}

fn heading(case: &Case) -> String {
    let text = case.to_string();
    let bytes = case.elements() * u64::from(case.element().words()) * 4;
    format!("{}{} ({} bytes)", text[..1].to_uppercase(), &text[1..], grouped(bytes))
}

fn table(rows: &[&Row], baseline: &str) -> String {
    let fastest = rows.iter().map(|row| row.throughput()).filter(|rate| rate.is_finite()).fold(0.0, f64::max);
    let (unit, factor) = if fastest < 1e9 { ("Mitems/s", 1e-6) } else { ("Gitems/s", 1e-9) };
    let mut table = table::plain();
    table.set_header(vec![
        "algorithm".into(),
        right("passes"),
        right("words/item"),
        right("ms"),
        right("+-"),
        right("runs"),
        right("far off"),
        "clock".into(),
        right(unit),
        right(format!("x {baseline}")),
    ]);
    for row in rows {
        let spread = row.interval().map_or(f64::NAN, |(low, high)| 50.0 * (high - low) / row.ms);
        table.add_row(vec![
            label(&row.name),
            right(if row.passes == 0 { "-".into() } else { grouped(row.passes as u64) }),
            right(match (row.words_moved, row.case.n()) {
                (0, _) | (_, 0) => "-".into(),
                (words, n) => format!("{:.1}", words as f64 / n as f64),
            }),
            right(table::marked(row.ms, row.settled)),
            right(if spread.is_finite() { format!("{spread:.1}%") } else { "-".into() }),
            right(row.runs),
            right(if row.outliers == 0 { "-".into() } else { row.outliers.to_string() }),
            row.clock.as_str().into(),
            right(in_milliseconds(row.throughput() * factor)),
            right(row.ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))),
        ]);
    }
    table::render(table)
}

/// Three in_milliseconds digits.
fn in_milliseconds(value: f64) -> String {
    match value {
        value if !value.is_finite() => "-".into(),
        value if value < 0.001 => format!("{value:.5}"),
        value => milliseconds(value),
    }
}

/// The time to bring the stream to the device and back, which no figure contains.
fn transfers(rows: &[&Row]) -> Option<String> {
    let up = range(rows.iter().filter_map(|row| row.upload_ms), milliseconds)?;
    let back = range(rows.iter().filter_map(|row| row.readback_ms), milliseconds);
    let back = back.map_or(String::new(), |back| format!(", readback {back} ms"));
    Some(format!("not in the times: upload {up} ms{back}"))
}

/// The least and the greatest of numbers, once if they look the same; `None` if there are none.
fn range(numbers: impl Iterator<Item = f64>, write: impl Fn(f64) -> String) -> Option<String> {
    let (least, most) = numbers.map(|number| (number, number)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    let (least, most) = (write(least), write(most));
    Some(if least == most { least } else { format!("{least} to {most}") })
}

/// All rows, one a line. Parameters are in the name.
pub fn csv(comparison: &CompareDocument) -> String {
    // All rows are of one problem.
    let facts = |row: &Row| row.case.facts().into_iter();
    let names = comparison.rows.first().into_iter().flat_map(|row| facts(row).map(|(name, _)| name));
    let mut text = format!(
        "name,algorithm,n,element,{}share,pattern,passes,words_moved,ms,ms_low,ms_high,runs,outliers,clock,verified,ratio,\
         upload_ms,readback_ms,yardstick_ms,settled,model_ms,model_faster_ms\n",
        names.map(|name| format!("{name},")).collect::<String>()
    );
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for row in &comparison.rows {
        let case = &row.case;
        let mut cells =
            vec![quoted(&row.name), row.algorithm.clone(), case.n().to_string(), case.element().to_string()];
        // A recurrence has commas.
        cells.extend(facts(row).map(|(_, value)| if value.contains(',') { quoted(&value) } else { value }));
        cells.extend([
            number(case.share()),
            case.pattern().map_or(String::new(), |pattern| pattern.name().into()),
            row.passes.to_string(),
            row.words_moved.to_string(),
            row.ms.to_string(),
            number(row.ms_low),
            number(row.ms_high),
            row.runs.to_string(),
            row.outliers.to_string(),
            row.clock.clone(),
            row.verified.to_string(),
            number(row.ratio),
            number(row.upload_ms),
            number(row.readback_ms),
            number(row.yardstick_ms),
            row.settled.map_or(String::new(), |settled| settled.to_string()),
            number(row.predicted.map(|predicted| predicted.ms)),
            number(row.predicted.map(|predicted| predicted.faster_ms)),
        ]);
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::document::tests::stubbed;
    use super::*;

    #[test]
    fn a_comparison_as_people_see_it() {
        let names = ["horn", "hybrid:reduce=4", "look_back"];
        let comparison = stubbed(&names, &[Case::scan(1 << 10), Case::scan(1 << 20).order(2)]);
        insta::assert_snapshot!(text(&comparison));
    }

    #[test]
    fn what_is_not_settled_is_marked_in_every_form() {
        let mut comparison = stubbed(&["horn"], &[Case::scan(1 << 10)]);
        let plain = text(&comparison);
        assert!(!plain.contains('*') && csv(&comparison).contains(",0.3,true,,\n"), "{plain}");
        for (row, yardstick) in comparison.rows.iter_mut().zip([0.3, 0.42, 1.1]) {
            row.yardstick_ms = Some(yardstick);
        }
        let pace = comparison.yardstick.clone();
        comparison.judge(pace);
        let text = text(&comparison);
        assert_eq!(text.matches('*').count(), 2 + 1, "two rows, and what that means:\n{text}");
        assert!(text.contains("The yardstick (a copy) took 1.40 to 3.67 times its best"), "{text}");
        let csv = csv(&comparison);
        assert_eq!((csv.matches(",false,,\n").count(), csv.matches(",true,,\n").count()), (2, 3), "{csv}");
        let json = serde_json::to_value(&comparison).unwrap();
        assert_eq!(
            (&json["rows"][1]["settled"], &json["rows"][1]["yardstick_ms"]),
            (&false.into(), &0.42.into())
        );
        assert_eq!(json["yardstick"]["best_ms"], 0.3);
    }

    #[test]
    fn few_runs_have_no_spread_and_are_named() {
        let mut comparison = stubbed(&["horn"], &[Case::scan(1 << 10)]);
        assert!(!text(&comparison).contains("too few runs"));
        for row in comparison.rows.iter_mut().filter(|row| row.name == "horn") {
            (row.name, row.runs) = ("peer:cub".into(), 1);
        }
        let text = text(&comparison);
        let row = text.lines().find(|line| line.starts_with("peer:cub ")).unwrap();
        assert!(!row.contains('%'), "{text}");
        assert!(text.contains("\ntoo few runs to compare (fewer than 9): peer:cub\n"), "{text}");
    }

    #[test]
    fn every_row_is_a_line_with_all_cells() {
        let text = csv(&stubbed(&["blocks:size=32,search=for"], &[Case::compact(5000, 0.5)]));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 5);
        assert!(lines[5].starts_with("\"blocks:size=32,search=for\",blocks,5000,u32,"), "{text}");
        let cells = |line: &str| line.replace("size=32,search", "").split(',').count();
        assert!(lines.iter().all(|line| cells(line) == cells(lines[0])), "{text}");
    }

    #[test]
    fn a_recurrence_is_one_cell() {
        let case = Case::scan(100).with("recurrence", "1:2,-1").unwrap();
        let text = csv(&stubbed(&["sam"], &[case]));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 1 && lines[1..].iter().all(|line| line.contains(",\"1:2,-1\",")), "{text}");
        let cells = |line: &str| line.replace("2,-1", "").split(',').count();
        assert!(lines.iter().all(|line| cells(line) == cells(lines[0])), "{text}");
    }
}
