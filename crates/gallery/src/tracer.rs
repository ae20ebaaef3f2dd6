//! A small tracer after Whitted, whose rays are compacted between bounces: the use that roger2007 has in mind.
//!
//! A ray that hits a mirror or glass goes on, one that hits the floor or the sky ends. Soon most invocations of a pass would
//! have nothing to do. So after each bounce a map of the living is compacted to their indices, and these move the two streams
//! of the rays. Only as many fragments as there are rays run in the next pass.

use std::sync::Arc;

use rasterscan::compact::texture::{Blocks, Inner};
use rasterscan::plan::{ItemType, Layout, Shader};
use rasterscan::tools::clock::Instant;
use rasterscan::{Algorithm, CompactSpec, ElementType, Error, Gpu, Moves, Operator, Plan, Stream};
use rasterscan_drawing::colour::{GREY, GRID, INK};
use rasterscan_drawing::number::grouped;
use rasterscan_drawing::shape::{Drawing, Shape, Write};

use crate::scene::{GLASS, LEAST, LIGHT, Ray, balls, bounce, colour, primary};
use crate::vector::{Vector, plus};
use crate::{Exhibit, Fact, GalleryError, Piece, Value, check, image};

pub const PIECE: Piece = Piece {
    name: "tracer",
    title: "Rays that are compacted between bounces",
    shows: "Balls of glass and mirrors. Below, the pixels whose rays are still alive after each bounce.",
    step: "After each bounce, a compaction by roger2007's blocks takes the indices of the rays that go on; the next pass draws \
           only these.",
    text: include_str!("text/tracer.txt"),
    job: "compact random:n=64,seed=5,keep=0.4 -a blocks:inner=packed,size=16",
    sources: &["roger2007", "whitted1980"],
    run,
};

const WIDTH: usize = 448;
const HEIGHT: usize = 280;
const BOUNCES: usize = 7;

const BOUNCE: &str = include_str!("tracer/bounce.frag");

/// A bounce of the first `count` rays of streams of such a layout: colours, rays, and with compaction how many go on.
fn plan(gpu: &Gpu, rays: Layout, count: usize, compacts: bool) -> Result<Plan, Error> {
    let device = gpu.device();
    let spec = CompactSpec::new::<u32>(count).moves(Moves::Indices);
    let compaction = Blocks { inner: Inner::Packed, ..Blocks::default() }.plan(&spec, device)?;
    let flags = *compaction.layout(compaction.input());
    let vectors = Layout { element: ElementType::F32, arity: 4, ..flags };
    let table = Layout::fit(device, ElementType::F32, 4, 1, balls().len() as u64, 1)?;

    let item = ItemType { element: ElementType::F32, operator: Operator::ADD };
    let mut plan = Plan::new("bounce", item, rays);
    let (from, along) = (plan.input(), plan.further_input("along", rays));
    let (places, looks) = (plan.further_input("places", table), plan.further_input("looks", table));
    let [next_from, next_along, colour] = ["from", "along", "colour"].map(|name| plan.slot(name, vectors));
    let alive = plan.slot("alive", flags);
    plan.draw("bounce", Shader::new("gallery/bounce.frag", BOUNCE))
        .read("u_from", from)
        .read("u_along", along)
        .read("u_places", places)
        .read("u_looks", looks)
        .set("u_glass", GLASS)
        .set("u_least", LEAST)
        .set("u_light_x", LIGHT[0])
        .set("u_light_y", LIGHT[1])
        .set("u_light_z", LIGHT[2])
        .write(next_from)
        .write(next_along)
        .write(colour)
        .write(alive);
    if !compacts {
        return Ok(plan.finish_with(vec![colour, next_from, next_along]));
    }
    let kept = plan.append_plan(&compaction, &[alive])?;
    let mut results = vec![colour];
    for stream in [next_from, next_along] {
        results.push(plan.gather(stream, kept[0], Some(kept[1]))?);
    }
    results.push(kept[1]);
    Ok(plan.finish_with(results))
}

/// A traced picture: its pixels, those whose rays each bounce follows, and the milliseconds of each bounce.
struct Traced {
    pixels: Vec<Vector>,
    alive: Vec<Vec<usize>>,
    times: Vec<f64>,
}

fn traced(gpu: &Gpu, compacts: bool) -> Result<Traced, GalleryError> {
    let rays: Vec<Ray> = (0..WIDTH * HEIGHT).map(|i| primary(i % WIDTH, i / WIDTH, WIDTH, HEIGHT)).collect();
    let from: Vec<f32> = rays
        .iter()
        .enumerate()
        .flat_map(|(i, ray)| [ray.from[0], ray.from[1], ray.from[2], i as f32])
        .collect();
    let along: Vec<f32> =
        rays.iter().flat_map(|ray| [ray.along[0], ray.along[1], ray.along[2], ray.share]).collect();
    let balls = balls();
    let layout =
        Layout::fit(gpu.device(), ElementType::F32, 4, 1, rays.len() as u64, 1).map_err(Error::from)?;
    let upload = |prepared: &rasterscan::Prepared, number, data: &[f32]| {
        prepared.upload_input(number, data).map(Arc::new)
    };
    let first = gpu.prepare(&plan(gpu, layout, rays.len(), compacts)?)?;
    let mut streams = [upload(&first, 0, &from)?, upload(&first, 1, &along)?];
    let places: Vec<f32> = balls.iter().flat_map(|ball| ball.place).collect();
    let looks: Vec<f32> = balls.iter().flat_map(|ball| ball.look).collect();
    let [places, looks] = [upload(&first, 2, &places)?, upload(&first, 3, &looks)?];

    let mut traced = Traced { pixels: vec![[0.0; 3]; rays.len()], alive: Vec::new(), times: Vec::new() };
    let mut count = rays.len();
    for _ in 0..BOUNCES {
        if count == 0 {
            break;
        }
        let mut bounce = gpu.prepare(&plan(gpu, *streams[0].layout(), count, compacts)?)?;
        let outputs: Vec<Stream> = bounce.new_outputs()?;
        let inputs: Vec<&Stream> = vec![&streams[0], &streams[1], &places, &looks];
        // The best of three: the first one may compile. With compaction, the next pass needs the number of its rays.
        let (mut best, mut left) = (f64::INFINITY, count);
        for _ in 0..3 {
            let start = Instant::now();
            bounce.run_into(&inputs, outputs.iter().collect::<Vec<_>>())?;
            match outputs.get(3) {
                Some(kept) => left = kept.read::<u32>()?[0] as usize,
                None => gpu.finish()?,
            }
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        traced.times.push(best);
        let numbers = streams[0].read_first::<f32>(count as u64)?;
        let shares = streams[1].read_first::<f32>(count as u64)?;
        let colours = outputs[0].read_first::<f32>(count as u64)?;
        let mut alive = Vec::new();
        for (i, colour) in colours.chunks(4).enumerate().filter(|(i, _)| shares[4 * i + 3] > 0.0) {
            let pixel = numbers[4 * i + 3] as usize;
            traced.pixels[pixel] = plus(traced.pixels[pixel], [colour[0], colour[1], colour[2]]);
            alive.push(pixel);
        }
        traced.alive.push(alive);
        count = left;
        let mut outputs = outputs.into_iter().skip(1).map(Arc::new);
        if let (Some(from), Some(along)) = (outputs.next(), outputs.next()) {
            streams = [from, along];
        }
    }
    Ok(traced)
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let (with, without) = (traced(gpu, true)?, traced(gpu, false)?);
    check(with.pixels == without.pixels, || "pixels differ with compaction from those without".into())?;
    check(with.alive == without.alive, || "other rays are alive with compaction than without".into())?;
    let balls = balls();
    let mut wrong = 0;
    for (i, pixel) in with.pixels.iter().enumerate() {
        let (mut expected, mut ray) = ([0.0; 3], Some(primary(i % WIDTH, i / WIDTH, WIDTH, HEIGHT)));
        for _ in 0..BOUNCES {
            let Some(followed) = ray else { break };
            let (colour, next) = bounce(&balls, followed);
            expected = plus(expected, colour);
            ray = next;
        }
        wrong += usize::from((0..3).any(|c| (pixel[c] - expected[c]).abs() > 0.01));
    }
    // At an edge, rounding decides what a ray hits, and through glass it grows.
    check(wrong * 200 < with.pixels.len(), || format!("{wrong} pixels differ from the CPU's"))?;
    let measures = |name, values: &[f64]| Fact { name, value: Value::Measures(values.to_vec()) };
    let facts = vec![
        Fact::counts("rays alive, by bounce", with.alive.iter().map(Vec::len)),
        measures("time with compaction, ms", &[with.times.iter().sum()]),
        measures("time without, ms", &[without.times.iter().sum()]),
        measures("time by bounce with compaction, ms", &with.times),
        measures("time by bounce without, ms", &without.times),
        Fact::count("pixels that differ from the CPU's", wrong),
    ];
    Ok(Exhibit { facts, picture: picture(&with) })
}

/// The picture, and a small one for each bounce.
fn picture(traced: &Traced) -> Drawing {
    let colours = traced.pixels.iter().map(|pixel| colour(*pixel)).collect();
    let mut drawing = image(WIDTH, colours);
    let (step, gap, top) = (8, 2.0, drawing.height + 6.0);
    let columns = WIDTH / step;
    let side = (drawing.width - gap * (BOUNCES - 1) as f64) / (BOUNCES * columns) as f64;
    for (number, alive) in traced.alive.iter().enumerate() {
        let mut colours = vec![GRID; columns * (HEIGHT / step)];
        for pixel in alive {
            colours[pixel / WIDTH / step * columns + pixel % WIDTH / step] = INK;
        }
        let at = (number as f64 * (columns as f64 * side + gap), top);
        drawing.shapes.push(Shape::Cells { at, side, columns, colours });
        let middle = (at.0 + columns as f64 * side / 2.0, top + side * (HEIGHT / step) as f64 + 10.0);
        let write = Write { size: 7.5, ..Write::centre(GREY) };
        drawing.text(middle, &grouped(alive.len() as u64), &write);
    }
    drawing.height = top + side * (HEIGHT / step) as f64 + 18.0;
    drawing
}
