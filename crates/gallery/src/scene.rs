//! The scene that several pieces see, and a tracer of its rays on the CPU.

use rasterscan_drawing::colour::Colour;

use crate::vector::{Vector, dot, minus, plus, times, unit};

/// A ball: its middle and radius, its colour and its share of mirror; glass has [`GLASS`].
pub struct Ball {
    pub place: [f32; 4],
    pub look: [f32; 4],
}

/// In place of the share of mirror: light goes through.
pub const GLASS: f32 = 2.0;
/// The least share of a pixel that a ray is followed for.
pub const LEAST: f32 = 0.02;
/// The direction of the light.
pub const LIGHT: Vector = [0.48, 0.8, 0.36];
const EYE: Vector = [0.0, 1.5, -5.0];

/// A ray: where it begins, its direction, and its share of its pixel.
#[derive(Debug, Clone, Copy)]
pub struct Ray {
    pub from: Vector,
    pub along: Vector,
    pub share: f32,
}

pub fn balls() -> Vec<Ball> {
    let ball = |place, look| Ball { place, look };
    let mut balls = vec![
        ball([-0.75, 1.0, -0.4, 1.0], [1.0, 1.0, 1.0, GLASS]),
        ball([1.35, 1.1, 1.3, 1.1], [0.95, 0.95, 1.0, 0.85]),
        ball([-2.6, 0.8, 2.4, 0.8], [1.0, 0.9, 0.8, 0.8]),
        ball([0.55, 0.35, -1.4, 0.35], [0.85, 0.2, 0.15, 0.15]),
    ];
    // A row that goes away from the eye.
    balls.extend((0..7).map(|i| {
        let (i, hue) = (i as f32, i as f32 / 6.0);
        let place = [2.3 + 0.55 * i, 0.4, -1.2 + 2.4 * i, 0.4];
        ball(place, [0.2 + 0.7 * hue, 0.45, 0.85 - 0.7 * hue, 0.2])
    }));
    balls
}

/// The ray of a pixel of a picture.
pub fn primary(x: usize, y: usize, width: usize, height: usize) -> Ray {
    let of = |at: usize, all: usize| (at as f32 + 0.5 - all as f32 / 2.0) / width as f32;
    let along = unit([1.15 * of(x, width) + 0.06, -1.15 * of(y, height) - 0.1, 1.0]);
    Ray { from: EYE, along, share: 1.0 }
}

/// The distance to the nearest surface, and the number of its ball: that of the floor follows; and `None` for the sky.
pub fn hit(balls: &[Ball], from: Vector, along: Vector) -> Option<(f32, usize)> {
    let far = |t: f32| t > 1e-3;
    let floor = Some(-from[1] / along[1]).filter(|t| far(*t)).map(|t| (t, balls.len()));
    let of_balls = balls.iter().enumerate().filter_map(|(number, ball)| {
        let to = minus(from, [ball.place[0], ball.place[1], ball.place[2]]);
        let middle = -dot(to, along);
        let inside = middle * middle - dot(to, to) + ball.place[3] * ball.place[3];
        let half = (inside >= 0.0).then(|| inside.sqrt())?;
        [middle - half, middle + half].into_iter().find(|t| far(*t)).map(|t| (t, number))
    });
    of_balls.chain(floor).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The light that a ray brings to its pixel, and the ray that goes on.
pub fn bounce(balls: &[Ball], ray: Ray) -> (Vector, Option<Ray>) {
    let Ray { from, along, share } = ray;
    let Some((distance, number)) = hit(balls, from, along) else {
        let high = along[1].max(0.0).sqrt();
        return (times([0.92 - 0.5 * high, 0.95 - 0.3 * high, 1.0], share), None);
    };
    let place = plus(from, times(along, distance));
    let (mut normal, look) = match balls.get(number) {
        Some(ball) => (minus(place, [ball.place[0], ball.place[1], ball.place[2]]), ball.look),
        // The squares fade, where several would share a pixel.
        None => {
            let is_dark = (place[0].floor() + place[2].floor()).rem_euclid(2.0) > 0.5;
            let near = 1.0 - ((distance - 3.0) / 14.0).clamp(0.0, 1.0);
            let sign = if is_dark { -near } else { near };
            ([0.0, 1.0, 0.0], [0.62 + 0.31 * sign, 0.63 + 0.27 * sign, 0.62 + 0.2 * sign, 0.0])
        }
    };
    normal = unit(normal);
    let is_outside = dot(normal, along) < 0.0;
    let normal = if is_outside { normal } else { times(normal, -1.0) };
    let cosine = -dot(normal, along);
    let light = unit(LIGHT);
    let mirrored = plus(along, times(normal, 2.0 * cosine));
    let is_lit =
        hit(balls, place, light).is_none_or(|(_, other)| balls.get(other).is_none_or(|b| b.look[3] == GLASS));
    let lit = if is_lit { 1.0 } else { 0.0 };
    let bright = lit * dot(mirrored, light).max(0.0).powf(60.0);
    let matte = 0.25 + 0.75 * lit * dot(normal, light).max(0.0);
    let (own, along, kept) = if look[3] == GLASS {
        let eta = if is_outside { 1.0 / 1.5 } else { 1.5 };
        let inside = 1.0 - eta * eta * (1.0 - cosine * cosine);
        let bent = plus(times(along, eta), times(normal, eta * cosine - inside.max(0.0).sqrt()));
        (0.0, if inside < 0.0 { mirrored } else { bent }, 0.92)
    } else {
        (1.0 - look[3], mirrored, look[3])
    };
    let colour = [0, 1, 2].map(|i| share * (own * matte * look[i] + 0.6 * bright));
    let share = share * kept;
    (colour, (share >= LEAST).then_some(Ray { from: place, along, share }))
}

/// The scene, traced on the CPU as pixels: the light of each pixel, and the distance of what it shows.
pub fn scene(width: usize, height: usize) -> (Vec<Vector>, Vec<f32>) {
    let balls = balls();
    let pixel = |i: usize| {
        let first = primary(i % width, i / width, width, height);
        let (mut light, mut ray) = ([0.0; 3], Some(first));
        while let Some(followed) = ray {
            let (colour, next) = bounce(&balls, followed);
            light = plus(light, colour);
            ray = next;
        }
        (light, hit(&balls, first.from, first.along).map_or(f32::INFINITY, |(distance, _)| distance))
    };
    (0..width * height).map(pixel).unzip()
}

/// A colour of light, for eyes.
pub fn colour(light: Vector) -> Colour {
    let [red, green, blue] = light.map(|x| (255.0 * x.clamp(0.0, 1.0).powf(1.0 / 1.6)).round() as u8);
    Colour(red, green, blue)
}
