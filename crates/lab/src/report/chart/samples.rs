//! Figures that tests draw.

use super::*;

pub fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.into(), scale }
}

pub fn series(name: &str, role: Role, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series { name: name.into(), points: points.into_iter().map(|(x, y)| Point::new(x, y)).collect(), role }
}

fn sizes() -> impl Iterator<Item = f64> {
    (10..=24).map(|exponent| 2_f64.powi(exponent))
}

/// As a paper's figure: lines, what the paper says, a limit, marks, spreads.
pub fn measured() -> Figure {
    let time = |launch: f64, rate: f64| sizes().map(move |n| (n, launch + n / rate));
    let mut hybrid = series("hybrid", Role::Data, time(0.04, 9e5));
    for (i, point) in hybrid.points.iter_mut().enumerate() {
        let share = if i % 3 == 0 { 0.3 } else { 0.02 };
        (point.low, point.high) = (point.y * (1.0 - share), point.y * (1.0 + share));
    }
    let lines = Lines {
        title: "Time of an inclusive scan of u32".into(),
        x: axis("n, elements", Scale::Log2),
        y: axis("time, ms", Scale::Log10),
        series: vec![
            hybrid,
            series("horn", Role::Data, time(0.03, 3e5)),
            series("blelloch", Role::Data, time(0.09, 7e5)),
            series("three-phase:items=16", Role::Data, time(0.02, 2e6).take(9)),
            series("hybrid (paper)", Role::Paper, [(65536.0, 0.9), (262_144.0, 2.2), (1_048_576.0, 7.1)]),
            series("horn (paper)", Role::Paper, [(65536.0, 1.4), (262_144.0, 5.2), (1_048_576.0, 21.0)]),
            series("copy", Role::Limit, time(0.01, 4e6)),
            series("one size only", Role::Data, [(65536.0, 0.02)]),
        ],
        marks: vec![
            Mark::Vertical { at: 1_048_576.0, label: "a million".into() },
            Mark::Vertical { at: 2_097_152.0, label: "what fits the cache".into() },
            Mark::Horizontal { at: 16.7, label: "a frame at 60 Hz".into() },
        ],
    };
    let mut rate = lines.clone();
    rate.title = "The same, as elements in a second".into();
    rate.y = axis("10⁶ elements/s", Scale::LinearFromZero);
    rate.marks.pop();
    for series in &mut rate.series {
        for point in &mut series.points {
            *point = Point::new(point.x, point.x / point.y / 1e3);
        }
    }
    Figure {
        title: "Scans by size, and what Sengupta, Lefohn and Owens measured".into(),
        description:
            "Time and rate of four scans against the number of elements, with the paper's own numbers and a \
                      copy as the limit."
                .into(),
        panels: vec![Panel::Lines(lines), Panel::Lines(rate)],
    }
}

/// Sixteen lines that end at the same height.
pub fn crowded() -> Figure {
    let names = (0..16).map(|i| match i {
        3 => "blocks:inner=packed,search=for,ends=fetched,draw=lines".to_owned(),
        _ => format!("blocks:inner={}", 1 << i),
    });
    let line = |(i, name): (usize, String)| {
        let start = 1.0 + i as f64;
        series(
            &name,
            Role::Data,
            (0..8).map(move |x| (f64::from(x), 8.0 + (start - 8.0) * f64::from(7 - x) / 7.0)),
        )
    };
    let lines = Lines {
        title: "Sixteen of them".into(),
        x: axis("step", Scale::Linear),
        y: axis("time, ms", Scale::LinearFromZero),
        series: names.enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    Figure {
        title: "Lines that end at one height".into(),
        description: "A test of names.".into(),
        panels: vec![Panel::Lines(lines)],
    }
}

pub fn bars() -> Figure {
    let bar = |name: &str, values: &[f64]| Bar {
        name: name.into(),
        segments: ["upload", "count", "scan of the counts", "search", "move", "read back"]
            .iter()
            .zip(values)
            .map(|(name, value)| Segment { name: (*name).into(), value: *value })
            .collect(),
    };
    let bars = Bars {
        title: "Where the time goes, 2²⁰ elements of which half are kept".into(),
        axis: axis("time, ms", Scale::Linear),
        bars: vec![
            bar("blocks:inner=packed,search=for,ends=fetched,draw=lines", &[1.1, 0.4, 0.22, 3.5, 1.2, 0.9]),
            bar("horn", &[1.1, 0.4, 2.22, 4.5, 2.2, 0.9]),
            bar("scatter", &[1.1, 0.4, 0.1, 0.0, 0.8, 0.02]),
            bar("points", &[]),
        ],
        marks: vec![(4.2, "a copy".into()), (4.6, "a copy of all and its mask".into())],
    };
    Figure {
        title: "Compactions, pass by pass".into(),
        description: String::new(),
        panels: vec![Panel::Bars(bars)],
    }
}

/// Nothing to show: no points, and no bars.
pub fn empty() -> Figure {
    let lines = Lines {
        title: "Lines".into(),
        x: axis("n", Scale::Log2),
        y: axis("time, ms", Scale::Log10),
        series: vec![
            series("nothing", Role::Data, []),
            series("no place", Role::Data, [(1.0, -1.0), (f64::NAN, 1.0)]),
        ],
        marks: vec![Mark::Vertical { at: 4.0, label: "here".into() }],
    };
    let bars = Bars {
        title: "Bars".into(),
        axis: axis("time, ms", Scale::Linear),
        bars: Vec::new(),
        marks: Vec::new(),
    };
    Figure {
        title: "Nothing".into(),
        description: "Nothing.".into(),
        panels: vec![Panel::Lines(lines), Panel::Bars(bars)],
    }
}

pub fn all() -> [(&'static str, Figure); 4] {
    [("measured", measured()), ("crowded", crowded()), ("bars", bars()), ("empty", empty())]
}
