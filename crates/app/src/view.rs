//! The current view: the position in the run, the speed, and the look of texels.

mod memory;

use egui::{Rect, Vec2};

pub use memory::MemoryView;
use rasterscan_drawing::colour::Palette;
use rasterscan_drawing::theme::Theme;
use rasterscan_picture::{self as picture, ColourRange, NumberFormat, Spot, Style, Travel};

/// The view. Its position is the number of completed passes: 0 is before the first, k after pass k.
#[derive(Debug, Clone)]
pub struct View {
    /// The position, in completed passes.
    pub position: usize,
    /// True if it advances by itself.
    pub playing: bool,
    /// Passes per second, regardless of the number of items.
    pub speed: f32,
    /// True if it starts over at the end.
    pub looping: bool,
    /// The time of the next pass, on the shell's clock; `None` if none is due.
    next: Option<f64>,
    /// The colours of numbers.
    pub palette: Palette,
    /// The values that the colours range over.
    pub range: ColourRange,
    /// The notation of numbers.
    pub format: NumberFormat,
    /// True to draw arrows of all reads, if the pass writes few texels.
    pub arrows: bool,
    /// True to draw the rows of small textures one after the other, as papers do.
    pub fitted: bool,
    /// True if items move between passes; false where the system asks for less motion.
    pub motion: bool,
    /// The step drawn last, and the one at work.
    moving: Moving,
    /// The stage of the pass, and the view of shared memory.
    pub memory: MemoryView,
    /// The camera of each run side by side.
    pub cameras: [Camera; 2],
}

/// A step: the position after a pass, and a step within it, if its steps are shown.
pub type Step = (usize, Option<usize>);

#[derive(Debug, Clone, Copy, Default)]
struct Moving {
    /// The step drawn last.
    seen: Option<Step>,
    /// The step at work; true if forward; and when it began, on the shell's clock.
    step: Option<(Step, bool, f64)>,
}

/// The visible part of a run's picture, and the pinned texel.
#[derive(Debug, Clone, Copy, Default)]
pub struct Camera {
    /// The width of a number in points; `None` fits the picture into its pane.
    pub zoom: Option<f32>,
    /// The offset of the picture's centre from that of its pane, in points.
    pub pan: Vec2,
    /// The clicked texel, whose arrows stay, and its position: another pass has other texels.
    pub pinned: Option<(usize, Spot)>,
    /// The pane in the last frame.
    pub pane: Option<Rect>,
    /// The frames after which it moves to a part whose numbers can be read: until then, the pane gets its room.
    pub magnified_in: Option<u8>,
}

impl Camera {
    /// The part of the picture that is seen.
    pub fn part(&self) -> picture::Camera {
        picture::Camera { zoom: self.zoom, pan: self.pan }
    }

    /// The texel whose arrows stay at a position.
    pub fn pinned_at(&self, position: usize) -> Option<Spot> {
        self.pinned.filter(|(at, _)| *at == position).map(|(_, spot)| spot)
    }
}

/// The settings of the View menu that differ from the defaults. As words they are options: `--palette grey --wrapped`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Look {
    /// The palette, from low to high numbers.
    pub palette: Option<Palette>,
    /// The range of the colours.
    pub colours: Option<ColourRange>,
    /// The notation of numbers.
    pub numbers: Option<NumberFormat>,
    /// True if the rows of small textures are drawn below each other.
    pub rows: bool,
    /// True if arrows are drawn only for the texel under the pointer.
    pub no_arrows: bool,
    /// The width of a number in points.
    pub zoom: Option<f32>,
    /// The offset of the picture from the centre, in points.
    pub pan: Option<[f32; 2]>,
}

impl Look {
    /// Reads a zoom.
    ///
    /// Errors: as text, with what was expected.
    pub fn zoom(text: &str) -> Result<f32, String> {
        let zoom = text.parse().ok().filter(|zoom| (0.25..=160.0).contains(zoom));
        zoom.ok_or_else(|| "expected 0.25 to 160".into())
    }

    /// Reads an offset.
    ///
    /// Errors: as text, with what was expected.
    pub fn pan(text: &str) -> Result<[f32; 2], String> {
        let expected = || "expected X,Y in points".to_owned();
        let (x, y) = text.split_once(',').ok_or_else(expected)?;
        let number =
            |text: &str| text.parse().ok().filter(|number: &f32| number.is_finite()).ok_or_else(expected);
        Ok([number(x)?, number(y)?])
    }

    /// Takes an option, with its value from `value` if it has one. False if it is no setting of a look.
    ///
    /// Errors: as text, with what was expected.
    pub fn take<'a>(
        &mut self,
        option: &str,
        value: impl FnOnce() -> Result<&'a str, String>,
    ) -> Result<bool, String> {
        fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, text: &str) -> Result<Option<T>, String> {
            let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
            let found = all.iter().find(|one| name(**one) == text);
            found.map(|one| Some(*one)).ok_or_else(|| format!("expected one of {}", names.join(", ")))
        }
        match option {
            "--palette" => self.palette = named(&Palette::ALL, Palette::name, value()?)?,
            "--colours" => self.colours = named(&ColourRange::ALL, ColourRange::word, value()?)?,
            "--numbers" => self.numbers = named(&NumberFormat::ALL, NumberFormat::name, value()?)?,
            "--wrapped" => self.rows = true,
            "--no-arrows" => self.no_arrows = true,
            "--zoom" => self.zoom = Some(Look::zoom(value()?)?),
            "--pan" => self.pan = Some(Look::pan(value()?)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The options as words.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([name.to_owned(), value]);
            }
        };
        option("--palette", self.palette.map(|palette| palette.name().into()));
        option("--numbers", self.numbers.map(|format| format.name().into()));
        option("--colours", self.colours.map(|range| range.word().into()));
        option("--zoom", self.zoom.map(|zoom| format!("{zoom:.2}")));
        option("--pan", self.pan.map(|[x, y]| format!("{x:.0},{y:.0}")));
        words.extend(self.rows.then(|| "--wrapped".into()));
        words.extend(self.no_arrows.then(|| "--no-arrows".into()));
        words
    }
}

/// The least and the greatest speed, in passes per second.
pub const SPEEDS: std::ops::RangeInclusive<f32> = 0.25..=16.0;

impl Default for View {
    fn default() -> Self {
        View {
            position: 0,
            playing: false,
            speed: 1.0,
            looping: false,
            next: None,
            palette: Palette::default(),
            range: ColourRange::Run,
            format: NumberFormat::Decimal,
            arrows: true,
            fitted: true,
            motion: true,
            moving: Moving::default(),
            memory: MemoryView::default(),
            cameras: [Camera::default(); 2],
        }
    }
}

impl View {
    /// The style of the pictures.
    pub fn style(&self, theme: Theme) -> Style {
        let View { palette, range, format, arrows, fitted, .. } = *self;
        Style { palette, range, format, arrows, fitted, theme }
    }

    /// The settings that differ from the defaults, if the colours usually range over `range`.
    pub fn look(&self, range: ColourRange) -> Look {
        let usual = View::default();
        let camera = &self.cameras[0];
        Look {
            palette: Some(self.palette).filter(|palette| *palette != usual.palette),
            colours: Some(self.range).filter(|own| *own != range),
            numbers: Some(self.format).filter(|format| *format != usual.format),
            rows: !self.fitted,
            no_arrows: !self.arrows,
            zoom: camera.zoom,
            pan: Some(camera.pan.into()).filter(|pan| *pan != [0.0; 2]),
        }
    }

    /// Applies settings.
    pub fn set_look(&mut self, look: &Look) {
        self.palette = look.palette.unwrap_or(self.palette);
        self.range = look.colours.unwrap_or(self.range);
        self.format = look.numbers.unwrap_or(self.format);
        self.fitted &= !look.rows;
        self.arrows &= !look.no_arrows;
        let camera = &mut self.cameras[0];
        camera.zoom = look.zoom.or(camera.zoom);
        camera.pan = look.pan.map_or(camera.pan, Into::into);
    }

    /// The step that is seen at work, and how long; `None` if nothing moves.
    pub fn moving(&mut self, now: f64) -> Option<(Step, Travel)> {
        let here = (self.position, self.memory.stage);
        let seen = self.moving.seen.replace(here).unwrap_or(here);
        if seen != here {
            let beside = match (seen, here) {
                ((before, Some(from)), (after, Some(to))) if before == after => from.abs_diff(to) == 1,
                ((before, _), (after, _)) => before.abs_diff(after) == 1,
            };
            let step = seen.max(here);
            self.moving.step = (self.motion && beside).then_some((step, step == here, now));
        }
        let (step, forward, since) = self.moving.step?;
        let travel = Travel { age: (now - since) as f32, forward };
        if !(0.0..Travel::LONGEST).contains(&travel.age) {
            self.moving.step = None;
        }
        self.moving.step.map(|_| (step, travel))
    }

    /// Advances by the passes that are due, in a run of `last` passes. Returns the seconds until the next.
    pub fn advance(&mut self, now: f64, last: usize) -> Option<f64> {
        self.position = self.position.min(last);
        if !self.playing {
            self.next = None;
            return None;
        }
        let interval = 1.0 / f64::from(self.speed.clamp(*SPEEDS.start(), *SPEEDS.end()));
        // A change of speed takes effect at once.
        let mut due = self.next.unwrap_or(now + interval).min(now + interval);
        if now >= due {
            if self.position < last || self.memory.stage.is_some() {
                self.move_on(true, last);
            } else if self.looping && last > 0 {
                self.position = 0;
                self.memory.stage = None;
            }
            due = now + interval;
        }
        if self.position == last && self.memory.stage.is_none() && !self.looping {
            self.playing = false;
            self.next = None;
            return None;
        }
        self.next = Some(due);
        Some(due - now)
    }

    /// Plays or pauses; at the end it starts over.
    pub fn toggle(&mut self, last: usize) {
        self.playing = !self.playing;
        self.next = None;
        if self.playing && self.position >= last {
            self.position = 0;
            self.memory.stage = None;
        }
    }

    /// Goes to a position and pauses.
    pub fn go(&mut self, position: usize, last: usize) {
        self.position = position.min(last);
        self.memory.stage = None;
        self.playing = false;
    }

    /// Goes one pass forward or back, or one stage of a pass whose shared memory is shown, and pauses.
    pub fn step(&mut self, forward: bool, last: usize) {
        self.playing = false;
        self.move_on(forward, last);
    }

    fn move_on(&mut self, forward: bool, last: usize) {
        if self.memory.step(forward, self.position) {
            return;
        }
        // The first stage of a pass comes after the whole pass before it.
        let next = if forward { self.position + 1 } else { self.position.saturating_sub(1) }.min(last);
        self.memory.enter(forward && next > self.position, next);
        self.position = next;
    }

    /// Doubles or halves the speed.
    pub fn hurry(&mut self, faster: bool) {
        let speed = if faster { self.speed * 2.0 } else { self.speed / 2.0 };
        self.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
    }

    /// Goes to before the first pass, with the whole picture in view.
    pub fn reset(&mut self) {
        self.position = 0;
        self.memory.stage = None;
        self.playing = false;
        self.cameras = [Camera::default(); 2];
    }

    /// Zooms to one pixel per number, at the picture's centre.
    pub fn one_to_one(&mut self, pixels_per_point: f32) {
        for camera in &mut self.cameras {
            (camera.zoom, camera.pan) = (Some(1.0 / pixels_per_point), Vec2::ZERO);
        }
    }

    /// Shows the part around the worked example, if the numbers of the whole are too small to read.
    pub fn magnify(&mut self) {
        self.cameras.iter_mut().for_each(|camera| camera.magnified_in = Some(2));
    }

    /// Fits the picture into its pane.
    pub fn fit(&mut self) {
        for camera in &mut self.cameras {
            (camera.zoom, camera.pan) = (None, Vec2::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_at_its_speed_and_stops_at_the_end() {
        let mut view = View { speed: 2.0, ..View::default() };
        view.toggle(3);
        assert_eq!(view.advance(10.0, 3), Some(0.5));
        view.advance(10.4, 3);
        assert_eq!(view.position, 0, "not yet");
        for (now, position) in [(10.5, 1), (11.0, 2)] {
            assert_eq!(view.advance(now, 3), Some(0.5));
            assert_eq!(view.position, position);
        }
        assert_eq!(view.advance(11.5, 3), None);
        assert!(view.position == 3 && !view.playing);
        view.toggle(3);
        assert!(view.position == 0 && view.playing, "from the beginning");
    }

    #[test]
    fn it_loops_and_steps_back() {
        let mut view = View { looping: true, position: 3, playing: true, ..View::default() };
        view.advance(0.0, 3);
        view.advance(1.0, 3);
        assert!(view.position == 0 && view.playing);
        view.step(true, 3);
        view.step(false, 3);
        view.step(false, 3);
        assert!(view.position == 0 && !view.playing);
        view.go(99, 3);
        assert_eq!(view.position, 3);
        view.advance(0.0, 1);
        assert_eq!(view.position, 1, "a shorter run");
    }

    #[test]
    fn a_step_is_at_work_in_both_directions_and_a_jump_is_not() {
        let mut view =
            View { memory: MemoryView { stages: vec![0, 3, 0], ..MemoryView::default() }, ..View::default() };
        let mut at = |go: &dyn Fn(&mut View), now: f64| {
            go(&mut view);
            view.moving(now).map(|(step, travel)| (step, travel.forward))
        };
        assert_eq!(at(&|_| (), 0.0), None, "the first frame");
        for step in [(1, None), (2, Some(0)), (2, Some(1))] {
            assert_eq!(at(&|view| view.step(true, 3), 1.0), Some((step, true)));
        }
        assert_eq!(at(&|view| view.step(false, 3), 2.0), Some(((2, Some(1)), false)), "seen backwards");
        assert_eq!(at(&|_| (), 2.0 + f64::from(Travel::LONGEST)), None, "it has arrived");
        assert_eq!(at(&|view| view.step(false, 3), 4.0), Some(((2, Some(0)), false)));
        assert_eq!(at(&|view| view.go(3, 3), 5.0), None, "a jump");
        assert_eq!(at(&|view| (view.motion, _) = (false, view.step(false, 3)), 6.0), None, "without motion");
    }

    #[test]
    fn nothing_is_due_where_nothing_plays() {
        assert_eq!(View::default().advance(5.0, 4), None);
        let mut empty = View { playing: true, looping: true, ..View::default() };
        empty.advance(0.0, 0);
        assert_eq!(empty.position, 0);
    }
}
