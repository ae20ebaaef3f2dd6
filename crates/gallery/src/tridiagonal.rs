//! Tri-diagonal systems, solved two ways: depth of field by diffusion, where what is in focus conducts nothing.
//!
//! The light of a blurred pixel spreads along its row, then along its column. Each row is a system of equations, each with
//! three unknowns next to each other. Cyclic reduction removes every other unknown, level by level, and puts them back: kass2006.
//! The other way is three scans. The elimination of a row is a chain of fractions, whose steps are 2 x 2 matrices; the right
//! sides and the substitution backwards are chains of affine maps.

use rasterscan::operator::Definition;
use rasterscan::plan::{ItemType, Layout, Map, Shader};
use rasterscan::{ElementType, Error, Gpu, Operator, Plan, ScanSpec};
use rasterscan_drawing::colour::Colour;

use crate::scene::{colour, scene};
use crate::vector::Vector;
use crate::{Exhibit, Fact, GalleryError, Piece, Value, beside, check, with_small};

pub const PIECE: Piece = Piece {
    name: "tridiagonal",
    title: "Tri-diagonal systems, two ways",
    shows: "Depth of field by diffusion: light spreads in what is far from the focus, and stops at what is in focus. Below, the \
            picture before, and how well each pixel conducts.",
    step: "Three scans of each row: products of 2 x 2 matrices, then affine maps, then affine maps from the last item to the first.",
    text: include_str!("text/tridiagonal.txt"),
    job: "scan random:n=16,seed=3,max=3 --op affine --rows 8 -a horn",
    sources: &["kass2006", "blelloch1990"],
    run,
};

const WIDTH: usize = 480;
const HEIGHT: usize = 300;
/// The distance in focus, and the greatest conductance: a pixel spreads over about its root.
const FOCUS: f32 = 5.2;
const MOST: f32 = 40.0;

const PRODUCT: &str = include_str!("tridiagonal/product.glsl");
const MATRIX: &str = include_str!("tridiagonal/matrix.glsl");
const FORWARDS: &str = include_str!("tridiagonal/forwards.glsl");
const BACKWARDS: &str = include_str!("tridiagonal/backwards.glsl");
const SECOND: &str = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[1]; }";
const QUOTIENT: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    to[0] = floatBitsToUint(uintBitsToFloat(from[3]) / uintBitsToFloat(from[1]));
}";

/// Rows of equations (a, b, c, d), solved by three scans.
fn by_scans(gpu: &Gpu, width: usize, rows: usize) -> Result<Plan, GalleryError> {
    let device = gpu.device();
    let [one, zero] = [1.0f32, 0.0].map(f32::to_bits);
    let product = Definition::new("product", PRODUCT).identity(ElementType::F32, &[one, zero, zero, one]);
    let spec = ScanSpec::new::<f32>(width * rows).rows(width as u64);
    let products = gpu.plan_auto(&spec.operator(Operator::new(product)?))?;
    let forwards = gpu.plan_auto(&spec.operator(Operator::AFFINE))?;
    let backwards = gpu.plan_auto(&spec.operator(Operator::AFFINE).reversed())?;

    let matrices = *products.layout(products.input());
    let [four, two, one] =
        [4, 2, 1].map(|arity| beside(device, &matrices, ElementType::F32, arity, width * rows));
    let (four, two, one) = (four?, two?, one?);
    let mut plan = Plan::new("scans", products.item().clone(), four);
    let equations = plan.input();
    let matrices = plan.map(equations, "matrix", MATRIX, four)?;
    let products = plan.append_plan(&products, &[matrices])?[0];
    let map = Map::new(FORWARDS).stream("equation", equations, 1).set("u_width", width as i32);
    let maps = plan.map(products, "forwards", map, two)?;
    let sides = plan.append_plan(&forwards, &[maps])?[0];
    let map = Map::new(BACKWARDS).stream("product", products, 1);
    let maps = plan.map(sides, "backwards", map, two)?;
    let pairs = plan.append_plan(&backwards, &[maps])?[0];
    let unknowns = plan.map(pairs, "second", SECOND, one)?;
    Ok(plan.finish(unknowns))
}

/// The same by cyclic reduction.
fn by_reduction(gpu: &Gpu, width: usize, rows: usize) -> Result<Plan, GalleryError> {
    let layout =
        |arity, width| Layout::fit(gpu.device(), ElementType::F32, arity, 1, (width * rows) as u64, 1);
    let item = ItemType { element: ElementType::F32, operator: Operator::ADD };
    let mut plan = Plan::new("cyclic reduction", item, layout(4, width).map_err(Error::from)?);
    let mut levels = vec![(plan.input(), width)];
    while let Some((finer, width)) = levels.last().copied().filter(|(_, width)| *width > 1) {
        let coarser = plan.slot("equations", layout(4, width / 2).map_err(Error::from)?);
        plan.draw("reduce", Shader::new("gallery/reduce.frag", include_str!("tridiagonal/reduce.frag")))
            .read("u_finer", finer)
            .set("u_width", width as i32)
            .write(coarser);
        levels.push((coarser, width / 2));
    }
    let (last, _) = levels.remove(levels.len() - 1);
    let mut unknowns = plan.map(last, "quotient", QUOTIENT, layout(1, 1).map_err(Error::from)?)?;
    for (finer, width) in levels.into_iter().rev() {
        let target = plan.slot("unknowns", layout(1, width).map_err(Error::from)?);
        let shader = Shader::new("gallery/substitute.frag", include_str!("tridiagonal/substitute.frag"));
        plan.draw("substitute", shader)
            .read("u_finer", finer)
            .read("u_coarser", unknowns)
            .set("u_width", width as i32)
            .write(target);
        unknowns = target;
    }
    Ok(plan.finish(unknowns))
}

/// The equations of rows: the light of each pixel is what remains of it, and what flows to its neighbours.
fn equations(light: &[f32], conductances: &[f32], width: usize) -> Vec<f32> {
    let between =
        |i: usize| if (i + 1).is_multiple_of(width) { 0.0 } else { conductances[i].min(conductances[i + 1]) };
    let equation = |i: usize| {
        let left = i.checked_sub(1).map_or(0.0, between);
        let right = between(i);
        [-left, 1.0 + left + right, -right, light[i]]
    };
    (0..light.len()).flat_map(equation).collect()
}

/// The same on the CPU, in f64, row by row.
fn solved_by_the_cpu(equations: &[f32], width: usize) -> Vec<f64> {
    let mut solved = Vec::with_capacity(equations.len() / 4);
    for row in equations.chunks(4 * width) {
        let mut eliminated: Vec<[f64; 2]> = Vec::with_capacity(width);
        for e in row.as_chunks().0.iter().map(|e: &[f32; 4]| e.map(f64::from)) {
            let [c, d] = eliminated.last().copied().unwrap_or([0.0; 2]);
            let divisor = e[1] - e[0] * c;
            eliminated.push([e[2] / divisor, (e[3] - e[0] * d) / divisor]);
        }
        let begin = solved.len();
        let mut next = 0.0;
        for [c, d] in eliminated.into_iter().rev() {
            next = d - c * next;
            solved.push(next);
        }
        solved[begin..].reverse();
    }
    solved
}

fn transposed<T: Copy>(all: &[T], width: usize) -> Vec<T> {
    (0..width).flat_map(|x| all.iter().copied().skip(x).step_by(width)).collect()
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let (light, distances) = scene(WIDTH, HEIGHT);
    let conductance = |distance: &f32| MOST * (1.0 - FOCUS / distance).powi(2).min(1.0);
    let along_rows: Vec<f32> = distances.iter().map(conductance).collect();
    let along_columns = transposed(&along_rows, WIDTH);
    let mut channels = [0, 1, 2].map(|channel| light.iter().map(|l| l[channel]).collect::<Vec<f32>>());
    let mut errors = [0.0f64; 2];
    let mut passes = [0; 2];
    for (width, conductances) in [(WIDTH, &along_rows), (HEIGHT, &along_columns)] {
        let rows = conductances.len() / width;
        let plans = [by_reduction(gpu, width, rows)?, by_scans(gpu, width, rows)?];
        passes = plans.each_ref().map(|plan| plan.passes().len());
        let [mut reduction, mut scans] = [gpu.prepare(&plans[0])?, gpu.prepare(&plans[1])?];
        for channel in &mut channels {
            let equations = equations(channel, conductances, width);
            let exact = solved_by_the_cpu(&equations, width);
            for (way, prepared) in [&mut reduction, &mut scans].into_iter().enumerate() {
                let input = prepared.upload(&equations)?;
                let solved = prepared.run(&input)?.read::<f32>()?;
                // NaN is no small error.
                let error = |(a, b): (&f32, &f64)| {
                    Some((f64::from(*a) - b).abs()).filter(|error| !error.is_nan()).unwrap_or(f64::INFINITY)
                };
                errors[way] = solved.iter().zip(&exact).map(error).fold(errors[way], f64::max);
                *channel = solved;
            }
            *channel = transposed(channel, width);
        }
    }
    check(errors.iter().all(|error| *error < 1e-4), || format!("errors of {errors:?}"))?;
    let diffused: Vec<Colour> =
        (0..light.len()).map(|i| colour(channels.each_ref().map(|channel| channel[i]))).collect();
    let facts = vec![
        Fact::count("systems", 3 * (WIDTH + HEIGHT)),
        Fact::count("unknowns", 6 * WIDTH * HEIGHT),
        Fact::count("passes of cyclic reduction", passes[0]),
        Fact::count("passes of three scans", passes[1]),
        Fact { name: "greatest error of cyclic reduction", value: Value::Measure(errors[0]) },
        Fact { name: "greatest error of three scans", value: Value::Measure(errors[1]) },
    ];
    let sharp = light.iter().map(|light: &Vector| colour(*light)).collect();
    let grey = |conductance: &f32| Colour::grey((255.0 * (conductance / MOST).sqrt()) as u8);
    let parts = [("before", sharp), ("conductance", along_rows.iter().map(grey).collect())];
    Ok(Exhibit { facts, picture: with_small(WIDTH, diffused, parts) })
}
