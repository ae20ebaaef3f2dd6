//! The looks of all lines and segments of a figure, and the colours that a dark page has in place of them.

use super::figure::{Panel, Role};
use crate::table::distinct;
use rasterscan_drawing::chart::{BROAD, LINES, Look};
use rasterscan_drawing::colour::{Colour, GREY, GRID, PAPER};

/// The colours of everything but data, each for light and for dark pages.
const PLAIN: [(Colour, Colour); 5] = [
    LINES[3],
    (GREY, Colour(0xA9, 0xB1, 0xBA)),
    (GRID, Colour(0x2B, 0x31, 0x39)),
    (PAPER, Colour(0x0D, 0x11, 0x17)),
    (BROAD, Colour(0x5B, 0x63, 0x6D)),
];

/// The colours of segments of bars: dark and light in turn.
const FILLS: [(Colour, Colour); 8] = [
    (Colour(0x08, 0x3A, 0x66), Colour(0x2F, 0x7C, 0xC0)), // blue
    (Colour(0xCF, 0x7A, 0x10), Colour(0xFF, 0xC2, 0x66)), // orange
    (Colour(0x0B, 0x61, 0x4A), Colour(0x2A, 0x91, 0x70)), // green
    (Colour(0xC0, 0x74, 0xA8), Colour(0xF0, 0xB6, 0xDE)), // purple
    (Colour(0x4A, 0x26, 0x00), Colour(0x99, 0x5F, 0x22)), // brown
    (Colour(0x47, 0x96, 0xCC), Colour(0xA9, 0xD8, 0xF8)), // sky
    (Colour(0x45, 0x4B, 0x54), Colour(0x74, 0x7C, 0x87)), // grey
    (Colour(0x8C, 0x8A, 0x14), Colour(0xDE, 0xDB, 0x72)), // olive
];

/// The segments that look different from each other.
pub const SEGMENTS: usize = FILLS.len();

/// All colours that differ on a dark page, each with its colour there.
pub fn theme() -> impl Iterator<Item = (String, String)> {
    let others = LINES.into_iter().filter(|pair| *pair != PLAIN[0]);
    PLAIN.into_iter().chain(others).chain(FILLS).map(|(day, night)| (day.to_string(), night.to_string()))
}

/// The looks of all names: the same name looks the same in all panels of a figure.
#[derive(Debug, Default)]
pub struct Looks {
    lines: Vec<String>,
    segments: Vec<String>,
}

impl Looks {
    pub fn of(panels: &[Panel]) -> Looks {
        let (mut series, mut segments) = (Vec::new(), Vec::new());
        for panel in panels {
            match panel {
                Panel::Lines(lines) => series.extend(&lines.series),
                Panel::Bars(bars) => segments.extend(bars.segments()),
            }
        }
        // Papers after data, so that what was measured has the first colours.
        let of = |role: Role| series.iter().filter(move |series| series.role == role);
        let lines = of(Role::Data).chain(of(Role::Paper)).map(|series| plain(&series.name).to_owned());
        Looks { lines: distinct(lines), segments: distinct(segments.into_iter().map(str::to_owned)) }
    }

    pub fn line(&self, name: &str, role: Role) -> Look {
        let index = self.lines.iter().position(|known| known == plain(name)).unwrap_or(0);
        Look::of(index, role)
    }

    pub fn segment(&self, name: &str) -> Colour {
        FILLS[self.segments.iter().position(|known| known == name).unwrap_or(0) % FILLS.len()].0
    }
}

/// The name that a paper's line shares with the data's.
fn plain(name: &str) -> &str {
    name.strip_suffix(" (paper)").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rasterscan_drawing::colour::contrast;

    #[test]
    fn colours_are_read_by_day_and_by_night() {
        let night = PLAIN[3].1;
        for (i, (day_colour, night_colour)) in LINES.into_iter().chain([PLAIN[1]]).enumerate() {
            // Names of lines are text.
            assert!(contrast(day_colour, PAPER) >= 4.5, "{i}: {}", contrast(day_colour, PAPER));
            assert!(contrast(night_colour, night) >= 4.5, "{i}: {}", contrast(night_colour, night));
            // A picture that is shown without the page's style sheet.
            let bare = i == 3 || i == 8 || contrast(day_colour, night) >= 3.0;
            assert!(bare, "{i}: {}", contrast(day_colour, night));
        }
        for (by_day, by_night) in FILLS {
            assert!(
                contrast(by_day, PAPER) >= 3.0 && contrast(by_night, night) >= 3.0,
                "{by_day} {by_night}"
            );
        }
        for pair in FILLS.windows(2) {
            assert!(contrast(pair[0].0, pair[1].0) >= 2.0, "{}", pair[1].0);
            assert!(contrast(pair[0].1, pair[1].1) >= 2.0, "{}", pair[1].1);
        }
    }

    #[test]
    fn no_colour_by_day_has_two_by_night() {
        let mut days: Vec<String> = theme().map(|(day, _)| day).collect();
        days.sort();
        days.dedup();
        assert_eq!(days.len(), theme().count());
    }
}
