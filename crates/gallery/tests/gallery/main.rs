//! Every piece runs on every level of OpenGL, is right, and has a picture; its job is one, and its sources are known.

use std::process::ExitCode;

use rasterscan::tools::{Job, Task};
use rasterscan_drawing::pixels;
use rasterscan_gallery::{ALL, named};
use rasterscan_runner::documents::text;
use rasterscan_runner::harness::{self, Level};

pub(crate) use rasterscan_runner::tests;

fn runs(name: &str) {
    let piece = named(name).expect("a piece");
    let exhibit = (piece.run)(&rasterscan_runner::gpu()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!exhibit.facts.is_empty());
    let pixels = pixels::paint(&exhibit.picture, 1.0).expect("pixels");
    let first = &pixels.rgb[..3];
    let others = pixels.rgb.chunks(3).filter(|pixel| *pixel != first).count();
    assert!(others * 20 > pixels.rgb.len() / 3, "{name}: {others} pixels differ from the first");
    for fact in exhibit.facts {
        println!("{}: {:?}", fact.name, fact.value);
    }
}

fn each_job_runs_in_the_app() {
    for piece in ALL {
        let job = Job::parse(piece.job.split(' ')).unwrap_or_else(|error| panic!("{}: {error}", piece.job));
        let task = Task::of_job(&job).expect("a task");
        let algorithm = job.algorithm.named().expect("an algorithm");
        let plan = algorithm.plan(task.request(), &rasterscan::Device::gl43()).expect("a plan");
        assert!(plan.is_some() && task.request().len() <= 64, "{}", piece.job);
    }
}

fn sources_are_known_and_pages_tell_of_each() {
    let (bibliography, page) = (text("assets/references.bib"), text("docs/gallery.md"));
    for piece in ALL {
        for key in piece.sources {
            assert!(bibliography.contains(&format!("{{{key},\n")), "{}: {key}", piece.name);
        }
        assert!(
            page.contains(&format!("rasterscan gallery {}", piece.name)),
            "docs/gallery.md: {}",
            piece.name
        );
    }
}

fn main() -> ExitCode {
    let mut list = Vec::new();
    tests(&mut list);
    let draws = |name: &str| named(name).is_some();
    harness::main(&list, |name| match draws(name) {
        true => vec![Level::Native, Level::Gl33, Level::Gles30],
        false => vec![Level::Native],
    })
}

tests![
    each_job_runs_in_the_app,
    sources_are_known_and_pages_tell_of_each;
    runs for each of ALL.map(|piece| piece.name)
];
