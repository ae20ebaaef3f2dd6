//! The visual app, driven as by a user: clicks by name, keys, typed text; and pictures of it.

#[path = "app/controls.rs"]
mod controls;
#[path = "app/errors.rs"]
mod errors;
#[path = "app/exports.rs"]
mod exports;
#[path = "app/gallery.rs"]
mod gallery;
#[path = "app/keys.rs"]
mod keys;
#[path = "app/pictures.rs"]
mod pictures;
#[path = "app/pieces.rs"]
mod pieces;
#[path = "app/stops.rs"]
mod stops;
#[path = "app/teaching.rs"]
mod teaching;
#[path = "app/window.rs"]
mod window;

use std::cell::RefCell;
use std::rc::Rc;

use egui::{FullOutput, TexturesDelta};
use egui_kittest::kittest::Queryable;
use egui_kittest::{Harness, TestRenderer};
use rasterscan::Gpu;
use rasterscan::tools::Job;
use rasterscan::tools::registry::Card;
use rasterscan::trace::Recording;
use rasterscan_app::App;
use rasterscan_app::engine::{Engine, GpuEngine};
use rasterscan_app::job::Resolved;
use rasterscan_app::window::offscreen::Pictures;

/// Paints the harness's output on the headless context.
struct Painter(Pictures);

impl TestRenderer for Painter {
    fn handle_delta(&mut self, delta: &TexturesDelta) {
        self.0.take_foreign(delta).unwrap();
    }

    fn render(&mut self, ctx: &egui::Context, output: &FullOutput) -> Result<image::RgbaImage, String> {
        let size = ctx.content_rect().size() * output.pixels_per_point;
        let size = [size.x.round() as u32, size.y.round() as u32];
        let picture = self.0.paint_foreign(ctx, output, size)?;
        image::RgbaImage::from_raw(size[0], size[1], picture.pixels).ok_or("too few pixels".into())
    }
}

/// Runs on the headless context, and counts the runs.
struct Counting {
    engine: GpuEngine,
    runs: Rc<RefCell<Vec<String>>>,
}

impl Engine for Counting {
    fn run(&mut self, job: &Resolved) -> Result<Option<Recording>, String> {
        self.runs.borrow_mut().push(job.choice.to_string());
        let mut recording = self.engine.run(job)?.expect("this engine works at once");
        // Times differ from run to run, and pictures must not.
        recording.clock = None;
        recording.passes.iter_mut().for_each(|pass| pass.time = None);
        Ok(Some(recording))
    }

    fn unsupported(&mut self, card: &Card) -> Option<String> {
        self.engine.unsupported(card)
    }

    fn gpu(&self) -> Result<&Gpu, String> {
        self.engine.gpu()
    }

    fn device(&self) -> String {
        // The same on every machine, for pictures.
        "a device".into()
    }
}

/// The app in a harness.
struct Stage {
    harness: Harness<'static, App>,
    /// The algorithms of all runs.
    runs: Rc<RefCell<Vec<String>>>,
}

impl Stage {
    fn new() -> Stage {
        Stage::of([1280.0, 800.0])
    }

    fn of(size: [f32; 2]) -> Stage {
        Stage::with(size, 1.0, egui::Theme::Light, |_| ())
    }

    fn with(size: [f32; 2], scale: f32, theme: egui::Theme, begin: impl FnOnce(&mut App)) -> Stage {
        let runs = Rc::new(RefCell::new(Vec::new()));
        let engine = Counting { engine: GpuEngine(Gpu::headless().unwrap()), runs: Rc::clone(&runs) };
        let mut app = App::new(Box::new(engine));
        begin(&mut app);
        let harness = Harness::builder()
            .with_size(size)
            .with_pixels_per_point(scale)
            .with_theme(theme)
            .with_step_dt(0.05)
            .with_max_steps(30)
            .renderer(Painter(Pictures::headless().unwrap()))
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        Stage { harness, runs }
    }

    /// A stage with another run than the first.
    fn showing(job: Job) -> Stage {
        Stage::with([1280.0, 800.0], 1.0, egui::Theme::Light, |app| app.ask(job))
    }

    /// The device's limits for compute shaders.
    fn compute(&self) -> Option<()> {
        Gpu::headless().unwrap().device().compute.as_ref().map(drop)
    }

    fn app(&self) -> &App {
        self.harness.state()
    }

    fn position(&self) -> usize {
        self.app().view.position
    }

    fn press(&mut self, key: egui::Key) -> &mut Stage {
        self.harness.key_press(key);
        self.harness.run();
        self
    }

    /// Clicks on the widget of this name.
    fn click(&mut self, name: &str) -> &mut Stage {
        self.harness.get_by_label(name).click();
        self.harness.run();
        self
    }

    /// Clicks on the widget whose name contains this.
    fn click_on(&mut self, part: &str) -> &mut Stage {
        self.harness.get_by_label_contains(part).click();
        self.harness.run();
        self
    }

    /// Lets time pass.
    fn wait(&mut self, seconds: f32) -> &mut Stage {
        for _ in 0..(seconds / 0.05).ceil() as usize {
            self.harness.step();
        }
        self
    }

    /// Returns true if a widget's name contains this.
    fn says(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).next().is_some()
    }

    /// The algorithm of the current run.
    fn algorithm(&self) -> String {
        self.app().recording().map_or("nothing".into(), |recording| recording.algorithm.clone())
    }
}

/// A scan of random digits.
fn scan(algorithm: &str, n: u64) -> Job {
    job(rasterscan::tools::problem::SCAN, algorithm, n)
}

/// A compaction of random digits.
fn compact(algorithm: &str, n: u64) -> Job {
    job(rasterscan::tools::problem::COMPACT, algorithm, n)
}

fn job(problem: &'static rasterscan::tools::Problem, algorithm: &str, n: u64) -> Job {
    let choice = rasterscan::tools::registry::Choice::parse(problem, algorithm).unwrap();
    Job::new(problem, rasterscan_app::job::digits(problem).with_len(n)).by(choice)
}
