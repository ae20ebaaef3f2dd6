//! Lesson files and answers: the samples work, mistakes are named, and damaged files do no harm.

use rasterscan::tools::Job;
use rasterscan_fuzz::Fuzz;
use rasterscan_gallery::{ALL, Exhibit, Fact, Piece, Value};
use rasterscan_lesson::answers::{Answers, Grade, Mark, stopped, tasks};
use rasterscan_lesson::edit::Edits;
use rasterscan_lesson::file::{GALLERY, Lesson, PUZZLES};
use rasterscan_lesson::puzzle::Failure;
use rasterscan_lesson::reference::{filled, value};
use rasterscan_lesson::tour::{Marked, QuestionSource, TOUR};
use rasterscan_runner::documents;

use super::german::{hear, nothing_was_english};
use super::puzzles::record;

const SAMPLES: [&str; 2] =
    [include_str!("../../lessons/scans.toml"), include_str!("../../lessons/compaction.toml")];

fn samples_are_answered_and_graded() {
    let gpu = rasterscan_runner::gpu();
    for text in SAMPLES {
        let lesson = Lesson::parse(text).unwrap();
        let mut answers = Answers::of(&lesson);
        for (number, stop) in (1..).zip(&lesson.stops) {
            let recording = record(&gpu, &stop.job(5), &Default::default()).unwrap();
            if let Some(QuestionSource::Custom(question)) = &stop.question {
                question.ask(&recording).unwrap();
            }
            for paragraph in &stop.text {
                rasterscan_lesson::reference::filled(&recording, paragraph).unwrap();
            }
            answers.answer(number, 5, stop.question(&recording).unwrap().answer.to_string());
        }
        let first = &lesson.puzzles[0];
        let own = record(&gpu, &first.job, &Default::default()).unwrap();
        let mut shaders = own.passes.iter().flat_map(|pass| &pass.shaders);
        answers.solve(&first.name, &shaders.find(|shader| shader.path == first.shader).unwrap().text);
        answers.solve(&lesson.puzzles[1].name, "void main() { for (;;) {} }");
        let answers = Answers::parse(&answers.to_json()).unwrap();
        let mut record = |job: &Job, edits: &Edits| record(&gpu, job, edits);
        let grades: Vec<Grade> = answers.grade(&lesson, 0, &mut record, &mut none).unwrap().collect();
        let marks: Vec<Mark> = grades.iter().map(|grade| grade.mark).collect();
        assert_eq!(marks[..4], [Mark::Right, Mark::Right, Mark::Right, Mark::Wrong], "{grades:?}");
        assert!(marks[4..].iter().all(|mark| *mark == Mark::Missing));
        let mut wrong = Answers::of(&lesson);
        wrong.answer(1, 5, "123456");
        let grades: Vec<Grade> = wrong.grade(&lesson, 0, &mut record, &mut none).unwrap().collect();
        assert_eq!((grades[0].mark, grades[0].points, grades[1].mark), (Mark::Wrong, 0, Mark::Missing));
        assert_eq!(wrong.grade(&lesson, 1, &mut record, &mut none).unwrap().collect::<Vec<_>>(), grades[1..]);
        assert!(answers.check(&PUZZLES).is_err());
        // What no text of a student can be the reason of does not count.
        let stopped = |number| stopped(&lesson, number, Mark::TooLong, String::new()).mark;
        assert_eq!((stopped(0), stopped(lesson.stops.len())), (Mark::Unsupported, Mark::TooLong));
    }
}

/// No piece is expected.
fn none(_: &Piece) -> Result<Exhibit, Failure> {
    unreachable!()
}

/// A lesson with a stop for each piece: its questions have answers, near ones are right, and the document says of a piece what
/// the piece says itself, with the numbers of this driver.
fn the_gallery_is_a_lesson() {
    let gpu = rasterscan_runner::gpu();
    let lesson = Lesson::checked(GALLERY).unwrap();
    assert!(lesson.stops.iter().zip(ALL).all(|(stop, piece)| stop.gallery == Some(piece)));
    let document = documents::text("docs/gallery.md").replace('`', "");
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let document = plain(&document);
    let mut facts: Vec<Vec<Fact>> = Vec::new();
    let (mut right, mut wrong) = (Answers::of(&lesson), Answers::of(&lesson));
    for (number, stop) in (1..).zip(&lesson.stops) {
        let piece = stop.gallery.unwrap();
        let of = (piece.run)(&gpu).unwrap().facts;
        let text = filled(&of[..], piece.text).unwrap();
        assert!(
            document.contains(&plain(&text)),
            "docs/gallery.md has another text of {}:\n{text}",
            piece.name
        );
        let names = of.iter().map(|fact| fact.name);
        let told = [piece.title, piece.shows, piece.step, text.trim_end(), &stop.title];
        told.into_iter().chain(names).for_each(|text| _ = hear(text));
        stop.text.iter().for_each(|text| _ = hear(&filled(&of[..], text).unwrap()));
        let question = stop.question(&of[..]).unwrap_or_else(|| panic!("{}: no question", stop.title));
        question.texts().for_each(|text| _ = hear(text));
        let answer = u32::try_from(question.answer.index(0).unwrap()).unwrap();
        for (given, is_right) in [(0, true), (answer / 200, true), (answer / 200 + 1, false)] {
            let verdict = question.check(&(answer + given).to_string());
            assert_eq!(matches!(verdict, Marked::Right(_)), is_right, "{}: {answer} + {given}", stop.title);
        }
        for (mistake, hint) in &question.mistakes {
            assert_eq!(question.check(&mistake.to_string()), Marked::Wrong(hint.clone()), "{}", stop.title);
        }
        right.answer(number, 0, answer.to_string());
        wrong.answer(number, 0, "123456789");
        // It is no question about the run that shows the piece's step.
        assert!(stop.question(&rasterscan_kernels::record_job(&stop.job).unwrap()).is_none());
        facts.push(of);
    }
    lesson.text.iter().chain(&lesson.end).chain([&lesson.title]).for_each(|text| _ = hear(text));
    nothing_was_english();
    let mut runs = 0;
    let mut show = |piece: &Piece| {
        runs += 1;
        let number = ALL.into_iter().position(|known| known == piece).unwrap();
        Ok(Exhibit {
            facts: facts[number].clone(),
            picture: rasterscan_drawing::shape::Drawing::new(1.0, 1.0),
        })
    };
    let mut record = |_: &Job, _: &Edits| unreachable!();
    for (answers, mark) in [(right, Mark::Right), (wrong, Mark::Wrong)] {
        let grades: Vec<Grade> = answers.grade(&lesson, 0, &mut record, &mut show).unwrap().collect();
        assert!(grades.len() == ALL.len() && grades.iter().all(|grade| grade.mark == mark), "{grades:?}");
    }
    lesson.check_gallery(&mut show).unwrap();
    assert_eq!(runs, 3 * ALL.len());
    // A device that cannot run a piece is not the student's fault.
    let mut answers = Answers::of(&lesson);
    answers.answer(1, 0, "7");
    let mut unable = |_: &Piece| Err(Failure::Unsupported("no device".into()));
    let first = answers.grade(&lesson, 0, &mut record, &mut unable).unwrap().next().unwrap();
    assert_eq!((first.mark, &*first.note), (Mark::Unsupported, "no device"));
}

/// The faults of stops with a piece, in its text or in its run.
fn mistakes_about_pieces_are_named() {
    let stop = |rest: &str| format!("title = 't'\n[[stop]]\ntitle = 's'\n{rest}\n");
    let of = |rest: &str| Lesson::parse(&stop(rest)).unwrap_err().to_string();
    assert!(of("text = []\ngallery = 'trace'").contains("expected lexer, marching-cubes, tracer"));
    assert!(of("text = []\ngallery = 'tracer'\njob = 'scan ramp:n=4 -a horn'").contains("job, or gallery"));
    assert!(of("text = []\ngallery = 'tracer'\nposition = 1").contains("leave the others out"));
    assert!(of("text = []\ngallery = 'tracer'\nquestion = { builtin = 'banks' }").contains("about a run"));
    let mut show = |_: &Piece| {
        let facts = vec![
            Fact { name: "rays, by bounce", value: Value::Counts(vec![125_440, 7]) },
            Fact { name: "time, ms", value: Value::Measure(1.5) },
        ];
        Ok(Exhibit { facts, picture: rasterscan_drawing::shape::Drawing::new(1.0, 1.0) })
    };
    let mut tried = |rest: &str| {
        let lesson = Lesson::checked(&stop(&format!("gallery = 'tracer'\n{rest}"))).unwrap();
        lesson.check_gallery(&mut show).map_err(|error| error.to_string())
    };
    for (rest, says) in [
        (
            "text = ['{rays}']",
            "text, paragraph 1: 'rays' is no fact of the piece; it has: rays, by bounce; time, ms",
        ),
        ("text = ['{rays, by bounce[2]}']", "text, paragraph 1: 'rays, by bounce[2]' is no fact"),
        (
            "text = []\nquestion = { text = 'q', answer = 'time, ms' }",
            "question: answer: 'time, ms' is not one count",
        ),
        (
            "text = []\nquestion = { text = 'q', answer = 'rays, by bounce' }",
            "question: answer: 'rays, by bounce' is not one",
        ),
        ("text = []\nquestion = { text = 'q {', answer = '7' }", "question: text: "),
    ] {
        let wrong = tried(rest).unwrap_err();
        assert!(wrong.starts_with(&format!("stop 1 (\"s\"): {says}")), "{wrong}");
    }
    tried("text = ['{rays, by bounce[0]} in {time, ms} ms']\nquestion = { text = 'q', answer = 'rays, by bounce[1]' }").unwrap();
}

fn a_stop_takes_its_numbers_as_they_were_read() {
    let question = "{ text = 'q', answer = 'result[1]' }";
    for values in ["3,5", "-3,5", "3.0,5", "4294967296,5"] {
        let text = format!(
            "title = 't'\n[[stop]]\ntitle = 's'\ntext = []\njob = 'scan values:{values} -a horn'\nquestion = {question}\n"
        );
        let stop = &Lesson::parse(&text).unwrap().stops[0];
        let recording = rasterscan_kernels::record_job(&stop.job(5)).unwrap();
        assert!(stop.question(&recording).is_some(), "{values}: {}", recording.request);
    }
}

fn mistakes_in_a_lesson_are_named() {
    let of = |text: &str| Lesson::parse(text).unwrap_err().to_string();
    let stop = |job: &str, question: &str| {
        of(&format!("title = 't'\n[[stop]]\ntitle = 's'\ntext = []\njob = '{job}'\nquestion = {question}\n"))
    };
    let builtin = "{ builtin = 'horn_step' }";
    assert!(of("title = 3").contains("line 1, column 9"), "{}", of("title = 3"));
    assert!(of("title = 't'\nother = 1\n").contains("line 2"));
    assert!(of("title = 't'").contains("neither"));
    for path in ["/etc/passwd", "numbers.npy", "-", "file:", "http://example.com/a.npy"] {
        assert!(stop(&format!("scan {path} -a horn"), builtin).contains("reads no files"), "{path}");
    }
    assert!(stop("compact random:n=8 -a horn --mask secret.npy", builtin).contains("reads no files"));
    assert!(stop("scan random:n=2^30 -a horn", builtin).contains("at most 4096"));
    assert!(stop("scan random:n=8 -a hron", builtin).contains("stop 1 (\"s\"): job: "));
    assert!(stop("scan random:n=8", builtin).contains("-a NAME"));
    assert!(stop("scan random:n=8 -a horn", "{ builtin = 'hron' }").contains("horn_step"));
    assert!(stop("scan random:n=8 -a horn", "{ text = 'a' }").contains("expected builtin"));
    let puzzle = |rest: &str| {
        of(&format!(
            "title = 't'\n[[puzzle]]\nname = 'p'\ntitle = 'p'\njob = 'scan ramp:n=8 -a horn'\n{rest}\n"
        ))
    };
    assert!(puzzle("shader = 'scan/packed/reduce.frag'").contains("scan/horn/step.frag"));
    assert!(puzzle("shader = '../../../etc/passwd'").contains("does not use"));
    assert!(
        puzzle("shader = 'scan/horn/step.frag'\ngaps = [{ of = 'item', by = '' }]").contains("exactly once")
    );
    assert!(of(&" ".repeat(1 << 20)).contains("at most"));
}

/// The faults that only the runs of a lesson show.
fn lessons_are_tried_when_they_open() {
    for text in SAMPLES {
        Lesson::checked(text).unwrap();
    }
    let stop = |rest: &str| {
        format!("title = 't'\n[[stop]]\ntitle = 's'\njob = 'scan random:n=16 -a blelloch'\n{rest}\n")
    };
    let of = |rest: &str| Lesson::checked(&stop(rest)).unwrap_err().to_string();
    for (rest, says) in [
        ("text = ['{passes}', '{addz}']", "text, paragraph 2: 'addz' is no reference"),
        ("text = []\nposition = 99", "position = 99: the run has 6 passes"),
        ("text = []\nanswered = 9", "answered = 9: the run has 6 passes"),
        ("text = []\nposition = 1\npin = 8", "pin = 8: the target of pass 1 has 8 texels"),
        ("text = []\nposition = 1\nstage = 1", "stage = 1: the pass has 0 stages"),
        ("text = []\nbeside = 'sequential'", "beside: "),
        (
            "text = []\nquestion = { builtin = 'horn_step' }",
            "question: 'horn_step' cannot be asked of this run",
        ),
        ("text = []\nquestion = { text = 'q', answer = 'ads' }", "question: answer: 'ads' is no reference"),
        ("text = []\nquestion = { text = 'q', answer = '1', hint = '{' }", "question: hint: "),
        (
            "text = []\nquestion = { text = 'q', answer = '1', mistakes = [{ answer = 'kept', hint = '' }] }",
            "question: mistakes, answer: kept: ",
        ),
    ] {
        let wrong = of(rest);
        assert_eq!(wrong.lines().count(), 1, "{wrong}");
        assert!(wrong.starts_with(&format!("stop 1 (\"s\"): {says}")), "{wrong}");
    }
    assert_eq!(of("text = ['{a}', '{b}']\nposition = 9").lines().count(), 3, "all of them");
}

fn a_stop_may_be_only_read() {
    let text = "title = 't'\n[[stop]]\ntitle = 'r'\ntext = ['{adds}']\njob = 'scan random:n=8 -a horn'\n\
                [[stop]]\ntitle = 'q'\ntext = []\njob = 'scan random:n=8 -a horn'\nquestion = { text = 'q', answer = '7' }\n";
    let lesson = Lesson::checked(text).unwrap();
    assert_eq!((lesson.stops[0].points, &lesson.stops[0].question, tasks(&lesson)), (0, &None, 1));
    let mut record = |job: &Job, _: &Edits| rasterscan_kernels::record_job(job).map_err(|_| unreachable!());
    let mut answers = Answers::of(&lesson);
    answers.answer(2, 3, "7");
    let grades: Vec<Grade> = answers.grade(&lesson, 0, &mut record, &mut none).unwrap().collect();
    assert_eq!((grades.len(), &*grades[0].task, grades[0].mark), (1, "stop 2", Mark::Right));
    assert_eq!(stopped(&lesson, 0, Mark::Crashed, String::new()).task, "stop 2");
    // An answer is repeated in part.
    answers.answer(2, 3, "x".repeat(100_000));
    let grades: Vec<Grade> = answers.grade(&lesson, 0, &mut record, &mut none).unwrap().collect();
    assert!(grades[0].mark == Mark::Wrong && grades[0].note.len() < 200, "{}", grades[0].note.len());
}

fn references_name_what_a_run_lacks() {
    let gpu = rasterscan_runner::gpu();
    let recording = record(&gpu, &TOUR.stops[1].job(3), &Default::default()).unwrap();
    let of = |reference: &str| value(&recording, reference);
    assert_eq!(of("result[15]").unwrap(), of("after pass 4: target[15]").unwrap());
    assert_eq!(of("passes").unwrap().to_string(), "4");
    assert_eq!(of("input[3]").unwrap(), of("after pass 0: input[3]").unwrap());
    for (wrong, says) in [
        ("after pass 9: target[1]", "4 passes"),
        ("after pass 1: pigeon[1]", "no stream 'pigeon'"),
        ("after pass 1: target[99]", "16 items"),
        ("after pass x: target[1]", "no number"),
        ("reads of pass 7", "passes 1 to 4"),
        ("kept", "compaction"),
        ("nonsense", "no reference"),
        ("[", "expected STREAM"),
    ] {
        assert!(of(wrong).unwrap_err().contains(says), "{wrong}: {:?}", of(wrong));
    }
}

fn damaged_files_do_no_harm() {
    let corpus: Vec<Vec<u8>> =
        SAMPLES.iter().chain([&GALLERY]).map(|text| text.as_bytes().to_vec()).collect();
    let words = [
        "[[stop]]",
        "[[puzzle]]",
        "builtin",
        "question",
        "=",
        "\"",
        "'''",
        "{",
        "}",
        "[",
        "-a",
        "random:n=",
        "99999999999",
    ];
    Fuzz { name: "lesson", corpus, words: &words, repair: |_| {}, cases: 400 }.run(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        match Lesson::parse(&text) {
            Ok(lesson) => format!("{} stops", lesson.stops.len()),
            Err(error) => error.to_string(),
        }
    });
    let mut answers = Answers::of(&PUZZLES);
    answers.answer(1, 7, "12");
    answers.solve("copy", "void main() {}");
    let words = ["null", "\"answers\":", "[", "]", "{", "}", ",", "1e99"];
    let corpus = vec![answers.to_json().into_bytes()];
    Fuzz { name: "answers", corpus, words: &words, repair: |_| {}, cases: 400 }.run(|bytes| {
        match Answers::parse(&String::from_utf8_lossy(bytes)) {
            Ok(answers) => answers.lesson,
            Err(error) => error,
        }
    });
}

crate::tests![
    samples_are_answered_and_graded,
    the_gallery_is_a_lesson,
    mistakes_about_pieces_are_named,
    a_stop_takes_its_numbers_as_they_were_read,
    mistakes_in_a_lesson_are_named,
    lessons_are_tried_when_they_open,
    a_stop_may_be_only_read,
    references_name_what_a_run_lacks,
    damaged_files_do_no_harm,
];
