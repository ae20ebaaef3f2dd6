//! What is shown now: where in the run, how fast it goes on, and how texels look.

use egui::{Rect, Vec2};
use rasterscan::trace::Place;

use crate::colour::Palette;

/// The position in the run is the number of passes that have been made: 0 is before the first, k after pass k.
#[derive(Debug, Clone)]
pub struct View {
    pub position: usize,
    pub playing: bool,
    /// Passes a second, whatever the number of items.
    pub speed: f32,
    pub looping: bool,
    /// When the next pass is due, on the clock of the shell; `None` where nothing is.
    next: Option<f64>,
    pub palette: Palette,
    pub range: ColourRange,
    pub format: NumberFormat,
    /// Arrows of all reads where there are few texels.
    pub arrows: bool,
    /// Whether the rows of small textures stand one after the other, as papers draw them.
    pub in_a_row: bool,
    /// One for each run side by side.
    pub cameras: [Camera; 2],
}

/// Which values the colours range over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourRange {
    /// Those of the whole run, so that passes can be compared.
    Run,
    /// Those of each texture or buffer alone, so that small ones are seen beside large ones.
    Stream,
}

impl ColourRange {
    pub const ALL: [ColourRange; 2] = [ColourRange::Run, ColourRange::Stream];

    /// On the command line.
    pub fn word(self) -> &'static str {
        match self {
            ColourRange::Run => "run",
            ColourRange::Stream => "stream",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            ColourRange::Run => "of the whole run",
            ColourRange::Stream => "of each stream",
        }
    }
}

/// How numbers are written in texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    Decimal,
    Hex,
    /// With an exponent, as floats are.
    Float,
}

impl NumberFormat {
    pub const ALL: [NumberFormat; 3] = [NumberFormat::Decimal, NumberFormat::Hex, NumberFormat::Float];

    pub fn name(self) -> &'static str {
        match self {
            NumberFormat::Decimal => "decimal",
            NumberFormat::Hex => "hexadecimal",
            NumberFormat::Float => "scientific",
        }
    }
}

/// Which part of a run's picture is seen, and what of it is looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Camera {
    /// Points that a number is wide; `None` fits the picture into its pane.
    pub zoom: Option<f32>,
    /// How far the picture's centre is from that of its pane, in points.
    pub pan: Vec2,
    /// The texel that was clicked, whose arrows stay, and at which position: another pass has other texels.
    pub pinned: Option<(usize, Spot)>,
    /// Where the picture was, last.
    pub pane: Option<Rect>,
}

impl Camera {
    /// The texel whose arrows stay at a position.
    pub fn pinned_at(&self, position: usize) -> Option<Spot> {
        self.pinned.filter(|(at, _)| *at == position).map(|(_, spot)| spot)
    }
}

/// A texel of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Whether it is of a source, or of a target.
    pub source: bool,
    pub place: Place,
}

/// The least and the greatest speed, in passes a second.
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
            in_a_row: true,
            cameras: [Camera::default(); 2],
        }
    }
}

impl View {
    /// Lets time pass: makes the passes that are due, of a run of `last`. Says in how many seconds the next is.
    pub fn advance(&mut self, now: f64, last: usize) -> Option<f64> {
        self.position = self.position.min(last);
        if !self.playing {
            self.next = None;
            return None;
        }
        let interval = 1.0 / f64::from(self.speed.clamp(*SPEEDS.start(), *SPEEDS.end()));
        // A change of speed is felt at once.
        let mut due = self.next.unwrap_or(now + interval).min(now + interval);
        if now >= due {
            if self.position < last {
                self.position += 1;
            } else if self.looping && last > 0 {
                self.position = 0;
            }
            due = now + interval;
        }
        if self.position == last && !self.looping {
            self.playing = false;
            self.next = None;
            return None;
        }
        self.next = Some(due);
        Some(due - now)
    }

    /// Starts or stops; at the end it starts from the beginning.
    pub fn toggle(&mut self, last: usize) {
        self.playing = !self.playing;
        self.next = None;
        if self.playing && self.position >= last {
            self.position = 0;
        }
    }

    /// Goes to a position, and stays there.
    pub fn go(&mut self, position: usize, last: usize) {
        self.position = position.min(last);
        self.playing = false;
    }

    /// One pass on, or back.
    pub fn step(&mut self, forward: bool, last: usize) {
        let position = if forward { self.position + 1 } else { self.position.saturating_sub(1) };
        self.go(position, last);
    }

    /// Twice as fast, or half.
    pub fn hurry(&mut self, faster: bool) {
        let speed = if faster { self.speed * 2.0 } else { self.speed / 2.0 };
        self.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
    }

    /// Before the first pass, all of the picture in sight.
    pub fn reset(&mut self) {
        self.position = 0;
        self.playing = false;
        self.cameras = [Camera::default(); 2];
    }

    /// One pixel a number, from the picture's centre, where a point has so many pixels.
    pub fn one_to_one(&mut self, pixels_per_point: f32) {
        for camera in &mut self.cameras {
            (camera.zoom, camera.pan) = (Some(1.0 / pixels_per_point), Vec2::ZERO);
        }
    }

    /// All of the picture in sight.
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
    fn nothing_is_due_where_nothing_plays() {
        assert_eq!(View::default().advance(5.0, 4), None);
        let mut empty = View { playing: true, looping: true, ..View::default() };
        empty.advance(0.0, 0);
        assert_eq!(empty.position, 0);
    }
}
