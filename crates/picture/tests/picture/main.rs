//! Pictures of every algorithm can be read: no arrow crosses a text or the middle of a cell, no text another, no cell is blank
//! beside others, no label is cut, and all have contrast. Likewise those of tiles and of shared memory.

use std::process::ExitCode;

use emath::{Rect, pos2, vec2};
use rasterscan::tools::problem::COMPACT;
use rasterscan::tools::random::Random;
use rasterscan::tools::record::record_job;
use rasterscan::tools::registry::{self, Era};
use rasterscan::{
    ElementType, Error,
    tools::{Numbers, Task},
};
use rasterscan_drawing::colour::{Colour, contrast};
use rasterscan_drawing::shape::Drawing;
use rasterscan_drawing::shape::Shape;
use rasterscan_drawing::theme::Theme;
use rasterscan_lesson::tour::STOPS;
use rasterscan_lesson::{look_back, shared};
use rasterscan_picture::picture::Camera;
use rasterscan_picture::shared::MemoryPicture;
use rasterscan_picture::{Picture, Style, Subject, TilesPicture, Travel, text_rect};
use rasterscan_runner::harness::{self, Level};

pub(crate) use rasterscan_runner::tests;

/// The rooms of pictures in windows of 390 x 844, 800 x 600, 1280 x 800 and 1920 x 1080, and in a figure of an article.
const ROOMS: [(emath::Vec2, Theme); 5] = [
    (vec2(366.0, 300.0), Theme::LIGHT),
    (vec2(520.0, 390.0), Theme::DARK),
    (vec2(720.0, 560.0), Theme::LIGHT),
    (vec2(940.0, 640.0), Theme::DARK),
    (vec2(680.0, 190.0), Theme::LIGHT),
];

/// Recordings of every algorithm over so many digits.
fn subjects(len: usize) -> Vec<Subject> {
    let gpu = rasterscan_runner::gpu();
    let mut found = Vec::new();
    for card in registry::all().filter(|card| card.era != Era::Cpu) {
        let share = if card.problem == COMPACT { 0.6 } else { 1.0 };
        let random = Random { seed: 3, max: 9, keep: Some(share) };
        let digits: Vec<u32> = random.values().take(len).map(|value| value as u32).collect();
        let values = Numbers::of(&digits);
        let request = card.problem.plain(ElementType::U32, len as u64).expect("a request");
        let streams = request.plain_streams(&values).expect("streams");
        let task = Task::new(request, streams).expect("a task");
        match rasterscan::tools::record::record(&gpu, &card.with_defaults(), &task) {
            Ok(recording) => found.push(Subject::new(recording)),
            Err(Error::Unsupported(why)) => println!("not applicable: {}, n = {len}: {why}", card.name),
            Err(error) => panic!("{}: {error}", card.name),
        }
    }
    if len == TOUR {
        let jobs = STOPS.iter().map(|stop| stop.job(0));
        found.extend(jobs.filter_map(|job| Some(Subject::new(record_job(&gpu, &job).ok()?))));
    }
    found
}

/// The length at which the runs of the tour are drawn, too.
const TOUR: usize = 64;

/// A picture of an algorithm.
struct Drawn<'a> {
    what: String,
    drawing: Drawing,
    picture: Picture<'a>,
    room: Rect,
    style: Style,
}

/// Draws some positions of every algorithm, and checks each.
fn draw(len: usize, check: &dyn Fn(&Drawn)) {
    let mut drawn = 0;
    for subject in subjects(len) {
        let last = subject.passes();
        // All passes of a short run; of a long one the ends and the middle.
        let positions =
            (0..=last).filter(|at| last <= 12 || [0, 1, 2, last / 2, last - 1, last].contains(at));
        for position in positions {
            for (room, theme) in ROOMS {
                let style = Style { theme, range: subject.usual_range(), ..Style::default() };
                let room = Rect::from_min_size(pos2(20.0, 20.0), room);
                let picture = Picture::new(&subject, position, &style, Camera::default(), room);
                let mut drawing = Drawing::new(0.0, 0.0);
                picture.draw(&style, room, None, &mut drawing);
                let what =
                    format!("{}, n = {len}, position {position}, {room:?}", subject.recording.algorithm);
                check(&Drawn { what, drawing, picture, room, style });
                drawn += 1;
            }
        }
    }
    assert!(drawn > 100, "{drawn} pictures");
}

/// The rectangles of the texts of a drawing, with the texts.
fn texts<'a>(drawing: &'a Drawing, style: &Style) -> Vec<(Rect, &'a str, Colour)> {
    let shapes = drawing.shapes.iter().filter_map(|shape| {
        let Shape::Text { text, write, .. } = shape else { return None };
        Some((text_rect(shape, style.theme.letters)?, text.as_str(), write.colour))
    });
    shapes.collect()
}

/// Returns whether a line comes into a rectangle.
fn crosses([from, to]: [(f64, f64); 2], rect: Rect) -> bool {
    let corners = [from, to].map(|(x, y)| pos2(x as f32, y as f32));
    if !Rect::from_points(&corners).intersects(rect) {
        return false;
    }
    let steps = 200;
    (0..=steps).any(|step| {
        let share = f64::from(step) / f64::from(steps);
        let at = |a: f64, b: f64| (a + (b - a) * share) as f32;
        rect.contains(pos2(at(from.0, to.0), at(from.1, to.1)))
    })
}

fn no_line_crosses_a_text(len: usize) {
    draw(len, &|Drawn { what, drawing, picture, style, .. }| {
        let texts = texts(drawing, style);
        for shape in &drawing.shapes {
            let Shape::Path { points, closed: false, paint } = shape else { continue };
            let Some(stroke) = paint.stroke else { continue };
            // Crosses of removed elements, hatches, and lines that a pass drew lie on texels.
            let arrow = style.arrow_colours().contains(&stroke.colour);
            if let (true, [from, to]) = (arrow, &points[..]) {
                let hit = texts.iter().find(|(rect, ..)| crosses([*from, *to], *rect));
                assert!(hit.is_none(), "{what}: an arrow from {from:?} to {to:?} crosses {hit:?}");
                // Between two digits of a number, or in a cell whose number is left out for it, it would cross as well.
                for block in picture.blocks.iter().filter(|block| block.zoom() >= 15.0) {
                    let mut cells = (0..block.values.len() as u32).map(|number| block.number(number));
                    let hit = cells.find(|cell| crosses([*from, *to], cell.shrink(cell.width() * 0.3)));
                    assert!(
                        hit.is_none(),
                        "{what}: an arrow from {from:?} to {to:?} crosses the cell {hit:?}"
                    );
                }
            }
        }
    });
}

fn no_text_overlaps_or_overflows(len: usize) {
    draw(len, &|Drawn { what, drawing, room, style, .. }| {
        lie_apart(what, drawing, style);
        for (rect, text, _) in texts(drawing, style) {
            // The names of a pyramid with many levels alone are higher than a small room.
            let many = what.starts_with("histopyramid") && room.height() < 400.0;
            assert!(many || room.expand(24.0).contains_rect(rect), "{what}: '{text}' at {rect:?} is outside");
        }
    });
}

/// No text lies on another, and none is cut.
fn lie_apart(what: &str, drawing: &Drawing, style: &Style) {
    let texts = texts(drawing, style);
    for (number, (rect, text, _)) in texts.iter().enumerate() {
        assert!(!text.ends_with('…'), "{what}: '{text}' is cut");
        let near = texts[..number].iter().rev().take(600);
        let other = near.into_iter().find(|(other, ..)| other.shrink(1.0).intersects(rect.shrink(1.0)));
        assert!(other.is_none(), "{what}: '{text}' at {rect:?} lies on {other:?}");
    }
}

fn every_text_has_contrast(len: usize) {
    draw(len, &|Drawn { what, drawing, style, .. }| have_contrast(what, drawing, style));
}

/// Every text can be told from what it lies on.
fn have_contrast(what: &str, drawing: &Drawing, style: &Style) {
    for (number, shape) in drawing.shapes.iter().enumerate() {
        let Shape::Text { write, text, .. } = shape else { continue };
        let Some(rect) = text_rect(shape, style.theme.letters) else { continue };
        let below = drawing.shapes[..number].iter().rev().find_map(|shape| match shape {
            Shape::Path { points, closed: true, paint } => {
                let fill = paint.fill?;
                let corners = points.iter().map(|point| pos2(point.0 as f32, point.1 as f32));
                let around = Rect::from_points(&corners.collect::<Vec<_>>());
                around.contains(rect.center()).then_some(fill)
            }
            Shape::Circle { centre, radius, paint } => {
                let centre = pos2(centre.0 as f32, centre.1 as f32);
                (centre.distance(rect.center()) < *radius as f32).then_some(paint.fill?)
            }
            _ => None,
        });
        let below = below.unwrap_or(style.theme.paper);
        let seen = contrast(write.colour, below);
        assert!(seen >= 4.5, "{what}: '{text}' in {} on {below}: contrast {seen:.2}", write.colour);
    }
}

/// Either all cells of a stream have their numbers or, where they are too small, none has; few numbers always have room.
fn no_cell_is_blank_beside_others(len: usize) {
    draw(len, &|Drawn { what, drawing, picture, style, .. }| {
        // The number of a probe stands in a circle, on a cell if there is no room elsewhere.
        let pairs = [None].into_iter().chain(drawing.shapes.iter().map(Some)).zip(&drawing.shapes);
        let own = pairs.filter(|(before, _)| !matches!(before, Some(Shape::Circle { .. })));
        let texts: Vec<Rect> = own.filter_map(|(_, shape)| text_rect(shape, style.theme.letters)).collect();
        let numbers: usize = picture.blocks.iter().map(|block| block.values.len()).sum();
        for block in &picture.blocks {
            let written = |number: &u32| {
                let cell = block.number(*number);
                texts.iter().any(|rect| cell.contains(rect.center()))
            };
            let all = block.values.len() as u32;
            let count = (0..all).filter(written).count() as u32;
            let few = numbers <= 48 && !block.bits && block.states.is_empty();
            assert!(
                count == all || count == 0 && !few,
                "{what}: {count} of {all} numbers of {} are written at {} points, in {:?}",
                block.name,
                block.zoom(),
                block.rect
            );
        }
    });
}

const LENGTHS: [usize; 5] = [8, 16, 64, 256, 4096];

fn arrows_pause_at_texts() {
    LENGTHS.into_iter().for_each(no_line_crosses_a_text);
}

fn texts_lie_apart_and_inside() {
    LENGTHS.into_iter().for_each(no_text_overlaps_or_overflows);
}

fn cells_have_their_numbers() {
    LENGTHS[..4].iter().copied().for_each(no_cell_is_blank_beside_others);
}

fn texts_can_be_read() {
    LENGTHS.into_iter().for_each(every_text_has_contrast);
}

/// A value of a step is at its source first, then on its way.
fn moves(what: &str, any: bool, draw: impl Fn(Travel, &mut Drawing)) {
    let frames = [0.0, 0.05, 0.1, Travel::LONGEST].map(|age| {
        let mut drawing = Drawing::new(0.0, 0.0);
        draw(Travel { age, forward: true }, &mut drawing);
        drawing
    });
    assert!(frames.windows(2).all(|pair| (pair[0] != pair[1]) == any), "{what}");
}

/// Draws the stops that show a pass as tiles, after each moment and at the end, and checks each.
fn tiles_can_be_read() {
    let gpu = rasterscan_runner::gpu();
    let mut drawn = 0;
    for stop in STOPS.iter() {
        let Ok(recording) = record_job(&gpu, &stop.job(0)) else { continue };
        let pass = stop.position.saturating_sub(1);
        let Some(tiles) = look_back::tiles(&recording, pass).filter(|tiles| tiles.tiles.len() > 1) else {
            continue;
        };
        for moment in (0..tiles.moments.len()).map(Some).chain([None]) {
            for (room, theme) in ROOMS {
                let style = Style { theme, ..Style::default() };
                let room = Rect::from_min_size(pos2(20.0, 20.0), room);
                let mut drawing = Drawing::new(0.0, 0.0);
                let at_work = |travel: Option<Travel>, drawing: &mut Drawing| {
                    let picture = TilesPicture::new(&tiles, moment, None, room, 0.0, theme.letters);
                    picture.at_work(travel).draw(&style, drawing);
                };
                at_work(None, &mut drawing);
                let what = format!("{}, moment {moment:?}, {room:?}", stop.title);
                lie_apart(&what, &drawing, &style);
                have_contrast(&what, &drawing, &style);
                if theme == Theme::DARK {
                    moves(&what, moment.is_some(), |travel, drawing| at_work(Some(travel), drawing));
                }
                drawn += 1;
            }
        }
    }
    println!("{drawn} pictures of tiles");
}

/// Half of a telephone's width has room for the digits of 16 words of shared memory.
fn words_of_shared_memory_have_their_digits() {
    let gpu = rasterscan_runner::gpu();
    for stop in STOPS.iter().filter(|stop| stop.stage.is_some()) {
        let Ok(recording) = record_job(&gpu, &stop.job(0)) else { continue };
        let memory = shared::of(&recording, stop.position - 1, 0).expect("shared memory");
        for (wide, theme) in [(183.0, Theme::LIGHT), (260.0, Theme::DARK), (480.0, Theme::LIGHT)] {
            let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(wide, 270.0));
            for stage in 0..memory.stages.len() {
                let mut drawing = Drawing::new(0.0, 0.0);
                let at_work = |travel: Option<Travel>, drawing: &mut Drawing| {
                    let picture = MemoryPicture::new(&memory, Some(stage), None, theme, room);
                    picture.at_work(travel).draw(drawing);
                };
                at_work(None, &mut drawing);
                if theme == Theme::DARK {
                    moves(&stop.title, true, |travel, drawing| at_work(Some(travel), drawing));
                }
                let all = memory.stages[stage].before.iter().chain(&memory.stages[stage].after).flatten();
                let style = Style { theme, ..Style::default() };
                let texts = texts(&drawing, &style);
                for word in all.map(ToString::to_string) {
                    let found = texts.iter().any(|(_, text, _)| *text == word);
                    assert!(found, "{}, {wide} points, stage {stage}: {word} is not there", stop.title);
                }
            }
        }
    }
}

fn main() -> ExitCode {
    let mut list = Vec::new();
    tests(&mut list);
    harness::main(&list, |_| vec![Level::Native])
}

tests![
    arrows_pause_at_texts,
    texts_lie_apart_and_inside,
    cells_have_their_numbers,
    texts_can_be_read,
    tiles_can_be_read,
    words_of_shared_memory_have_their_digits,
];
