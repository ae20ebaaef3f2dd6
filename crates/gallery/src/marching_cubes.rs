//! Marching cubes by a HistoPyramid, which expands: each cell of a grid becomes none to five triangles.
//!
//! A map counts the triangles of each cell, by which of its corners lie inside the surface. The pyramid's levels add up four
//! counts to one. Then every vertex of the result walks down from the top to its cell, and what is left of its number is the
//! number of its triangle there. So the triangles lie close together in one texture, and no invocation has written more than one
//! vertex. Mol* draws molecules in WebGL so.

mod cases;
mod render;

use std::collections::HashMap;

use rasterscan::plan::{ItemType, Layout, Map, Shader, Slot};
use rasterscan::{ElementType, Gpu, Operator, Plan};

use crate::{Exhibit, Fact, GalleryError, Piece, Value, check};
use cases::{cases, ends, triangles};

pub const PIECE: Piece = Piece {
    name: "marching-cubes",
    title: "Marching cubes by a HistoPyramid",
    shows: "A surface of genus 5 in a grid of 48 x 48 x 48 points. The colour of a triangle is its place in the stream, from violet \
            to yellow.",
    step: "A HistoPyramid sums the triangles of four cells to one number, level by level; each vertex of the result walks down \
           to find its cell. A compaction keeps one element or none, this one up to five.",
    text: include_str!("text/marching_cubes.txt"),
    job: "compact random:n=64,seed=2,keep=0.3 -a histopyramid",
    sources: &["ziegler2006", "dyken2008", "lorensen1987"],
    run,
};

/// Points along an edge of the grid.
const SIDE: usize = 48;
const POINTS: usize = SIDE * SIDE * SIDE;
/// The most triangles.
const CAPACITY: usize = 1 << 15;
/// The samplers of the levels below the top, the counts of the cells first.
const LEVELS: [&str; 9] = [
    "u_level_0",
    "u_level_1",
    "u_level_2",
    "u_level_3",
    "u_level_4",
    "u_level_5",
    "u_level_6",
    "u_level_7",
    "u_level_8",
];

/// The case of a cell: inside, the field is negative. 0 at the grid's far sides, which have no cells.
const CASE: &str = "
uniform int u_side;

ivec3 cell_place(int cell) {
    return ivec3(cell % u_side, cell / u_side % u_side, cell / (u_side * u_side));
}

int cell_corner(int cell, int corner) {
    return cell + (corner & 1) + u_side * (corner >> 1 & 1) + u_side * u_side * (corner >> 2);
}

int cell_case(int cell) {
    int bits = 0;
    for (int corner = 0; corner < 8; corner++) {
        bits |= field_at(cell_corner(cell, corner)) < 0.0 ? 1 << corner : 0;
    }
    return any(equal(cell_place(cell), ivec3(u_side - 1))) ? 0 : bits;
}
";

/// The triangles of a cell.
const COUNT: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    to[0] = cases_at(2 * cell_case(index) + 1) >> 28;
}";

const REDUCE: &str = "
#include <streams>
layout(location = 0) out uvec4 o_sums;

void main() {
    uvec4 sums = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        int first = 4 * (target_index() + i);
        sums[i] = level_at(first) + level_at(first + 1) + level_at(first + 2) + level_at(first + 3);
    }
    o_sums = sums;
}";

const VERTEX: &str = include_str!("marching_cubes/walk.frag");

fn plan(gpu: &Gpu) -> Result<Plan, rasterscan::Error> {
    let device = gpu.device();
    let side = SIDE as i32;
    let field = Layout::fit(device, ElementType::F32, 1, 1, POINTS as u64, 1)?;
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let mut plan = Plan::new("marching cubes", item, field);
    let field = plan.input();
    let cases = plan.further_input("cases", Layout::fit(device, ElementType::U32, 1, 1, 512, 1)?);
    let count = format!("#define field_at source_at\n{CASE}{COUNT}");
    let count = Map::new(count).reads(9).stream("cases", cases, 1).set("u_side", side);
    let counts = Layout::fit(device, ElementType::U32, 1, 4, POINTS as u64, 4)?;
    let mut levels = vec![plan.map(field, "count", count, counts)?];
    while plan.layout(levels[levels.len() - 1]).len > 1 {
        levels.push(reduce(&mut plan, levels[levels.len() - 1]));
    }
    let top = levels.len() - 1;
    let walk: String = (0..top).rev().map(|level| format!("DESCEND(level_{level}_at)\n")).collect();
    let shader = format!("#include <streams>\n{CASE}{}", VERTEX.replace("    WALK\n", &walk));
    let target = plan.slot("vertices", Layout::fit(device, ElementType::F32, 4, 1, 3 * CAPACITY as u64, 1)?);
    let mut pass = plan.draw("walk", Shader::new("gallery/walk.frag", shader)).set("u_side", side);
    for (name, level) in LEVELS.into_iter().zip(&levels[..top]) {
        pass = pass.read(name, *level);
    }
    pass.read("u_field", field).read("u_cases", cases).write(target);
    Ok(plan.finish_with(vec![target, levels[top]]))
}

fn reduce(plan: &mut Plan, below: Slot) -> Slot {
    let layout = *plan.layout(below);
    let sums = plan.slot("level", layout.reduced(layout.len.div_ceil(4), 4, 4));
    plan.draw("reduce", Shader::new("gallery/reduce.frag", REDUCE)).read("u_level", below).write(sums);
    sums
}

/// The tanglecube: a cube with a hole through each face, which meet inside.
fn field() -> Vec<f32> {
    let term = |i: usize| {
        let x = (i as f32 / (SIDE - 1) as f32 - 0.5) * 5.6;
        x * x * x * x - 5.0 * x * x
    };
    (0..POINTS).map(|i| term(i % SIDE) + term(i / SIDE % SIDE) + term(i / SIDE / SIDE) + 11.8).collect()
}

/// The same vertices on the CPU, cell by cell.
fn by_the_cpu(field: &[f32]) -> Vec<[f32; 4]> {
    let offset = |corner: usize| (corner & 1) + SIDE * (corner >> 1 & 1) + SIDE * SIDE * (corner >> 2);
    let place = |i: usize| [i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE];
    let triangles: Vec<_> = (0..256).map(triangles).collect();
    let mut vertices = Vec::new();
    for cell in (0..POINTS).filter(|cell| place(*cell).iter().all(|x| *x < SIDE - 1)) {
        let case: usize = (0..8).filter(|c| field[cell + offset(*c)] < 0.0).map(|c| 1 << c).sum();
        for edge in triangles[case].iter().flatten() {
            let [from, to] = ends(*edge).map(|corner| cell + offset(corner));
            let [x, y, z] = place(from).map(|x| x as f32);
            let mut vertex = [x, y, z, (3 * from + edge / 4) as f32];
            vertex[edge / 4] += field[from] / (field[from] - field[to]);
            vertices.push(vertex);
        }
    }
    vertices
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let field = field();
    let mut surface = gpu.prepare(&plan(gpu)?)?;
    let inputs = [surface.upload_input(0, &field)?, surface.upload_input(1, &cases())?];
    let results = surface.run(&inputs)?;
    let count = results[1].read::<u32>()?[0] as usize;
    let numbers = results[0].read_first::<f32>(3 * count as u64)?;
    let vertices: Vec<[f32; 4]> = numbers.as_chunks().0.to_vec();

    let expected = by_the_cpu(&field);
    check(count * 3 == expected.len(), || format!("{count} triangles, expected {}", expected.len() / 3))?;
    for (place, (vertex, expected)) in vertices.iter().zip(&expected).enumerate() {
        let is_near = (0..3).all(|axis| (vertex[axis] - expected[axis]).abs() < 1e-3);
        let text = || format!("vertex {place} is {vertex:?}, expected {expected:?}");
        check(is_near && vertex[3] == expected[3], text)?;
    }
    // The surface is closed: each of its edges has a twin in the other direction.
    let mut edges = HashMap::new();
    for triangle in vertices.chunks(3).map(|of| [of[0][3] as u32, of[1][3] as u32, of[2][3] as u32]) {
        for i in 0..3 {
            *edges.entry((triangle[i], triangle[(i + 1) % 3])).or_insert(0) += 1;
        }
    }
    let is_closed = edges.iter().all(|((a, b), times)| *times == 1 && edges.contains_key(&(*b, *a)));
    check(is_closed, || "the surface has a gap".into())?;
    let mut corners: Vec<u32> = vertices.iter().map(|vertex| vertex[3] as u32).collect();
    corners.sort_unstable();
    corners.dedup();
    let genus = (2 - (corners.len() + count) as i64 + edges.len() as i64 / 2) / 2;
    let facts = vec![
        Fact::count("cells", (SIDE - 1) * (SIDE - 1) * (SIDE - 1)),
        Fact::count("triangles", count),
        Fact::count("vertices of the closed surface", corners.len()),
        Fact { name: "genus, by Euler's formula", value: Value::Count(genus.unsigned_abs()) },
        Fact::count("passes", surface.plan().passes().len()),
    ];
    Ok(Exhibit { facts, picture: render::rendered(&vertices, SIDE) })
}
