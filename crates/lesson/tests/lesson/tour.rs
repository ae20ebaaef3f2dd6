//! The tour's stops run, and the answers to their questions match the recordings.

use rasterscan::tools::job::Wanted;
use rasterscan::tools::problem::InputInfo;
use rasterscan::tools::registry::Choice;
use rasterscan::trace::Recording;
use rasterscan::{
    scan,
    tools::{Numbers, Request},
};
use rasterscan_lesson::Item;
use rasterscan_lesson::tour::{Marked, Question, STOPS, Stop};

use super::runs::record;

/// The job of a stop.
struct Run {
    choice: Choice,
    request: Request,
    values: Numbers,
}

fn run(stop: &Stop, seed: u64) -> Run {
    let job = stop.job(seed);
    let Wanted::Algorithm(choice) = &job.algorithm else { panic!("{}: no algorithm is named", stop.title) };
    let values = job.streams().unwrap().swap_remove(0);
    Run { choice: choice.clone(), request: job.request(InputInfo::of(&values)).unwrap(), values }
}

const SEEDS: [u64; 6] = [0, 1, 7, 42, 1000, u64::MAX];

fn with_all(mut look: impl FnMut(&Stop, &Recording, &Numbers, Question)) -> usize {
    let gpu = rasterscan_runner::gpu();
    let mut seen = 0;
    for stop in STOPS.iter() {
        for seed in SEEDS {
            let Run { choice, request, values } = run(stop, seed);
            let Some(recording) = record(&gpu, &choice, &request, &[&values]) else { continue };
            assert!(stop.position <= recording.passes.len(), "{}: position {}", stop.title, stop.position);
            if let Some(beside) = &stop.beside {
                let beside = super::runs::choice(request.problem(), beside);
                assert!(record(&gpu, &beside, &request, &[&values]).is_some());
            }
            let question = stop.question(&recording).unwrap_or_else(|| panic!("{}: no question", stop.title));
            look(stop, &recording, &values, question);
            seen += 1;
        }
    }
    seen
}

fn right_answers_are_taken_and_wrong_ones_are_not() {
    let seen = with_all(|stop, _, _, question| {
        let title = &stop.title;
        let right = question.answer.to_string();
        for answer in [right.clone(), format!("  {right} ")] {
            let verdict = question.check(&answer);
            assert_eq!(verdict, Marked::Right(question.explanation.clone()), "{title}");
        }
        let number = question.answer.index(0).expect("answers are counts");
        for wrong in [number + 1, number + 17, number.wrapping_sub(1) & 0xFFFF_FFFF, number * 2 + 3] {
            let verdict = question.check(&wrong.to_string());
            assert!(
                matches!(&verdict, Marked::Wrong(hint) if !hint.is_empty()),
                "{title}: {wrong} is {verdict:?}"
            );
        }
        for text in ["", "  ", "seven", "-3", "1 2", "3.5", "99999999999999999999"] {
            assert!(matches!(question.check(text), Marked::NoNumber(_)), "{title}: {text}");
        }
        for (mistake, hint) in &question.mistakes {
            assert_eq!(question.check(&mistake.to_string()), Marked::Wrong(hint.clone()), "{title}");
        }
        // Neither the question nor the hint contains the answer.
        let gives_away = |text: &str| {
            let mut words = text.split(|c: char| !c.is_ascii_digit());
            number > 99 && words.any(|word| word == right)
        };
        assert!(!gives_away(&question.text) && !gives_away(&question.hint), "{title}: {}", question.text);
    });
    assert!(seen >= SEEDS.len() * (STOPS.len() - 1), "only {seen} questions");
}

/// The answer by definition, from the input alone.
fn answers_are_what_they_should_be() {
    with_all(|stop, recording, values, question| {
        let x = values.words();
        let sum = |positions: std::ops::Range<usize>| x[positions].iter().sum::<u32>();
        let wanted =
            |positions: std::ops::Range<usize>| x[positions].iter().filter(|&&x| x != 0).count() as u32;
        let about = question.about.map(|position| position as usize);
        let expected = match stop.title.as_str() {
            "What a scan is" => sum(0..5),
            "Horn's scan: every texel adds at once" => sum(3..11),
            "Horn's scan does too much work" => 31 + 30 + 28 + 24 + 16,
            "Up and down: reduce and down-sweep" => sum(0..11),
            // Five reduces and their down-sweeps, and three steps over eight sums.
            "The hybrid: fewer additions for more passes" => 5 + 3 + 5,
            "Why each reduce halves the height" => 3,
            "Four numbers to a texel" => sum(0..19),
            "Compaction: each result searches for its element" => {
                let position = about.expect("it is about a position");
                let unwanted = |positions: std::ops::Range<usize>| positions.len() as u32 - wanted(positions);
                let (lower, upper) = (unwanted(0..position + 1), unwanted(0..24));
                (2 * position as u32 + lower + upper) / 2
            }
            "HistoPyramid: walk down a tree of counts" => {
                let position = about.expect("it is about a position") as u32;
                let before = [0, 16, 32, 48].map(|end| wanted(0..end));
                position - before.into_iter().filter(|before| *before <= position).max().unwrap()
            }
            "Blocks, joined by drawing lines" => {
                let number = |after: &str| {
                    let (_, rest) = question.text.split_once(after).unwrap();
                    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<usize>().unwrap()
                };
                let block = number("Block ");
                let (start, end) = (wanted(0..block * 8), wanted(0..block * 8 + 8));
                (start..end).filter(|position| position / 8 > start / 8).count() as u32
            }
            "Shared memory and its banks" => return banks(recording, question),
            "Look-back: one pass over the data" => sum(0..20),
            "SAM: resident groups and a ring of sums" => sum(0..(16 - 3 + 1) * 4),
            "What a scan is good for: sorting by splits" => {
                let zeros = x.iter().filter(|&&key| key & 1 == 0).count();
                let index: usize =
                    question.text.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap();
                assert_eq!(x[index] & 1, 1, "{}", question.text);
                (zeros + x[..index].iter().filter(|&&key| key & 1 == 1).count()) as u32
            }
            other => panic!("no answer is expected for {other}"),
        };
        assert_eq!(question.answer, Item::count(expected), "{}: {}", stop.title, question.text);
    });
}

/// Numbers that an answer consists of: positions of a stream at some time.
struct Needed<'a> {
    stream: usize,
    values: &'a Numbers,
    places: Vec<usize>,
}

/// The numbers that the answer to a stop's question consists of, and those that must be in the question.
fn made_of<'a>(stop: &Stop, recording: &'a Recording) -> (Vec<Needed<'a>>, Vec<String>) {
    let first = |phase: &str| recording.passes.iter().position(|pass| pass.phase == phase).unwrap();
    let source = |pass: usize, name: &str, places: &[usize]| {
        let source = recording.passes[pass].sources.iter().find(|source| source.name == name).unwrap();
        let values = recording.before(pass, source.stream).unwrap();
        vec![Needed { stream: source.stream, values, places: places.to_vec() }]
    };
    let input = |places: std::ops::Range<usize>| {
        let content = &recording.inputs[0];
        vec![Needed { stream: content.stream, values: &content.values, places: places.collect() }]
    };
    let said = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect();
    let last = recording.passes.len() - 1;
    let width = recording.layout(recording.inputs[0].stream).width;
    match stop.title.as_str() {
        "What a scan is" => (input(0..5), said(&[4])),
        "Horn's scan: every texel adds at once" => (source(2, "u_source", &[6, 10]), said(&[4, 10])),
        "Horn's scan does too much work" => (Vec::new(), said(&[5, 32])),
        "Up and down: reduce and down-sweep" => {
            let [sum, own] = [source(last, "u_sums", &[4]), source(last, "u_values", &[10])];
            ([sum, own].into_iter().flatten().collect(), said(&[10]))
        }
        "The hybrid: fewer additions for more passes" => (Vec::new(), said(&[4, 16, 8])),
        "Why each reduce halves the height" => (Vec::new(), said(&[width, width - 2, 1])),
        "Four numbers to a texel" => {
            let sums = source(last, "u_sums", &[1]);
            (input(16..19).into_iter().chain(sums).collect(), said(&[16, 18]))
        }
        "Compaction: each result searches for its element" => {
            (source(first("search"), "u_sums", &[23]), said(&[23]))
        }
        "HistoPyramid: walk down a tree of counts" => {
            (source(first("traverse"), "u_level_2", &[0, 1, 2, 3]), Vec::new())
        }
        "Blocks, joined by drawing lines" => (Vec::new(), said(&[8])),
        // The words that it also needs are checked against the answer elsewhere.
        "Shared memory and its banks" => (Vec::new(), said(&[4, 8])),
        "Look-back: one pass over the data" => (input(0..20), said(&[7, 4])),
        "SAM: resident groups and a ring of sums" => (input(0..56), said(&[3, 16, 2])),
        "What a scan is good for: sorting by splits" => {
            (source(first("gather"), "u_sums", &[15]), said(&[0, 1]))
        }
        other => panic!("no parts are known for {other}"),
    }
}

/// The streams shown at a position: those of the last pass, or the input.
fn in_sight(recording: &Recording, position: usize) -> Vec<(usize, &Numbers)> {
    let Some(number) = position.checked_sub(1) else {
        return recording.inputs.iter().map(|content| (content.stream, &content.values)).collect();
    };
    let pass = &recording.passes[number];
    let sources = pass.sources.iter().map(|source| source.stream);
    let sources = sources.filter_map(|stream| Some((stream, recording.before(number, stream)?)));
    sources.chain(pass.targets.iter().map(|target| (target.stream, &target.values))).collect()
}

fn what_an_answer_is_made_of_is_in_sight_or_in_the_question() {
    let gpu = rasterscan_runner::gpu();
    for stop in STOPS.iter() {
        for seed in 0..20 {
            let Run { choice, request, values } = run(stop, seed);
            let Some(recording) = record(&gpu, &choice, &request, &[&values]) else { continue };
            let text = stop.question(&recording).unwrap().text;
            let words: Vec<String> = text
                .split(|c: char| !c.is_ascii_digit())
                .filter(|w| !w.is_empty())
                .map(str::to_owned)
                .collect();
            let (needed, said) = made_of(stop, &recording);
            assert!(said.iter().all(|number| words.contains(number)), "{}: {said:?}: {text}", stop.title);
            for needed in needed {
                let sight = in_sight(&recording, stop.position);
                if sight.contains(&(needed.stream, needed.values)) {
                    continue;
                }
                let numbers: Vec<String> =
                    needed.places.iter().map(|&place| needed.values.decimal(place)).collect();
                let named = words.windows(numbers.len()).any(|words| words == numbers);
                assert!(
                    named,
                    "{}, seed {seed}: {numbers:?} are neither on screen nor in: {text}",
                    stop.title
                );
            }
        }
    }
}

fn banks(recording: &Recording, question: Question) {
    let scanned =
        recording.passes[0].targets.iter().find(|target| recording.name(target.stream) == "scanned").unwrap();
    let spec = recording.request.get().expect("a scan");
    let input: &[u32] = recording.inputs[0].values.get().unwrap();
    assert_eq!(scanned.values.get::<u32>().unwrap(), scan::sequential(spec, input).unwrap());
    // The largest number of the question's words that fall into one of 8 banks.
    let (_, words) = question.text.split_once("the words ").unwrap();
    let (words, rest) = words.split_once(" at once take ").unwrap();
    let most = |banks: usize| {
        let mut counts = vec![0; banks];
        words.split(", ").for_each(|word| counts[word.parse::<usize>().unwrap() % banks] += 1);
        counts.into_iter().max().unwrap()
    };
    assert!(rest.starts_with(&format!("{} turns", most(4))), "{}", question.text);
    assert_eq!(question.answer, Item::count(most(8)), "{}", question.text);
    assert!(most(8) > 1, "without conflicts there is nothing to ask");
}

fn a_question_is_for_its_own_run_only() {
    let gpu = rasterscan_runner::gpu();
    let (first, other) = (&STOPS[1], &STOPS[3]);
    let Run { choice, request, values } = run(first, 7);
    let recording = record(&gpu, &choice, &request, &[&values]).unwrap();
    assert!(first.question(&recording).is_some() && other.question(&recording).is_none());
    assert_ne!(values, run(first, 8).values);
    // An incomplete recording has no question, and causes no panic.
    let mut broken = recording.clone();
    broken.passes.truncate(1);
    assert_eq!(first.question(&broken), None);
    let mut broken = recording;
    broken.passes.iter_mut().for_each(|pass| pass.uniforms.clear());
    assert_eq!(first.question(&broken), None);
}

fn stops_read_well() {
    for stop in STOPS.iter() {
        assert!((2..=4).contains(&stop.text.len()), "{}: a few short paragraphs", stop.title);
        for paragraph in &stop.text {
            let words = paragraph.split_whitespace().count();
            assert!(words <= 90, "{}: a paragraph of {words} words", stop.title);
            assert!(
                !paragraph.contains("  ") && !paragraph.contains('!') && paragraph.ends_with(['.', '?']),
                "{paragraph}"
            );
        }
    }
}

crate::tests![
    right_answers_are_taken_and_wrong_ones_are_not,
    answers_are_what_they_should_be,
    what_an_answer_is_made_of_is_in_sight_or_in_the_question,
    a_question_is_for_its_own_run_only,
    stops_read_well,
];
