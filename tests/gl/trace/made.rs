//! Recordings made by hand: small, and with everything that a recording can have.

use std::time::Duration;

use rasterscan::plan::{Cost, Layout, Primitives, Region, Uniform};
use rasterscan::tools::Numbers;
use rasterscan::trace::{
    Content, Place, ReadStream, Reader, Reads, RecordedPass, Recording, ShaderText, SharedAccess, StreamInfo,
    Work,
};
use rasterscan::{
    CompactSpec, Device, ElementType, Moves, Operator, ScanSpec, device::Clock, tools::Request,
};

fn texture(element: ElementType, len: u64) -> Layout {
    Layout::fit(&Device::gl33(), element, 1, 1, len, 1).unwrap()
}

fn stream(name: &str, layout: Layout) -> StreamInfo {
    StreamInfo { name: name.into(), layout, bits: false }
}

fn places(all: &[(u32, u32)]) -> Option<Vec<Place>> {
    Some(all.iter().map(|&(of, index)| Place { of, index }).collect())
}

/// A draw over a whole target, without reads.
fn draw(source: usize, target: Content, layout: &Layout) -> RecordedPass {
    RecordedPass {
        phase: "scan".into(),
        work: Work::Draw { primitives: Primitives::Screen, region: layout.region() },
        operator: Operator::ADD,
        shaders: vec![ShaderText {
            path: "scan/horn/step.frag".into(),
            text: "// \"a\"\n".into(),
            main: true,
            edited: false,
        }],
        defines: vec![("TUPLE".into(), 1), ("LOW".into(), i64::MIN)],
        uniforms: vec![("u_offset".into(), Uniform::Int(-1)), ("u_at".into(), Uniform::Int2([3, 4]))],
        sources: vec![ReadStream { name: "u_source".into(), stream: source, first: 0 }],
        targets: vec![target],
        written: vec![None],
        cost: Cost { texels_read: 8, texels_written: 4, adds: 3, depth: 1, ..Cost::default() },
        time: None,
        reads: Vec::new(),
        writes: None,
        drawn: Vec::new(),
        stopped: false,
        shared: Vec::new(),
        states: Vec::new(),
    }
}

/// A scan of these values in one pass that does not change them.
pub fn scan_of(values: Numbers) -> Recording {
    let (element, len) = (values.element(), values.len() as u64);
    let layout = texture(element, len);
    Recording {
        algorithm: "horn".into(),
        request: Request::new(ScanSpec::of(element, len)),
        device: "by hand".into(),
        clock: None,
        streams: vec![stream("input", layout), stream("ping", layout)],
        inputs: vec![Content { stream: 0, values: values.clone() }],
        outputs: vec![1],
        passes: vec![draw(0, Content { stream: 1, values }, &layout)],
    }
}

/// A scan whose pass drew points at all pairs of these coordinates.
pub fn drawn(coordinates: &[f32]) -> Recording {
    let mut recording = scan_of(Numbers::of(&[1u32, 2]));
    let pairs = coordinates.iter().flat_map(|&x| coordinates.iter().map(move |&y| vec![[x, y]]));
    recording.passes[0].drawn = pairs.collect();
    recording
}

/// A compaction with a draw, a capture, points and a dispatch, and something in every field.
pub fn everything() -> Recording {
    let (u32s, f32s) = (ElementType::U32, ElementType::F32);
    let layout = texture(f32s, 5);
    let buffer = Layout::buffer(u32s, 3, 2);
    let flags = texture(u32s, 5);
    let values = Numbers::of(&[1.5f32, f32::INFINITY, 0.0, -0.0, 3e38]);
    let content = |stream, values: &Numbers| Content { stream, values: values.clone() };
    let text = |path: &str, main| ShaderText {
        path: path.into(),
        text: "void main() {}\n".into(),
        main,
        edited: false,
    };

    let mut first = draw(0, content(2, &Numbers::of(&[1u32, 0, 1, 0, u32::MAX])), &flags);
    first.sources.push(ReadStream { name: "u_mask".into(), stream: 1, first: 3 });
    first.written = vec![Some(vec![true, false, true, true, false])];
    first.time = Some(Duration::new(3, 999_999_999));
    first.reads = vec![Reads::new(
        Reader::Texel,
        vec![places(&[(0, 0), (1, 4)]), None, places(&[]), places(&[(0, 3), (0, 3)]), places(&[(1, 1)])],
    )];

    let mut capture = draw(2, content(3, &Numbers::of(&[0u32, 1, 2, 3, 4, u32::MAX])), &flags);
    capture.phase = "segments".into();
    capture.work = Work::Capture { primitives: Primitives::Points(2) };
    capture.shaders = vec![text("a.vert", false), text("a.geom", true)];
    capture.reads = vec![Reads::new(Reader::Vertex, vec![places(&[(0, 4)]), None])];

    let mut points = draw(3, content(4, &values), &layout);
    points.work = Work::Draw {
        primitives: Primitives::Lines(4),
        region: Region { width: layout.width, height: layout.height },
    };
    points.reads = vec![Reads::new(Reader::Vertex, vec![None, None, places(&[(0, 1)]), places(&[(0, 0)])])];
    points.drawn =
        vec![vec![[0.5, 0.5], [1.5, 0.5]], vec![[-4.0, -4.0]], Vec::new(), vec![[0.0, 1.5], [2.0, 1.5]]];

    let mut dispatch = draw(4, content(5, &Numbers::of(&[2u32])), &flags);
    dispatch.work = Work::Dispatch { groups: 2, invocations: 3, lanes: "shared".into() };
    dispatch.reads = vec![Reads::new(Reader::Invocation, vec![places(&[(0, 4), (0, 2)]), None, places(&[])])];
    dispatch.writes = Some(Reads::new(Reader::Invocation, vec![None, places(&[(0, 0)])]));
    let access = SharedAccess {
        invocation: 5,
        epoch: 1,
        number: 2,
        array: 3,
        address: 1000,
        written: true,
        words: [7, 0, u32::MAX, 0],
    };
    dispatch.shared = vec![access, SharedAccess { written: false, words: [0; 4], ..access }];

    Recording {
        algorithm: "blocks:size=32,search=for".into(),
        request: Request::new(CompactSpec::of(f32s, 5).masked().moves(Moves::Values).columns(7)),
        device: "by hand \u{1F50D} \"\\\u{0}".into(),
        clock: Some(Clock::Wall),
        streams: vec![
            stream("input", layout),
            stream("mask", flags),
            stream("flags", flags),
            stream("segments", buffer),
            stream("values", layout),
            stream("count", Layout::buffer(u32s, 1, 1)),
        ],
        inputs: vec![content(0, &values), content(1, &Numbers::of(&[1u32, 0, 0, 0, 9]))],
        outputs: vec![4, 5],
        passes: vec![first, capture, points, dispatch],
    }
}
