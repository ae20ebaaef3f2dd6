//! All grades in one file: a table for a spreadsheet, and a page to read.

use std::fmt::Write;

use rasterscan_drawing::svg::escaped;
use rasterscan_lesson::answers::{Grade, Mark};

use super::Graded;

/// The class of a mark in the page.
fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Right => "right",
        Mark::Missing | Mark::Unsupported => "none",
        Mark::Wrong | Mark::TooLong | Mark::Crashed => "wrong",
    }
}

/// A cell for a spreadsheet. A text that one would take for a formula begins with an apostrophe.
fn cell(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let formula = text.trim_start().starts_with(['=', '+', '-', '@']);
    format!("\"{}{}\"", if formula { "'" } else { "" }, text.replace('"', "\"\""))
}

/// A line for each file: name, file, points, their most, why it was not graded, and the points of each task; none where a
/// task does not count.
pub fn csv(files: &[Graded]) -> String {
    let mut text = String::from("name,file,points,of,error");
    for grade in files.first().map_or(&[][..], |file| &file.grades) {
        let _ = write!(text, ",{}", cell(&grade.task));
    }
    text.push('\n');
    for Graded { file, name, points, of, error, grades } in files {
        let error = error.as_deref().map_or(String::new(), cell);
        let _ = write!(text, "{},{},{points},{of},{error}", cell(name), cell(file));
        for grade in grades {
            match grade.mark {
                Mark::Unsupported => text.push(','),
                _ => {
                    let _ = write!(text, ",{}", grade.points);
                }
            }
        }
        text.push('\n');
    }
    text
}

/// A page of its own: the marks of all, and below them each student's replies.
pub fn page(lesson: &str, files: &[Graded]) -> String {
    let title = escaped(lesson);
    let tasks = files.first().map_or(&[][..], |file| &file.grades);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}: grades</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let graded: Vec<&Graded> = files.iter().filter(|file| file.error.is_none()).collect();
    let sum: u32 = graded.iter().map(|file| file.points).sum();
    let mean = f64::from(sum) / graded.len().max(1) as f64;
    let _ = writeln!(
        page,
        "<p>{} files, {} graded, {mean:.1} points on average.</p>\n<div>\n<table>\n<thead><tr><th>Name</th><th>Points</th>",
        files.len(),
        graded.len()
    );
    for Grade { task, title, .. } in tasks {
        let _ = write!(page, "<th title=\"{}\">{}</th>", escaped(title), escaped(task));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for (number, file) in files.iter().enumerate() {
        let Graded { points, of, grades, error, .. } = file;
        let heading = escaped(&file.heading());
        let heading = match error {
            None => format!("<a href=\"#file-{number}\">{heading}</a>"),
            Some(_) => heading,
        };
        let _ = write!(page, "<tr><th>{heading}</th><td>{points} of {of}</td>");
        match error {
            Some(error) => {
                let _ =
                    write!(page, "<td class=\"wrong\" colspan=\"{}\">{}</td>", grades.len(), escaped(error));
            }
            None => grades.iter().for_each(|grade| page.push_str(&mark(grade))),
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n<tfoot><tr><th>Right</th><td></td>");
    for number in 0..tasks.len() {
        let right = graded.iter().filter(|file| file.grades[number].mark == Mark::Right).count();
        let _ = write!(page, "<td>{right} of {}</td>", graded.len());
    }
    page.push_str("</tr></tfoot>\n</table>\n</div>\n");
    for (number, file) in files.iter().enumerate().filter(|(_, file)| file.error.is_none()) {
        let _ = writeln!(
            page,
            "<h2 id=\"file-{number}\">{}</h2>\n<p>{}</p>\n<dl>",
            escaped(&file.heading()),
            escaped(&file.file)
        );
        for grade in file.grades.iter().filter(|grade| grade.mark != Mark::Missing) {
            let _ = writeln!(
                page,
                "<dt class=\"{}\">{}: {}, {} of {}</dt><dd>{}</dd>",
                class(grade.mark),
                escaped(&grade.title),
                grade.mark.name(),
                grade.points,
                grade.of,
                escaped(&grade.note)
            );
        }
        page.push_str("</dl>\n");
    }
    page + "</body>\n</html>\n"
}

fn mark(grade: &Grade) -> String {
    let Grade { mark, points, note, .. } = grade;
    let note = note.lines().next().unwrap_or_default();
    format!("<td class=\"{}\" title=\"{}\">{} {points}</td>", class(*mark), escaped(note), mark.name())
}

const STYLE: &str = "
body { margin: 2em auto; max-width: 70em; padding: 0 1em; font: 1rem/1.5 system-ui, sans-serif; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.3em 0.7em; border-bottom: 1px solid #8884; text-align: left; white-space: nowrap; }
.right { color: light-dark(#14662f, #7fd49a); }
.wrong { color: light-dark(#a3200f, #ff9d8c); }
.none { opacity: 0.55; }
dd { margin: 0 0 0.6em 1.5em; }
@media print { a { color: inherit; } }
";
