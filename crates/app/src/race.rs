//! A race of scans on an imagined machine, with as many processors as one likes: a window.

use egui::{
    Align2, Context, FontId, Label, Rect, RichText, Sense, Slider, Ui, WidgetInfo, WidgetType, Window,
};
use egui::{pos2, vec2};
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::race::{Runner, runners};

use super::looks::{self, grouped};

/// The question, with its source.
const QUESTION: &str = "Horn's scan needs the fewest passes, a loop the fewest additions. Sengupta, Lefohn and Owens (2006) \
                        join Horn's scan and Blelloch's: they reduce until there are no more sums than the GPU can work on \
                        at a time, then let Horn's steps scan those. Their claim: \u{201c}The hybrid algorithm would be the \
                        fastest of the three\u{201d}. Is it, with any number of processors?";

/// The most processors, as a power of two; one power more stands for one processor for each task.
const MOST: u32 = 20;

/// Lengths, as powers of two.
const LENGTHS: std::ops::RangeInclusive<u32> = 3..=20;

/// Seconds that the slowest runner takes.
const TIME: f64 = 6.0;

/// The state from frame to frame.
#[derive(Debug)]
pub struct Race {
    /// True if the window is open.
    pub open: bool,
    /// The length and the processors, as powers of two.
    length: u32,
    processors: u32,
    /// When the race began, on the shell's clock.
    begun: Option<f64>,
    known: Option<([u32; 2], Vec<Runner>)>,
}

impl Default for Race {
    fn default() -> Race {
        Race { open: false, length: 10, processors: 5, begun: None, known: None }
    }
}

impl Race {
    /// Shows the window if it is open.
    pub fn window(&mut self, ctx: &Context) {
        let mut open = self.open;
        let room = ctx.content_rect().size() - vec2(24.0, 60.0);
        let size = room.min(vec2(760.0, 480.0)).max(vec2(60.0, 60.0));
        let window =
            Window::new(say("A race of processors")).open(&mut open).default_size(size).max_size(room);
        window.default_pos(looks::BELOW_BAR).vscroll(true).show(ctx, |ui| self.contents(ui));
        self.open = open;
    }

    fn contents(&mut self, ui: &mut Ui) {
        ui.add(Label::new(say(QUESTION)).wrap());
        ui.add_space(6.0);
        let power = |log: f64, _: std::ops::RangeInclusive<usize>| grouped(1 << log as u32);
        let many = |log: f64, _: std::ops::RangeInclusive<usize>| match log as u32 {
            log if log > MOST => say("one for each task"),
            log => grouped(1 << log),
        };
        ui.spacing_mut().slider_width = (ui.available_width() - 220.0).clamp(80.0, 420.0);
        let processors = Slider::new(&mut self.processors, 0..=MOST + 1).text(say("processors"));
        let moved = ui.add(processors.custom_formatter(many)).changed();
        let length = Slider::new(&mut self.length, LENGTHS).text(say("numbers")).custom_formatter(power);
        if ui.add(length).changed() || moved {
            self.begun = None;
        }
        let now = ui.input(|input| input.time);
        if ui.button(say("Start")).clicked() {
            self.begun = Some(now);
        }
        let processors = (self.processors <= MOST).then(|| 1 << self.processors);
        let question = [self.length, self.processors];
        let runners = match self.known.take() {
            Some((known, runners)) if known == question => runners,
            _ => runners(1 << self.length, processors),
        };
        let steps: Vec<u64> = runners.iter().map(|runner| runner.steps_with(processors)).collect();
        let (least, most) =
            (steps.iter().min().copied().unwrap_or(0), steps.iter().max().copied().unwrap_or(1));
        let share = self.begun.map_or(1.0, |begun| ((now - begun) / TIME).min(1.0));
        if share < 1.0 {
            ui.ctx().request_repaint();
        }
        let done = (most as f64 * share) as u64;
        ui.add_space(6.0);
        for (runner, steps) in runners.iter().zip(&steps) {
            lane(ui, runner, processors, *steps, (done, most), *steps == least);
        }
        ui.add_space(4.0);
        let about = "A bar is the steps of all passes, one after the other; lines part them. A pass runs a task for each texel that it \
                     writes, as many at a time as there are processors. A task takes a step for each number that it adds, and \
                     at least one. Reads, and what it costs to start a pass, are left out.";
        ui.add(Label::new(RichText::new(say(about)).small().color(looks::faint(ui.visuals()))).wrap());
        self.known = Some((question, runners));
    }
}

/// A runner: its name, its passes as a bar, how far it is, and its steps and work.
fn lane(
    ui: &mut Ui,
    runner: &Runner,
    processors: Option<u64>,
    steps: u64,
    (done, most): (u64, u64),
    wins: bool,
) {
    let (whole, response) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
    let text = say(format!("{}: {} steps, work {}", runner.name, grouped(steps), grouped(runner.work())));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &text));
    let visuals = ui.visuals();
    let colour = if wins { looks::right(visuals) } else { looks::ink(visuals) };
    let painter = ui.painter();
    painter.text(whole.left_top(), Align2::LEFT_TOP, text, FontId::proportional(13.0), colour);
    let place = |at: u64| whole.left() + whole.width() * (at as f32 / most.max(1) as f32);
    let (top, bottom) = (whole.top() + 19.0, whole.bottom() - 5.0);
    let mut at = 0;
    for (number, pass) in runner.passes.iter().enumerate() {
        let end = at + pass.steps_with(processors);
        let part = |end: u64| Rect::from_min_max(pos2(place(at), top), pos2(place(end), bottom));
        painter.rect_filled(part(end), 0.0, looks::faint(visuals).gamma_multiply(0.35));
        if done > at {
            let colour = if wins { looks::right(visuals) } else { looks::colour(looks::phase(0)) };
            painter.rect_filled(part(end.min(done)), 0.0, colour);
        }
        if number > 0 && part(end).width() > 3.0 {
            painter.vline(place(at), top..=bottom, (1.0, looks::paper(visuals)));
        }
        at = end;
    }
}
