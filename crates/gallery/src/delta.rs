//! Delta decoding: a path of points is stored as differences of differences, and one scan of that order restores it.
//!
//! Neighbouring points of a smooth path are close, their differences are small, and those of the differences smaller yet: the
//! numbers take fewer bits, until rounding is all that is left. x and y alternate, so the scan has tuples of two; its order is the
//! number of times that differences were taken. maleki2016's scan does both at once, without a pass for each.

use rasterscan::{Gpu, ScanSpec};
use rasterscan_drawing::colour::{GREY, INK, Palette};
use rasterscan_drawing::shape::{Drawing, Stroke, Write};

use crate::{Exhibit, Fact, GalleryError, Piece, Value, check};

pub const PIECE: Piece = Piece {
    name: "delta",
    title: "Delta decoding by scans of higher order",
    shows: "A path of 8,192 points, decoded. Beside it, a part of its x, and of its differences of orders 1 to 5: with the bits \
            that a number takes.",
    step: "One scan of order q, of tuples of two, undoes q rounds of differences.",
    text: include_str!("text/delta.txt"),
    job: "scan values:5,9,1,-2,0,1,-1,0,1,1,0,-1 --dtype i32 --order 2 --tuple 2 -a horn",
    sources: &["maleki2016"],
    run,
};

const POINTS: usize = 8192;
const ORDERS: usize = 6;
/// Units from the middle of the path to its end.
const SIZE: f64 = 1e6;
/// Numbers that have one width.
const BLOCK: usize = 32;

/// The path: a wheel's, in a wheel.
fn path() -> Vec<i32> {
    let point = |i: usize| {
        let turn = i as f64 / POINTS as f64 * std::f64::consts::TAU;
        let [slow, fast] = [2.0 * turn, 15.0 * turn];
        [0.55 * slow.cos() + 0.42 * fast.cos(), 0.55 * slow.sin() - 0.42 * fast.sin()]
    };
    (0..POINTS).flat_map(|i| point(i).map(|x| (x * SIZE).round() as i32)).collect()
}

/// Each point less the one before.
fn differences(points: &[i32]) -> Vec<i32> {
    let before = |i: usize| i.checked_sub(2).map_or(0, |before| points[before]);
    (0..points.len()).map(|i| points[i].wrapping_sub(before(i))).collect()
}

/// The bits of a number, if blocks have as many as their largest needs, and a byte that says how many.
fn bits(numbers: &[i32]) -> f64 {
    let width = |number: &i32| u32::BITS - (number << 1 ^ number >> 31).leading_zeros();
    let of_block = |block: &[i32]| 8 + block.len() * block.iter().map(width).max().unwrap_or(0) as usize;
    numbers.chunks(BLOCK).map(of_block).sum::<usize>() as f64 / numbers.len() as f64
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let path = path();
    let mut coded = vec![path.clone()];
    let mut decoded = path.clone();
    for order in 1..ORDERS {
        let stored = differences(&coded[order - 1]);
        let spec = ScanSpec::new::<i32>(stored.len()).order(order as u32).tuple(2);
        decoded = gpu.scan_by(&spec, &stored)?;
        let wrong = decoded.iter().zip(&path).filter(|(a, b)| a != b).count();
        check(wrong == 0, || format!("{wrong} numbers of order {order}"))?;
        coded.push(stored);
    }
    let bits: Vec<f64> = coded.iter().map(|numbers| bits(numbers)).collect();
    let picture = picture(&decoded, &coded, &bits);
    let best = (0..ORDERS).min_by(|a, b| bits[*a].total_cmp(&bits[*b])).unwrap_or(0);
    let bits = Fact { name: "bits of a number, by order", value: Value::Measures(bits) };
    let facts =
        vec![Fact::count("numbers", path.len()), bits, Fact::count("order with the fewest bits", best)];
    Ok(Exhibit { facts, picture })
}

fn picture(decoded: &[i32], coded: &[Vec<i32>], bits: &[f64]) -> Drawing {
    const SIDE: f64 = 330.0;
    const WIDE: f64 = 300.0;
    let mut drawing = Drawing::new(SIDE + WIDE + 24.0, SIDE);
    let scale = (SIDE / 2.0 - 8.0) / SIZE;
    let place =
        |point: &[i32]| (SIDE / 2.0 + f64::from(point[0]) * scale, SIDE / 2.0 - f64::from(point[1]) * scale);
    let points: Vec<_> = decoded.chunks(2).chain([&decoded[..2]]).map(place).collect();
    for (number, part) in points.windows(33).step_by(32).enumerate() {
        let share = number as f64 / (POINTS / 32) as f64;
        drawing.line(part.to_vec(), Stroke::whole(Palette::Viridis.at(0.9 * share).into(), 1.4));
    }
    let high = (SIDE - 16.0) / coded.len() as f64;
    for (order, numbers) in coded.iter().enumerate() {
        let top = 8.0 + order as f64 * high;
        let label = |text: &str, at: f64, write: Write| {
            (text.to_owned(), (at, top + 10.0), Write { size: 10.0, ..write })
        };
        let name = if order == 0 { "x".to_owned() } else { format!("order {order}") };
        let texts = [
            label(&name, SIDE + 8.0, Write::left(INK)),
            label(&format!("{:.1} bits", bits[order]), SIDE + 8.0 + WIDE, Write::right(GREY)),
        ];
        for (text, at, write) in texts {
            drawing.text(at, &text, &write);
        }
        // Past the first few, which hold where the path begins.
        let shown: Vec<f64> = numbers.iter().skip(64).step_by(2).take(1200).map(|x| f64::from(*x)).collect();
        let most = shown.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let half = (high - 16.0) / 2.0;
        let to = |(i, x): (usize, &f64)| {
            (SIDE + 8.0 + WIDE * i as f64 / 1200.0, top + 14.0 + half - x / most * (half - 1.0))
        };
        let line = shown.iter().enumerate().map(to).collect();
        drawing.line(line, Stroke::whole(Palette::Viridis.at(0.15 * order as f64).into(), 1.0));
    }
    drawing
}
