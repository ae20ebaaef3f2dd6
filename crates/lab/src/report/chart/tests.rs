use super::samples::{all, axis, crowded, series};
use super::*;
use rasterscan_drawing::shape::{Anchor, LINE, Paint, Shape, Stroke, TEXT};

/// Left, right and base line of each text of a figure.
fn texts(figure: &Figure) -> Vec<(String, f64, f64, f64)> {
    let shapes = figure.draw().shapes.into_iter();
    let text = |shape: Shape| match shape {
        Shape::Text { at, text, write } => {
            let width = font::width(&text, write.size);
            let left = match write.anchor {
                Anchor::Start => at.0,
                Anchor::Middle => at.0 - width / 2.0,
                Anchor::End => at.0 - width,
            };
            Some((text, left, left + width, at.1))
        }
        _ => None,
    };
    shapes.filter_map(text).collect()
}

#[test]
fn a_figure_is_xml_and_says_what_it_is() {
    for (name, figure) in all() {
        let svg = figure.svg();
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = document.root_element();
        let child =
            |tag: &str| root.children().find(|child| child.has_tag_name(("http://www.w3.org/2000/svg", tag)));
        assert_eq!(child("title").and_then(|title| title.text()), Some(figure.title.as_str()));
        assert_eq!(child("desc").and_then(|desc| desc.text()).unwrap_or(""), figure.description);
        assert_eq!(root.attribute("role"), Some("img"));
        assert!(document.descendants().all(|node| node.attribute("id").is_none()));
        assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{name}");
    }
}

#[test]
fn all_text_is_inside_and_none_is_on_another() {
    for (name, figure) in all() {
        let height = figure.draw().height;
        let texts = texts(&figure);
        for (i, (text, left, right, base)) in texts.iter().enumerate() {
            assert!(*left >= 0.0 && *right <= WIDTH && *base > 0.0 && *base < height, "{name}: {text}");
            for (other, from, to, other_base) in &texts[..i] {
                let apart = left >= to || from >= right || (base - other_base).abs() >= TEXT * 0.9;
                assert!(apart, "{name}: {text} and {other}");
            }
        }
    }
}

#[test]
fn names_are_a_line_apart() {
    let figure = crowded();
    let mut bases: Vec<f64> = texts(&figure)
        .into_iter()
        .filter(|(text, ..)| text.starts_with("blocks:inner=") && !text.contains("packed"))
        .map(|(.., base)| base)
        .collect();
    bases.sort_by(f64::total_cmp);
    assert_eq!(bases.len(), 15);
    assert!(bases.windows(2).all(|pair| pair[1] - pair[0] >= TEXT * LINE), "{bases:?}");
}

#[test]
fn nothing_measured_is_said() {
    let (_, empty) = &all()[3];
    assert_eq!(empty.svg().matches("nothing was measured").count(), 2);
}

#[test]
fn texts_are_escaped() {
    let title = "a < b & \"c\" > d \u{0} e";
    let figure = Figure { title: title.into(), description: title.into(), panels: Vec::new() };
    let svg = figure.svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(
        document.root_element().first_element_child().and_then(|node| node.text()),
        Some("a < b & \"c\" > d   e")
    );
}

/// The share of a PNG's pixels that are not white, and its size.
fn pixels(figure: &Figure) -> (f64, u32, u32) {
    let image = image::load_from_memory(&figure.png().unwrap()).unwrap().into_rgb8();
    let inked = image.pixels().filter(|pixel| pixel.0 != [255; 3]).count();
    (inked as f64 / image.pixels().len() as f64, image.width(), image.height())
}

#[test]
fn a_png_is_as_large_as_twice_the_svg_and_has_ink() {
    for (name, figure) in all() {
        let (share, width, height) = pixels(&figure);
        assert_eq!((width, height), (2 * WIDTH as u32, 2 * figure.draw().height as u32), "{name}");
        assert!(share > 0.004 && share < 0.5, "{name}: {share}");
    }
}

/// Whatever there is to draw, it is drawn.
#[test]
fn nothing_panics() {
    let values = [f64::NAN, f64::INFINITY, -1e9, -1.0, 0.0, 1e-9, 1.0, 1.0, 3.0, 1e9, 1e300, f64::MAX];
    let name = |i: usize| {
        ["", "a", "a (paper)", "ein sehr langer Name, der nicht mehr in eine Zeile passt: ∑"][i % 4]
            .to_owned()
    };
    let roles = [Role::Data, Role::Limit, Role::Paper];
    let scales = [Scale::Linear, Scale::LinearFromZero, Scale::Log2, Scale::Log10];
    // As random as is needed: any pair of values comes up.
    let mut state = 1_u64;
    let mut next = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    for round in 0..600 {
        let mut value = |_: usize| values[next(values.len())];
        let points = |count: usize, value: &mut dyn FnMut(usize) -> f64| -> Vec<Point> {
            (0..count).map(|i| Point { x: value(i), y: value(i), low: value(i), high: value(i) }).collect()
        };
        let series = (0..round % 18).map(|i| Series {
            name: name(i),
            points: points((round + i) % 4, &mut value),
            role: roles[(round + i) % 3],
        });
        let lines = Lines {
            title: name(round),
            x: axis(&name(round / 2), scales[round % 4]),
            y: axis(&name(round / 3), scales[round / 4 % 4]),
            series: series.collect(),
            marks: vec![
                Mark::Vertical { at: value(0), label: name(round) },
                Mark::Horizontal { at: value(0), label: name(round / 5) },
            ],
        };
        let bar = |i: usize| Bar {
            name: name(i),
            segments: (0..i % 4).map(|i| Segment { name: name(i), value: value(i) }).collect(),
        };
        let bars = Bars {
            title: name(round),
            axis: axis("time, ms", scales[round / 16 % 4]),
            bars: (0..round % 6).map(bar).collect(),
            marks: vec![(1.0, name(round)), (f64::NAN, name(round))],
        };
        let panels = vec![Panel::Lines(lines), Panel::Bars(bars)];
        let figure = Figure { title: name(round), description: name(round), panels };
        let svg = figure.svg();
        roxmltree::Document::parse(&svg).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{round}: {figure:?}");
        let outside = texts(&figure).into_iter().find(|(_, left, right, _)| *left < 0.0 || *right > WIDTH);
        assert_eq!(outside, None, "{round}: {figure:?}");
        if round % 60 == 59 {
            figure.png().unwrap();
        }
    }
}

#[test]
fn one_point_has_its_mark() {
    let lines = Lines {
        title: String::new(),
        x: axis("n", Scale::Log2),
        y: axis("time, ms", Scale::Linear),
        series: vec![series("once", Role::Data, [(8.0, 3.0)])],
        marks: Vec::new(),
    };
    let figure = Figure { title: "t".into(), description: "d".into(), panels: vec![Panel::Lines(lines)] };
    // In the plot, and beside the name.
    assert_eq!(figure.svg().matches("<circle").count(), 2);
}

#[test]
fn every_colour_has_another_by_night() {
    let known: Vec<String> = theme().map(|(day, _)| day).collect();
    for (name, figure) in all() {
        let svg = figure.svg();
        for colour in svg.split("=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(known.contains(&format!("#{colour}")), "{name}: #{colour}");
        }
    }
}

/// The shapes of a figure that shows one series.
fn shapes(series: Series) -> Vec<Shape> {
    let (x, y) = (axis("n", Scale::Log2), axis("time, ms", Scale::LinearFromZero));
    let lines = Lines { title: String::new(), x, y, series: vec![series], marks: Vec::new() };
    Figure { title: "t".into(), description: "d".into(), panels: vec![Panel::Lines(lines)] }.draw().shapes
}

#[test]
fn a_spread_is_drawn_where_it_is_seen() {
    let measured = |spread: f64| {
        let mut series = series("a", Role::Data, [(1.0, 10.0), (2.0, 10.0)]);
        for point in &mut series.points {
            (point.low, point.high) = (point.y - spread, point.y + spread);
        }
        let ink = Looks::default().line("a", Role::Data).ink;
        let thin = |shape: &Shape| {
            matches!(shape, Shape::Path { paint: Paint { stroke: Some(stroke), .. }, .. }
                if *stroke == Stroke::whole(ink, 1.0))
        };
        shapes(series).iter().filter(|shape| thin(shape)).count()
    };
    // The line from low to high, and a short one at each end.
    assert_eq!([measured(2.0), measured(0.01), measured(0.0)], [6, 0, 0]);
}

#[test]
fn what_a_paper_says_has_the_colour_of_what_was_measured() {
    let points = [(1.0, 1.0), (2.0, 2.0)];
    let panel = Lines {
        title: String::new(),
        x: axis("n", Scale::Log2),
        y: axis("time, ms", Scale::Linear),
        series: vec![
            series("other (paper)", Role::Paper, points),
            series("horn (paper)", Role::Paper, points),
            series("blelloch", Role::Data, points),
            series("horn", Role::Data, points),
        ],
        marks: Vec::new(),
    };
    let looks = Looks::of(&[Panel::Lines(panel)]);
    let (ours, paper) = (looks.line("horn", Role::Data), looks.line("horn (paper)", Role::Paper));
    assert_eq!(ours.ink, paper.ink);
    assert_ne!(ours.stroke.dashes, paper.stroke.dashes);
    assert_ne!(looks.line("other (paper)", Role::Paper).ink, ours.ink);
}
