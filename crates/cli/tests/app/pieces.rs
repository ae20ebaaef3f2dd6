//! Engines that work in pieces: the last run stays until the new one is there, and then all that was asked for follows.

use rasterscan::Gpu;
use rasterscan::tools::registry::Card;
use rasterscan::trace::Recording;
use rasterscan_app::App;
use rasterscan_app::engine::{Engine, GpuEngine};
use rasterscan_app::job::Resolved;
use rasterscan_app::link::Opening;
use rasterscan_app::tour::Tour;
use rasterscan_lesson::tour::STOPS;

/// Takes four calls for each job, and forgets a job when it is asked for another.
struct Slow {
    engine: GpuEngine,
    job: Option<Resolved>,
    calls: usize,
}

impl Engine for Slow {
    fn run(&mut self, job: &Resolved) -> Result<Option<Recording>, String> {
        if !self.job.as_ref().is_some_and(|known| known.is_like(job)) {
            (self.job, self.calls) = (Some(job.clone()), 0);
        }
        self.calls += 1;
        if self.calls < 4 { Ok(None) } else { self.engine.run(job) }
    }

    fn unsupported(&mut self, card: &Card) -> Option<String> {
        self.engine.unsupported(card)
    }

    fn device(&self) -> String {
        self.engine.device()
    }
}

/// An app in frames of its own.
struct Frames {
    app: App,
    context: egui::Context,
}

impl Frames {
    fn new(engine: Box<dyn Engine>) -> Frames {
        Frames { app: App::new(engine), context: egui::Context::default() }
    }

    fn frame(&mut self) {
        let app = &mut self.app;
        let _ = self.context.run_ui(egui::RawInput::default(), |ui| app.ui(ui));
    }

    /// Frames until nothing is under way.
    fn resolve(&mut self) -> usize {
        let mut frames = 0;
        loop {
            self.frame();
            frames += 1;
            if !self.app.is_busy() {
                return frames;
            }
            assert!(frames < 100, "it never ends");
        }
    }
}

fn opening(link: &str) -> Opening {
    Opening::parse(link.split(' ')).unwrap()
}

#[test]
fn the_first_picture_does_not_wait_for_the_engine() {
    let engine = Slow { engine: GpuEngine(Gpu::headless().unwrap()), job: None, calls: 0 };
    let mut slow = Frames::new(Box::new(engine));
    slow.app.open(&opening("scan values:3,1,7,0,4,1,6,3 -a horn --pass 2"));
    slow.frame();
    assert!(slow.app.is_busy(), "the engine is at work");
    assert_eq!(slow.app.title(), "rasterscan: horn, pass 2 of 3");
    let first = slow.app.recording().expect("a picture");
    slow.resolve();
    let then = slow.app.recording().expect("the engine's run");
    assert_ne!(first.device, then.device);
    assert_eq!(slow.app.title(), "rasterscan: horn, pass 2 of 3");
    let outputs = [first, then].map(|recording| recording.passes[1].targets[0].values.clone());
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn what_was_asked_for_follows_when_the_run_is_there() {
    let gpu = || GpuEngine(Gpu::headless().unwrap());
    let mut slow = Frames::new(Box::new(Slow { engine: gpu(), job: None, calls: 0 }));
    let mut quick = Frames::new(Box::new(gpu()));
    assert!(slow.resolve() > 1, "it takes several frames");
    quick.resolve();
    for link in [
        "scan values:3,1,7,0,4,1,6,3 -a horn --pass 2",
        "scan random:n=16,seed=7,max=9 -a hybrid:reduce=2 --pass 3 --pin target:0:5",
        "scan values:3,1,7,0 -a horn --beside packed:block=2 --pass 2",
        "compact values:3,0,7,0,4 -a points --keep >2 --pass 1",
    ] {
        let before = slow.app.opening().link();
        slow.app.open(&opening(link));
        quick.app.open(&opening(link));
        assert!(slow.app.is_busy() && !quick.app.is_busy(), "{link}");
        assert_eq!(
            slow.app.opening().job.unwrap().link(),
            opening_job(&before),
            "{link}: the last run stays"
        );
        slow.resolve();
        quick.resolve();
        assert_eq!(slow.app.opening().link(), quick.app.opening().link(), "{link}");
        assert_eq!(slow.app.title(), quick.app.title(), "{link}");
    }
}

#[test]
fn a_tour_stop_is_as_it_should_be_once_its_run_is_there() {
    let gpu = || GpuEngine(Gpu::headless().unwrap());
    let mut slow = Frames::new(Box::new(Slow { engine: gpu(), job: None, calls: 0 }));
    let mut quick = Frames::new(Box::new(gpu()));
    for stop in 0..STOPS.len() {
        for frames in [&mut slow, &mut quick] {
            frames.app.tour = Tour::at(stop);
            frames.frame();
            frames.resolve();
        }
        assert_eq!(slow.app.opening().link(), quick.app.opening().link());
    }
    slow.app.tour = Tour::at(0);
    slow.frame();
    slow.app.tour.close();
    slow.resolve();
    assert!(!slow.app.tour.open, "it stays closed");
}

/// The job of a link.
fn opening_job(link: &str) -> String {
    let words = rasterscan::tools::job::words_of_link(link);
    Opening::parse(words.iter().map(String::as_str)).unwrap().job.unwrap().link()
}

#[test]
fn a_later_job_takes_the_place_of_an_unfinished_one() {
    let engine = Slow { engine: GpuEngine(Gpu::headless().unwrap()), job: None, calls: 0 };
    let mut slow = Frames::new(Box::new(engine));
    slow.resolve();
    slow.app.open(&opening("scan values:3,1,7,0 -a packed:block=2 --pass 1"));
    slow.frame();
    slow.app.open(&opening("scan values:1,2,3,4,5,6,7,8 -a horn --pass 3"));
    slow.resolve();
    assert_eq!(slow.app.title(), "rasterscan: horn, pass 3 of 3");
}
