//! `trace`: a folder of pictures, a film or a file, whole or not at all; and what cannot be traced.

use rasterscan::tools::Numbers;
use rasterscan::trace::Recording;
use rasterscan_drawing::colour::{Palette, Scale};

use super::{Program, names};

/// The pixels of a picture, row by row.
struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn of(bytes: &[u8]) -> Picture {
        let image = image::load_from_memory(bytes).unwrap().into_rgb8();
        Picture {
            width: image.width(),
            height: image.height(),
            pixels: image.pixels().map(|p| p.0).collect(),
        }
    }

    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[(y * self.width + x) as usize]
    }

    /// The corner of the first block of this size that is all of one colour, from the top left on.
    fn block(&self, colour: [u8; 3], side: u32) -> Option<(u32, u32)> {
        let places = (0..self.height - side).flat_map(|y| (0..self.width - side).map(move |x| (x, y)));
        let all =
            |(x, y): (u32, u32)| (0..side * side).all(|i| self.at(x + i % side, y + i / side) == colour);
        places.into_iter().find(|place| all(*place))
    }
}

/// Pictures of a sort say which digit they are of, write masks as bits, and have no rows for streams that they do not show.
#[test]
fn a_sort_is_shown_digit_by_digit() {
    let program = Program::new();
    program.run("trace sort random:n=40,seed=3,max=255 -a radix --svg -o sort").ok();
    let svg = |name: &str| String::from_utf8(program.read(&format!("sort/{name}.svg"))).unwrap();
    let height = |svg: &str| svg.split('"').nth(7).unwrap().parse::<u32>().unwrap();
    let (first, second, gather) = (svg("02-masks-1"), svg("09-masks-2"), svg("07-gather-1"));
    assert!(second.contains("masks · round 2 of 8"), "{second}");
    for text in ["mask 0, of digit 0: 00800000", ">0080<", ">ff00<", "hexadecimal: bits"] {
        assert!(first.contains(text), "{text}: {first}");
    }
    assert!(svg("01-planes-1").contains("88 positions, has the digit 15"));
    assert!(height(&first) + 100 < height(&gather), "{} {}", height(&first), height(&gather));
}

#[test]
fn a_folder_has_a_picture_for_the_input_and_one_for_each_pass() {
    let program = Program::new();
    let ran = program.run("trace scan random:n=16 -a horn -o horn").ok();
    assert!(ran.stdout.is_empty());
    assert!(ran.stderr.contains("horn: 4 passes recorded, verified"), "{}", ran.stderr);
    assert!(ran.stderr.contains("5 pictures written into horn"), "{}", ran.stderr);
    let expected = ["01-scan.png", "02-scan.png", "03-scan.png", "04-scan.png", "input.png"];
    assert_eq!(names(&program.path("horn")), expected);
    assert_eq!(program.names(), ["horn"], "nothing else is left");
    let pictures = expected.map(|name| Picture::of(&program.read(&format!("horn/{name}"))));
    for (number, picture) in pictures.iter().enumerate() {
        let passes = &pictures[0];
        assert_eq!(picture.width, passes.width, "{number}");
        // Passes of one shape have one size; the input alone has no targets below it.
        assert_eq!(picture.height < passes.height, number == 4, "{number}");
        assert!((800..=1300).contains(&picture.width), "{}", picture.width);
    }
    // Each pass is another picture.
    for (number, picture) in pictures.iter().enumerate() {
        assert!(
            pictures[..number].iter().all(|other| other.pixels != picture.pixels),
            "{}",
            expected[number]
        );
    }

    // An empty folder will do, and keeps its name.
    std::fs::create_dir(program.path("empty")).unwrap();
    program.run("trace compact random:n=20,keep=0.5 -a points -o empty/").ok();
    let found = names(&program.path("empty"));
    assert!(found.len() >= 3 && found.contains(&"input.png".to_owned()), "{found:?}");
    assert!(found.iter().all(|name| name.ends_with(".png")), "{found:?}");
}

/// Four texels: the colours that the scale gives their values, in their order, what was read above what was written.
#[test]
fn texels_have_the_colours_of_their_values() {
    let program = Program::new();
    for palette in Palette::ALL {
        let name = palette.name();
        program.run_with(&format!("trace scan - -a horn -o {name} --palette {name}"), "1 2 10 4").ok();
        let picture = Picture::of(&program.read(&format!("{name}/01-scan.png")));
        // All that there is in the run: 1 2 10 4, 1 3 12 14, 1 3 13 17.
        let scale = Scale::of(palette, [1.0, 17.0]);
        let corner = |value: f64| {
            let found = picture.block(scale.colour(value), 8);
            found.unwrap_or_else(|| panic!("{name}: no texel has the colour of {value}"))
        };
        let [one, two, ten, four] = [1.0, 2.0, 10.0, 4.0].map(corner);
        let [three, twelve, fourteen] = [3.0, 12.0, 14.0].map(corner);
        // In one row each, what was read above what was written.
        let read = [one, two, ten, four];
        let written = [three, twelve, fourteen];
        assert!(read.is_sorted_by_key(|(x, _)| *x) && written.is_sorted_by_key(|(x, _)| *x));
        let lowest = read.iter().map(|(_, y)| *y).max().unwrap();
        assert!(written.iter().all(|(_, y)| *y > lowest + 20), "{read:?} {written:?}");
        // Later passes are not in this picture, but in the last.
        assert_eq!(picture.block(scale.colour(17.0), 8), None);
        let last = Picture::of(&program.read(&format!("{name}/02-scan.png")));
        assert!(last.block(scale.colour(17.0), 8).is_some_and(|(_, y)| y > lowest + 20));
    }
}

#[test]
fn what_a_pass_changed_is_outlined() {
    let program = Program::new();
    program.run_with("trace scan - -a horn -o a", "1 2 0 0").ok();
    let outline = |name: &str| {
        let picture = Picture::of(&program.read(name));
        picture.pixels.iter().filter(|pixel| **pixel == [0xF0, 0x5A, 0x28]).count()
    };
    // 1 3 2 0: two are others than before; then 1 3 3 3: two again. No pass changes the input.
    assert_eq!(outline("a/input.png"), 0);
    assert!(outline("a/01-scan.png") > 200);
    program.run_with("trace scan - -a horn -o b", "1 0 0 0").ok();
    assert!(outline("b/01-scan.png") < outline("a/01-scan.png") * 3 / 4, "one is changed, not two");
}

#[test]
fn arrows_are_drawn_of_few_reads() {
    let program = Program::new();
    program.run("trace scan random:n=16,max=9 -a horn -o a.json").ok();
    let mut recording = Recording::load(program.path("a.json")).unwrap();
    let picture = |folder: &str| Picture::of(&program.read(&format!("{folder}/01-scan.png")));
    program.run("trace show a.json -o with").ok();
    assert!(recording.passes[0].reads[0].total() > 20, "the shaders write down what they read");
    recording.passes.iter_mut().for_each(|pass| pass.reads.clear());
    recording.save(program.path("b.json")).unwrap();
    program.run("trace show b.json -o without").ok();
    // The middle, between the row that was read and the row that was written.
    let ink = |picture: &Picture| {
        let band = picture.height * 11 / 24..picture.height * 12 / 24;
        let dark = |y: &u32| (0..picture.width).filter(|x| picture.at(*x, *y)[0] < 200).count();
        band.map(|y| dark(&y)).sum::<usize>()
    };
    let (with, without) = (ink(&picture("with")), ink(&picture("without")));
    assert!(with > without + 30, "{with} with arrows, {without} without");
}

#[test]
fn a_film_has_a_frame_for_the_input_and_one_for_each_pass() {
    let program = Program::new();
    program.run("trace scan random:n=16 -a horn -o horn").ok();
    let ran = program.run("trace scan random:n=16 -a horn -o horn.apng").ok();
    assert!(ran.stderr.contains("5 frames written to horn.apng"), "{}", ran.stderr);
    let bytes = program.read("horn.apng");
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let animation = *reader.info().animation_control().expect("it is animated");
    assert_eq!((animation.num_frames, animation.num_plays), (5, 0), "for ever");
    let mut frames = Vec::new();
    for _ in 0..5 {
        let mut frame = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut frame).unwrap();
        let control = *reader.info().frame_control().unwrap();
        let seconds = f64::from(control.delay_num) / f64::from(control.delay_den);
        assert!((0.8..=3.0).contains(&seconds), "{seconds}");
        frames.push(frame);
    }
    let mut beyond = vec![0; reader.output_buffer_size().unwrap()];
    assert!(reader.next_frame(&mut beyond).is_err(), "there are no more");
    // A viewer that knows no animations shows the first. The passes' times differ from run to run; the input has none.
    let plain = image::load_from_memory(&bytes).unwrap().into_rgb8();
    assert_eq!(plain.as_raw(), &frames[0]);
    // The title is that of the folder's picture, which is less high.
    let title = plain.width() as usize * 3 * 60;
    let alone = Picture::of(&program.read("horn/input.png")).pixels.concat();
    assert_eq!(alone[..title], frames[0][..title]);
    assert!(alone.len() < frames[0].len());
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(program.names(), ["horn", "horn.apng"]);
}

#[test]
fn a_trace_is_read_back_and_shown_again() {
    let program = Program::new();
    let ran = program.run_with("trace scan - -a hybrid:reduce=1 --exclusive -o a.json", "3 1 7 0 4").ok();
    assert!(ran.stderr.contains("recording written to a.json"), "{}", ran.stderr);
    let recording = Recording::load(program.path("a.json")).unwrap();
    assert_eq!(recording.algorithm, "hybrid:reduce=1");
    assert_eq!(recording.request.to_string(), "exclusive add scan of 5 u32");
    assert_eq!(recording.inputs[0].values, Numbers::of(&[3u32, 1, 7, 0, 4]));
    let sums = recording.before(recording.passes.len(), recording.outputs[0]).unwrap();
    assert_eq!(sums, &Numbers::of(&[0u32, 3, 4, 11, 11]));

    // Without any device.
    let show = |arguments: &str| {
        let mut command = program.command(arguments);
        command.env("RASTERSCAN_DEVICE", "999");
        super::Ran::of(arguments, command.output().unwrap())
    };
    show("trace show a.json -o shown").ok();
    let passes = recording.passes.len();
    assert_eq!(names(&program.path("shown")).len(), passes + 1);
    show("trace show a.json -o a.apng").ok();
    show("trace show a.json -o again.json").ok();
    assert_eq!(program.read("again.json"), program.read("a.json"));
}

#[test]
fn svg_is_for_folders() {
    let program = Program::new();
    for ending in ["apng", "json"] {
        let run = program.run(&format!("trace scan values:1,2,3 --svg -o a.{ending} --device 99"));
        run.fails(2, &["--svg is for the pictures of a folder", ending]);
    }
    assert!(program.names().is_empty());
}

#[test]
fn compactions_are_traced_with_their_masks_and_conditions() {
    let program = Program::new();
    let result = |file: &str| {
        let recording = Recording::load(program.path(file)).unwrap();
        let end = recording.passes.len();
        let of = |name: &str| {
            let stream = recording.outputs.iter().find(|stream| recording.name(**stream) == name)?;
            recording.before(end, *stream).map(|values| values.words())
        };
        let kept = of("count").unwrap()[0] as usize;
        (of("values").map(|words| words[..kept].to_vec()), of("indices").map(|words| words[..kept].to_vec()))
    };
    program.run_with("trace compact - --keep >=4 -a horn -o a.json", "3 9 1 4 0 7").ok();
    assert_eq!(result("a.json"), (Some(vec![9, 4, 7]), None));
    program.run_with("trace compact - --keep >=4 --indices -o b.json", "3 9 1 4 0 7").ok();
    assert_eq!(result("b.json"), (None, Some(vec![1, 3, 5])));
    let mask = super::npy("|u1", "(6,)", &[1, 0, 0, 0, 1, 1]);
    program.file("mask.npy", mask).file("a.txt", "3 9 1 4 0 7");
    program.run("trace compact a.txt --mask mask.npy -a points -o c.json").ok();
    assert_eq!(result("c.json"), (Some(vec![3, 0, 7]), None));
    program.run("trace compact a.txt --mask mask.npy -a points -o c").ok();
}

/// Nothing at all, one item, and one for each pixel: everything has its picture.
#[test]
fn streams_of_any_length_have_pictures() {
    let program = Program::new();
    for (n, algorithm) in [(0, "horn"), (1, "packed"), (3, "hybrid"), (300, "packed"), (65536, "packed")] {
        program.run(&format!("trace scan random:n={n} -a {algorithm} -o {algorithm}{n}")).ok();
        let folder = format!("{algorithm}{n}");
        for name in names(&program.path(&folder)) {
            let picture = Picture::of(&program.read(&format!("{folder}/{name}")));
            assert!(picture.width <= 2000 && picture.height <= 2000, "{folder}/{name}");
            assert!(picture.pixels.iter().any(|pixel| *pixel != [255; 3]));
        }
    }
    program.run("trace scan random:n=0 -a horn -o none.apng").ok();
    // No pixel is two texels.
    let large = Picture::of(&program.read("packed65536/input.png"));
    assert!(large.width * large.height >= 65536);
}

#[test]
fn what_cannot_be_traced_is_said() {
    let program = Program::new();
    program.file("full.txt", "").file("a.txt", "1 2 3");
    std::fs::create_dir(program.path("full")).unwrap();
    program.file("full/note.txt", "mine");
    program.run("trace scan random:n=4 -a all -o x").fails(2, &["-a all", "shows one algorithm", "auto"]);
    program.run("trace scan random:n=4 -a hron -o x").fails(2, &["did you mean horn?"]);
    program.run("trace scan random:n=4 -a sequential -o x").fails(4, &["runs on the CPU", "no passes"]);
    program.run("trace scan random:n=65537 -o x").fails(4, &["65,537 items", "at most 65,536"]);
    // Nothing of that size is made first.
    program.run("trace scan random:n=2^40 -o x").fails(4, &["at most 65,536"]);
    program.run("trace scan random:n=4").fails(2, &["--out <OUT>"]);
    program.run("trace scan random:n=4 -o x.png").fails(1, &["x.png", "a folder", ".apng or .json"]);
    program.run("trace scan random:n=4 -o full").fails(1, &["full", "new directory, or an empty one"]);
    program.run("trace scan random:n=4 -o a.txt/b").fails(1, &["no directory a.txt"]);
    program.run("trace scan random:n=4 -o none/x.json").fails(1, &["no directory none"]);
    program.run("trace scan random:n=4 -o none/x").fails(1, &["no directory none"]);
    program
        .run("trace compact a.txt --indices=i.npy -o x")
        .fails(2, &["--indices=i.npy", "expected --indices"]);
    program.run_with("trace scan - --op xor -o x", "1.5").fails(4, &["works on integers"]);
    program.run_with("trace scan - -o x", "1 x").fails(1, &["'x' is not a number"]);
    program.run("trace scan random:n=4 -o x --device 999").fails(4, &["999"]);
    program.run("trace scan random:n=4 -o x --palette jet").fails(2, &["viridis"]);
    assert_eq!(program.read("full/note.txt"), b"mine");
    assert_eq!(program.names(), ["a.txt", "full", "full.txt"], "nothing was written");
}

#[test]
fn files_that_are_no_traces_are_told_apart() {
    let program = Program::new();
    program.run("trace scan random:n=16 -a horn -o good.json").ok();
    let good = program.read("good.json");
    program
        .file("cut.json", &good[..good.len() / 2])
        .file("newer.json", "{\"schema\": \"rasterscan-trace\", \"form\": 2}")
        .file("other.json", "{\"schema\": \"rasterscan.scan/1\"}")
        .file("text.json", "horn");
    let before = program.names();
    program.run("trace show none.json -o x").fails(1, &["cannot read none.json"]);
    program.run("trace show cut.json -o x").fails(1, &["cut.json", "damaged"]);
    program.run("trace show newer.json -o x").fails(1, &["newer.json", "form 2; this version reads 1"]);
    program
        .run("trace show other.json -o x")
        .fails(1, &["other.json", "not a trace file", "rasterscan-trace"]);
    program.run("trace show text.json -o x").fails(1, &["text.json", "invalid JSON"]);
    assert_eq!(program.names(), before, "nothing was written");
}

#[test]
fn an_output_that_exists_is_replaced_and_a_failure_leaves_it() {
    let program = Program::new();
    for file in ["a.json", "a.apng"] {
        program.file(file, "old");
        program.run_with(&format!("trace scan - -o {file}"), "1 x").fails(1, &["'x' is not a number"]);
        assert_eq!(program.read(file), b"old");
        program.run_with(&format!("trace scan - -o {file}"), "1 2").ok();
        assert_ne!(program.read(file), b"old");
    }
    assert_eq!(program.names(), ["a.apng", "a.json"], "no temporary file is left");
}

#[test]
fn the_help_says_what_out_may_be() {
    let program = Program::new();
    let help = program.run("trace --help").ok();
    for part in ["scan", "compact", "show", "FOLDER", ".apng", ".json"] {
        assert!(help.text().contains(part), "{part}");
    }
    let scan = program.run("trace scan --help").ok();
    for part in ["--exclusive", "--order", "--tuple", "--op", "--dtype", "--no-verify", "--palette", "--out"]
    {
        assert!(scan.text().contains(part), "{part}");
    }
    let manual = program.run("man").ok();
    assert!(manual.text().contains(".SH TRACE\n") && manual.text().contains(".SH TRACE COMPACT\n"));
    let compact = program.run("trace compact --help").ok();
    for part in ["--keep", "--mask", "--indices", "--algorithm"] {
        assert!(compact.text().contains(part), "{part}");
    }
}
