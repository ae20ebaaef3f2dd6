//! Inputs of every kind, and the whole spec through the options.

use super::{Program, npy, npy_with_header};

#[test]
fn numbers_come_from_standard_input() {
    let program = Program::new();
    let scan = |arguments: &str, text| program.run_with(arguments, text).ok().values();
    // The example of blelloch1990.
    assert_eq!(scan("scan -", "3 1 7 0 4 1 6 3\n"), "3 4 11 11 15 16 22 25");
    assert_eq!(scan("scan - --exclusive", "3 1 7 0 4 1 6 3\n"), "0 3 4 11 11 15 16 22");
    assert_eq!(scan("scan -", "x,y\n1,2\r\n3,\n"), "1 3 6");
    assert_eq!(scan("scan -", ""), "");
}

#[test]
fn text_decides_its_own_type() {
    let program = Program::new();
    for (text, element, last) in [
        ("4294967295 1", "u32", "0"),
        ("-1 -2", "i32", "-3"),
        ("4294967296 1", "u64", "4294967297"),
        ("-1 4294967296", "i64", "4294967295"),
        ("0.5 1", "f32", "1.5"),
        ("1e3 1", "f32", "1001.0"),
    ] {
        program.file("numbers.csv", text);
        let run = program.run("scan numbers.csv").ok();
        assert_eq!(run.values().split(' ').next_back(), Some(last), "{text}");
        let json = program.run("scan numbers.csv --json").ok().json();
        assert_eq!(json["element"], element, "{text}");
    }
}

#[test]
fn text_is_read_as_the_type_that_is_asked_for() {
    let program = Program::new();
    let scan = |element: &str| {
        let arguments = format!("scan - --dtype {element}");
        program.run_with(&arguments, "1 2.0 3").ok().values()
    };
    for element in ["u32", "i32", "u64", "i64"] {
        assert_eq!(scan(element), "1 3 6", "{element}");
    }
    assert_eq!(scan("f32"), "1.0 3.0 6.0");
}

#[test]
fn every_npy_type_is_read_in_either_byte_order() {
    let program = Program::new();
    macro_rules! case {
        ($rust:ty, $kind:literal, $values:expr, $element:literal, $sums:literal) => {
            for (order, big) in [("<", false), (">", true)] {
                let values: [$rust; 3] = $values;
                let data: Vec<u8> =
                    values.iter().flat_map(|x| if big { x.to_be_bytes() } else { x.to_le_bytes() }).collect();
                let order = if size_of::<$rust>() == 1 { "|" } else { order };
                let descr = format!("{order}{}", $kind);
                program.file("a.npy", npy(&descr, "(3,)", &data));
                let run = program.run("scan a.npy").ok();
                assert_eq!(run.values(), $sums, "{descr}");
                let narrow = size_of::<$rust>() < 4;
                assert_eq!(run.stderr.contains("widened to"), narrow, "{descr}: {}", run.stderr);
                let json = program.run("scan a.npy --json").ok().json();
                assert_eq!(json["element"], $element, "{descr}");
            }
        };
    }
    case!(u8, "u1", [200, 100, 7], "u32", "200 300 307");
    case!(u16, "u2", [60000, 10000, 7], "u32", "60000 70000 70007");
    case!(u32, "u4", [1, 2, 3], "u32", "1 3 6");
    case!(u64, "u8", [1 << 40, 2, 3], "u64", "1099511627776 1099511627778 1099511627781");
    case!(i8, "i1", [-100, -100, 7], "i32", "-100 -200 -193");
    case!(i16, "i2", [-30000, -30000, 7], "i32", "-30000 -60000 -59993");
    case!(i32, "i4", [-1, 2, -3], "i32", "-1 1 -2");
    case!(i64, "i8", [-1, 1 << 40, 1], "i64", "-1 1099511627775 1099511627776");
    case!(f32, "f4", [0.5, 0.25, -1.0], "f32", "0.5 0.75 -0.25");
}

#[test]
fn a_header_is_left_out_and_said_so() {
    let program = Program::new();
    for (text, sums, line) in
        [("luma, alpha\n1,2\n", "1 3", 1), ("\n\nx\n1\n", "1", 3), ("größe\n1\n2", "1 3", 1)]
    {
        let run = program.file("a.csv", text).run("scan a.csv").ok();
        assert_eq!(run.values(), sums);
        let note = format!("a.csv: line {line} is a header: skipped");
        assert!(run.stderr.contains(&note), "{}", run.stderr);
    }
    let run = program.run_with("scan -", "1 2").ok();
    assert!(!run.stderr.contains("header"), "{}", run.stderr);
    // A value that is damaged is not a header.
    for text in [&b"\xE2\x88\x925\n1\n2\n"[..], b"\xFF87\n1\n", b"O.5\n1\n2"] {
        program
            .file("a.csv", text)
            .run("scan a.csv -q")
            .fails(1, &["a.csv: line 1: '", "a header has no digits"]);
    }
    program
        .file("a.csv", "luma\n")
        .run("scan a.csv")
        .fails(1, &["line 1: a header, and no numbers follow it"]);
}

#[test]
fn a_number_means_the_same_wherever_it_is_written() {
    let program = Program::new();
    for (text, dtype, says) in [
        ("1e400", "", "does not fit f32"),
        ("1e39", "", "does not fit f32"),
        ("99999999999999999999", "", "does not fit u64"),
        ("99999999999999999999", "--dtype f32", "is not exact in f32"),
        ("16777217", "--dtype f32", "is not exact in f32"),
    ] {
        let says = &[format!("'{text}'"), says.to_owned()];
        let says: Vec<&str> = says.iter().map(String::as_str).collect();
        program.run(&format!("scan values:{text} -a sequential {dtype}")).fails(2, &says);
        program.file("a.csv", text).run(&format!("scan a.csv -a sequential {dtype}")).fails(1, &says);
    }
    for text in ["inf", "16777217.0", "0.5,16777217", "1e1", "3.0"] {
        let typed = program.run(&format!("scan values:{text} -a sequential --dtype f32")).ok().values();
        let read = program.file("a.csv", text).run("scan a.csv -a sequential --dtype f32").ok().values();
        assert_eq!(typed, read, "{text}");
    }
}

#[test]
fn whole_decimals_are_read_to_the_last_digit() {
    let program = Program::new();
    for (text, value) in [
        ("9007199254740993.0", "9007199254740993"),
        ("18446744073709551615.00", "18446744073709551615"),
        ("0.18446744073709551615e20", "18446744073709551615"),
        ("1234567890123456789.0e0", "1234567890123456789"),
        ("9007199254740993e1", "90071992547409930"),
        ("0e99999", "0"),
    ] {
        assert_eq!(program.run_with("scan - --dtype u64", text).ok().values(), value, "{text}");
    }
}

#[test]
fn wide_floats_are_narrowed_only_when_asked() {
    let program = Program::new();
    for (descr, big) in [("<f8", false), (">f8", true)] {
        let bytes = |x: f64| if big { x.to_be_bytes() } else { x.to_le_bytes() };
        let data: Vec<u8> = [0.5, 0.25].into_iter().flat_map(bytes).collect();
        program.file("a.npy", npy(descr, "(2,)", &data));
        let run = program.run("scan a.npy --dtype f32").ok();
        assert_eq!(run.values(), "0.5 0.75");
        assert!(run.stderr.contains("narrowed to f32"), "{}", run.stderr);
        program.run("scan a.npy").fails(1, &["a.npy", "64-bit floats", "--dtype f32"]);
    }
}

#[test]
fn arrays_of_any_shape_are_read_flat() {
    let program = Program::new();
    let data: Vec<u8> = (1..=6u32).flat_map(u32::to_le_bytes).collect();
    for shape in ["(6,)", "(2, 3)", "(1, 2, 3, 1)"] {
        program.file("a.npy", npy("<u4", shape, &data));
        assert_eq!(program.run("scan a.npy").ok().values(), "1 3 6 10 15 21", "{shape}");
    }
    program.file("one.npy", npy("<u4", "()", &7u32.to_le_bytes()));
    assert_eq!(program.run("scan one.npy").ok().values(), "7");
    program.file("none.npy", npy("<u4", "(0, 5)", &[]));
    assert_eq!(program.run("scan none.npy").ok().values(), "");
    let old = "{'descr': '<u4', 'fortran_order': False, 'shape': (6L,), }";
    program.file("old.npy", npy_with_header(old, &data));
    assert_eq!(program.run("scan old.npy").ok().values(), "1 3 6 10 15 21");
}

#[test]
fn binary_files_are_little_endian_of_the_given_type() {
    let program = Program::new();
    let data: Vec<u8> = [-1i64, 3].iter().flat_map(|x| x.to_le_bytes()).collect();
    program.file("a.bin", &data);
    assert_eq!(program.run("scan a.bin --dtype i64").ok().values(), "-1 2");
    assert_eq!(program.run("scan a.bin --dtype i32").ok().values(), "-1 -2 1 1");
    program.file("none.bin", "");
    assert_eq!(program.run("scan none.bin --dtype f32").ok().values(), "");
}

#[test]
fn images_are_luma_or_channels() {
    let program = Program::new();
    let grey = image::GrayImage::from_raw(3, 2, vec![1, 2, 3, 4, 5, 6]).unwrap();
    grey.save(program.path("grey.png")).unwrap();
    assert_eq!(program.run("scan grey.png").ok().values(), "1 3 6 10 15 21");
    let deep = image::ImageBuffer::<image::Luma<u16>, _>::from_raw(2, 1, vec![60000, 5]).unwrap();
    deep.save(program.path("deep.png")).unwrap();
    assert_eq!(program.run("scan deep.png").ok().values(), "60000 60005");
    let colours = image::RgbImage::from_raw(2, 1, vec![1, 10, 100, 2, 20, 200]).unwrap();
    colours.save(program.path("colours.png")).unwrap();
    let run = program.run("scan colours.png --channels").ok();
    assert_eq!(run.values(), "1 10 100 3 30 300");
    let json = program.run("scan colours.png --channels --json").ok().json();
    assert_eq!((json["tuple"].as_u64(), json["n"].as_u64()), (Some(3), Some(6)));
    // All pixels alike, so that compression changes none.
    image::GrayImage::from_pixel(8, 8, image::Luma([128])).save(program.path("a.jpg")).unwrap();
    let sums = program.run("scan a.jpg").ok().values();
    assert_eq!(sums.split(' ').next_back(), Some("8192"));
}

#[test]
fn random_numbers_are_the_same_everywhere() {
    let program = Program::new();
    // The published first outputs of SplitMix64 for this seed; their high 8 bits are the values.
    let published = [6457827717110365317u64, 3203168211198807973, 9817491932198370423];
    let mut sum = 0;
    let sums = published.map(|bits| {
        sum += bits >> 56;
        sum.to_string()
    });
    for input in ["random:n=3,seed=1234567,max=255", "random:seed=1234567,n=3"] {
        assert_eq!(program.run(&format!("scan {input}")).ok().values(), sums.join(" "));
    }
    let json = program.run("scan random:n=5,max=18446744073709551615 --json").ok().json();
    assert_eq!(json["element"], "u64");
    assert_eq!(program.run("scan random:n=0").ok().values(), "");
    assert_eq!(program.run("scan random --json").ok().json()["n"], 1_000_000);
}

#[test]
fn the_whole_spec_can_be_asked_for() {
    let program = Program::new();
    let scan = |arguments: &str, text: &str| program.run_with(arguments, text).ok().values();
    assert_eq!(scan("scan - --op mul", "1 2 3 4"), "1 2 6 24");
    assert_eq!(scan("scan - --op min", "3 1 2"), "3 1 1");
    assert_eq!(scan("scan - --op max", "1 3 2"), "1 3 3");
    assert_eq!(scan("scan - --op and", "7 6 12"), "7 6 4");
    assert_eq!(scan("scan - --op or", "1 2 4"), "1 3 7");
    assert_eq!(scan("scan - --op xor", "1 3 7"), "1 2 5");
    // x -> 2x + 1, then x -> 3x + 5: x -> 6x + 8.
    assert_eq!(scan("scan - --op affine", "2 1 3 5"), "2 1 6 8");
    assert_eq!(scan("scan - --order 2", "1 1 1 1"), "1 3 6 10");
    assert_eq!(scan("scan - --tuple 2", "1 10 2 20 3 30"), "1 10 3 30 6 60");
    assert_eq!(scan("scan - --tuple 2 --exclusive", "1 10 2 20"), "0 0 1 10");
}

#[test]
fn every_algorithm_gives_the_same_on_either_api() {
    let program = Program::new();
    let expected = program.run("scan random:n=1000 -a sequential").ok().text().to_owned();
    for algorithm in ["horn", "hybrid:reduce=1", "blelloch", "packed:block=2", "all", "auto"] {
        for api in ["gl", "gles"] {
            let run = program.run(&format!("scan random:n=1000 -a {algorithm} --api {api}")).ok();
            assert_eq!(run.text(), expected, "{algorithm} on {api}");
        }
    }
}
