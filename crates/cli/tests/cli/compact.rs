//! `compact`: conditions, masks, what is moved, and where it goes.

use serde_json::Value;

use rasterscan::tools::problem::COMPACT;
use rasterscan::tools::registry::{self, Choice};
use rasterscan::{CompactSpec, Device, Moves};

use super::{Program, npy};

#[test]
fn every_condition_keeps_what_it_says_in_order() {
    let program = Program::new();
    for (element, text, keep, values, indices) in [
        ("u32", "3 0 7 0 4", "nonzero", "3 7 4", "0 2 4"),
        ("u32", "5 3 9 3", ">3", "5 9", "0 2"),
        ("u32", "5 3 4294967295", ">=4294967295", "4294967295", "2"),
        ("i32", "-5 3 -2 0", "<0", "-5 -2", "0 2"),
        ("i32", "-5 3 -2 0", "<=-2", "-5 -2", "0 2"),
        ("u64", "4294967296 5 4294967297", ">4294967296", "4294967297", "2"),
        ("u64", "4294967296 0 1", "nonzero", "4294967296 1", "0 2"),
        ("i64", "-4294967297 -1 4294967296 7", "<-1", "-4294967297", "0"),
        ("i64", "-4294967297 7 4294967303 7", "==7", "7 7", "1 3"),
        ("f32", "0.5 0.75 -1 nan 1e30", ">0.5", "0.75 1e30", "1 4"),
        ("f32", "0 -0.0 nan -1e-3", "nonzero", "NaN -0.001", "2 3"),
        ("f32", "0.1 nan 0.2", "!=0.1", "NaN 0.2", "1 2"),
    ] {
        let run = |more: &str| {
            let arguments = format!("compact - --dtype {element} --keep {keep} {more}");
            program.run_with(&arguments, text).ok().values()
        };
        assert_eq!(run(""), values, "{element} {keep}");
        assert_eq!(run("--indices"), indices, "{element} {keep}");
    }
    // With a space, as one would write it; and nonzero is the default.
    let spaced = program.command("compact -").args(["--keep", " > 3 "]).write_stdin("5 3 9").output();
    assert_eq!(spaced.unwrap().stdout, b"5\n9\n");
    assert_eq!(program.run_with("compact -", "0 0 8").ok().values(), "8");
    assert_eq!(program.run_with("compact -", "0 0").ok().values(), "");
    assert_eq!(program.run_with("compact -", "").ok().values(), "");
}

#[test]
fn every_algorithm_keeps_the_same_on_either_api() {
    let program = Program::new();
    let input = "compact random:n=3000,keep=0.4";
    let expected = program.run(&format!("{input} -a sequential")).ok().text().to_owned();
    assert!((1100..1300).contains(&expected.lines().count()));
    for algorithm in [
        "horn:scan=hybrid",
        "blocks",
        "blocks:size=8,search=for,draw=quads",
        "geometry",
        "bitonic",
        "histopyramid",
        "points",
        "packed",
        "all",
        "auto",
    ] {
        for api in ["gl", "gles"] {
            let run = program.run(&format!("{input} -a {algorithm} --api {api}"));
            if run.code == Some(4) && run.stderr.contains("geometry shaders") {
                println!("not applicable: {algorithm} on {api}");
                continue;
            }
            assert_eq!(run.ok().text(), expected, "{algorithm} on {api}");
        }
    }
}

#[test]
fn floats_are_moved_bit_by_bit() {
    let program = Program::new();
    // NaNs of several kinds, zeros of both signs, and the least and greatest numbers.
    let words = [0x7FC0_1234, 0xFFC0_0001, 0x8000_0000, 0, 1, 0x807F_FFFF, 0x7F80_0000, 0x3F80_0000u32];
    let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    program.file("a.bin", &data);
    for algorithm in ["all", "packed", "blocks", "points", "bitonic", "horn"] {
        let arguments = format!("compact a.bin --dtype f32 --keep !=1 -a {algorithm} -o b.bin");
        program.run(&arguments).ok();
        assert_eq!(program.read("b.bin"), data[..28], "{algorithm}");
    }
}

#[test]
fn indices_go_in_place_of_the_values_or_beside_them() {
    let program = Program::new();
    let run = |more: &str| program.run_with(&format!("compact - {more}"), "3 0 7 0 4").ok();
    assert_eq!(run("--indices").text(), "0\n2\n4\n");

    let both = run("--indices=where.txt");
    assert_eq!(both.text(), "3\n7\n4\n");
    assert_eq!(program.read("where.txt"), b"0\n2\n4\n");
    assert!(both.stderr.contains("3 indices written to where.txt"), "{}", both.stderr);

    let files = run("--indices=where.npy -o what.bin");
    assert!(files.stdout.is_empty());
    assert!(files.stderr.contains("3 values written to what.bin"), "{}", files.stderr);
    assert_eq!(program.read("what.bin"), [3, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0]);
    let npy = program.read("where.npy");
    assert!(String::from_utf8_lossy(&npy).contains("{'descr': '<u4', 'fortran_order': False, 'shape': (3,)"));
    assert_eq!(npy[npy.len() - 12..], [0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0]);

    // In place of the values they go where those would.
    let alone = run("--indices -o alone.bin --dtype i64");
    assert!(alone.stderr.contains("3 indices written to alone.bin"), "{}", alone.stderr);
    assert_eq!(program.read("alone.bin"), [0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0]);
    assert_eq!(run("--json --indices=j.txt -o v.txt").json()["moves"], "both");
    assert_eq!((program.read("j.txt"), program.read("v.txt")), (b"0\n2\n4\n".into(), b"3\n7\n4\n".into()));
    let names = ["alone.bin", "j.txt", "v.txt", "what.bin", "where.npy", "where.txt"];
    assert_eq!(program.names(), names, "no temporary file is left");
}

#[test]
fn masks_say_what_is_kept() {
    let program = Program::new();
    let run =
        |arguments: &str| program.run_with(&format!("compact - {arguments}"), "9 8 0 7 6 0").ok().values();
    program.file("bool.npy", npy("|b1", "(6,)", &[1, 0, 1, 1, 0, 0]));
    program.file("u1.npy", npy("|u1", "(2, 3)", &[255, 0, 1, 2, 0, 0]));
    program.file("none.npy", npy("|b1", "(6,)", &[0; 6]));
    let grey = image::GrayImage::from_raw(3, 2, vec![200, 0, 1, 255, 0, 0]).unwrap();
    grey.save(program.path("grey.png")).unwrap();
    let deep =
        image::ImageBuffer::<image::Luma<u16>, _>::from_raw(6, 1, vec![65535, 0, 1, 256, 0, 0]).unwrap();
    deep.save(program.path("deep.png")).unwrap();
    let white = image::Rgb([255; 3]);
    let colours =
        [white, image::Rgb([0; 3]), white, image::Rgb([0, 90, 0]), image::Rgb([0; 3]), image::Rgb([0; 3])];
    let colours = image::RgbImage::from_fn(6, 1, |x, _| colours[x as usize]);
    colours.save(program.path("colours.png")).unwrap();
    for mask in ["bool.npy", "u1.npy", "grey.png", "deep.png", "colours.png"] {
        assert_eq!(run(&format!("--mask {mask}")), "9 0 7", "{mask}");
        assert_eq!(run(&format!("--mask {mask} --indices -a all")), "0 2 3", "{mask}");
    }
    assert_eq!(run("--mask none.npy"), "");
    let json = program.run_with("compact - --mask bool.npy --json", "9 8 0 7 6 0").ok().json();
    assert_eq!((&json["keep"], &json["kept"]), (&"mask".into(), &3.into()));
    program.file("empty.npy", npy("|b1", "(0,)", &[]));
    assert_eq!(program.run_with("compact - --mask empty.npy", "").ok().values(), "");
}

#[test]
fn random_numbers_with_a_share_that_is_kept() {
    let program = Program::new();
    let run = |settings: &str| program.run(&format!("compact random:{settings} --keep >=0")).ok().values();
    // As another implementation of the generator gives them.
    assert_eq!(run("n=12,keep=0.6"), "100 5 230 149 116 64 120 84 35 106 0 245");
    assert_eq!(run("n=3,seed=1234567"), "89 44 136", "with no share, as for a scan");
    for (share, least, most) in
        [("0", 0, 0), ("0.01", 900, 1100), ("0.6", 59500, 60500), ("1", 100_000, 100_000)]
    {
        let json = program.run(&format!("compact random:n=100000,keep={share} --json")).ok().json();
        let kept = json["kept"].as_u64().unwrap();
        assert!((least..=most).contains(&kept), "{share}: {kept}");
    }
    let fails =
        |settings: &str, says: &str| program.run(&format!("compact random:{settings}")).fails(2, &[says]);
    fails("keep=1.5", "keep cannot be '1.5'; expected a share from 0 to 1");
    fails("keep=-0.1", "keep cannot be '-0.1'");
    fails("keep=", "keep cannot be ''");
    fails("keep=some", "keep cannot be 'some'");
    fails("max=0,keep=0.5", "max=0 allows none");
    fails("kep=0.5", "did you mean keep?");
    program.run("compact random:max=0,keep=0 -q").fails(2, &["max=0"]);
}

#[test]
fn a_compaction_is_one_document() {
    let program = Program::new();
    let arguments = "compact - -a horn:scan=hybrid --keep >=3 --indices=i.txt --json";
    let run = program.run_with(arguments, "3 0 7 0 4").ok();
    let json = run.json();
    assert_eq!(json["schema"], "rasterscan.compact/1");
    assert_eq!(
        (&json["algorithm"], &json["parameters"]["scan"]),
        (&"horn".into(), &"hybrid:reduce=0".into())
    );
    assert_eq!((json["n"].as_u64(), json["kept"].as_u64()), (Some(5), Some(3)));
    assert_eq!(
        (&json["element"], &json["keep"], &json["moves"]),
        (&"u32".into(), &">=3".into(), &"both".into())
    );
    assert_eq!(json["verified"], true);
    assert!(json["unbounded"].is_null() && json["op"].is_null());
    assert!(json["time"]["ms"].as_f64().unwrap() > 0.0);
    assert!(["gpu", "wall"].contains(&json["time"]["clock"].as_str().unwrap()));
    assert!(!json["gl"]["renderer"].as_str().unwrap().is_empty());
    assert!(run.stderr.contains("3 of 5 kept, verified"), "{}", run.stderr);

    // What the plan counts.
    let spec =
        CompactSpec::new::<u32>(5).keep(rasterscan::Condition::new(rasterscan::Comparison::AtLeast, 3u32));
    let choice = Choice::parse(COMPACT, "horn:scan=hybrid").unwrap();
    let plan = choice.plan(&spec.moves(Moves::Both), &Device::gl33()).unwrap().unwrap();
    let counts = super::counts(&plan);
    assert!(counts.iter().all(|(name, count)| json[name].as_u64() == Some(*count)), "{json}\n{counts:?}");

    // The sequential reference reads 5 values and, if all are kept, writes them.
    let run = |more: &str| program.run_with(&format!("compact - {more} --json"), "3 0 7 0 4").ok().json();
    let json = run("-a sequential");
    let counted = |json: &Value| {
        ["passes", "texels_written", "words_read", "words_written", "words_moved", "vertices"]
            .map(|name| json[name].as_u64().unwrap())
    };
    assert_eq!(counted(&json), [0, 0, 5, 5, 10, 0]);
    assert_eq!((&json["keep"], &json["moves"]), (&"nonzero".into(), &"values".into()));
    assert_eq!(counted(&run("-a sequential --dtype i64 --indices=i.txt")), [0, 0, 10, 15, 25, 0]);
    assert_eq!(run("-a sequential --indices")["moves"], "indices");
    program.file("m.npy", npy("|b1", "(5,)", &[1; 5]));
    assert_eq!(counted(&run("-a sequential --mask m.npy --indices")), [0, 0, 5, 5, 10, 0]);
    assert_eq!(counted(&run("-a sequential --mask m.npy")), [0, 0, 10, 5, 15, 0]);
    assert_eq!(run("--no-verify")["verified"], false);
    let fixed = run("-a blocks:draw=quads,size=16");
    assert_eq!(fixed["parameters"]["size"], 16);
    assert_eq!(
        (&fixed["parameters"]["inner"], &fixed["parameters"]["draw"]),
        (&"hillis".into(), &"quads".into())
    );
}

#[test]
fn all_runs_every_compaction_and_checks_each() {
    let program = Program::new();
    let json = program.run("compact random:n=2000,keep=0.3 -a all --json -o a.txt").ok().json();
    assert_eq!((&json["algorithm"], &json["verified"]), (&"all".into(), &true.into()));
    let kept = json["kept"].as_u64().unwrap();
    let names = |key: &str| -> Vec<&str> {
        json[key].as_array().unwrap().iter().map(|run| run["algorithm"].as_str().unwrap()).collect()
    };
    let mut seen = [names("runs"), names("skipped")].concat();
    let mut cards: Vec<&str> = registry::of(COMPACT).map(|card| card.name).collect();
    assert!(names("runs").len() >= 7);
    seen.sort_unstable();
    cards.sort_unstable();
    assert_eq!(seen, cards);
    for run in json["runs"].as_array().unwrap() {
        assert_eq!(
            (&run["verified"], run["kept"].as_u64(), &run["n"]),
            (&true.into(), Some(kept), &2000.into())
        );
    }
    let expected = program.run("compact random:n=2000,keep=0.3").ok().stdout;
    assert_eq!(program.read("a.txt"), expected);
    assert_eq!(expected.iter().filter(|byte| **byte == b'\n').count() as u64, kept);
}
