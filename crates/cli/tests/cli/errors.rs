//! Everything that can be wrong with a command or its input: one error, its exit code, no output.

use super::{Program, npy, npy_with_header};

#[test]
fn files_that_cannot_be_read() {
    let program = Program::new();
    std::fs::create_dir(program.path("folder.npy")).unwrap();
    std::fs::create_dir(program.path("folder")).unwrap();
    program.file("a.xyz", "1");
    program.run("scan none.npy").fails(1, &["none.npy", "No such file"]);
    program.run("scan none").fails(1, &["none", "No such file"]);
    program.run("scan folder.npy").fails(1, &["folder.npy", "is a directory"]);
    program.run("scan folder").fails(1, &["folder", "is a directory"]);
    program.run("scan a.xyz").fails(1, &["a.xyz", ".npy", "random:"]);
}

#[test]
fn npy_files_that_are_none() {
    let program = Program::new();
    let three = [0; 12];
    let whole = npy("<u4", "(3,)", &three);
    let fortran = "{'descr': '<u4', 'fortran_order': True, 'shape': (3,)}";
    let fields = "{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (3,)}";
    for (bytes, says) in [
        (b"".to_vec(), "does not begin with"),
        (b"1 2 3".to_vec(), "does not begin with"),
        (b"\x93NUM".to_vec(), "does not begin with"),
        (whole[..9].to_vec(), "within the header"),
        (whole[..40].to_vec(), "within the header"),
        (whole[..whole.len() - 1].to_vec(), "shape [3], but 11 bytes follow (truncated?)"),
        (npy("<u4", "(2,)", &three), "but 12 bytes follow"),
        (npy("<u4", "(99999999999, 99999999999)", &three), "truncated"),
        (npy("<u4", "(99999999999999999999999,)", &three), "expected a length"),
        (npy("<u4", "(-3,)", &three), "expected a length"),
        (npy("<c8", "(3,)", &three), "\"<c8\" is not supported: expected u1"),
        (npy("|b1", "(12,)", &three), "|b1"),
        (npy("|O", "(3,)", &three), "|O"),
        (npy("", "(3,)", &three), "is not supported"),
        (npy("é4", "(3,)", &three), "is not supported"),
        (npy_with_header(fortran, &three), "Fortran order"),
        (npy_with_header(fields, &three), "structured"),
        (npy_with_header("{'descr': '<u4'}", &three), "'fortran_order' is missing"),
        (npy_with_header("not a dictionary", &three), "malformed .npy header"),
        (npy_with_header(&"(".repeat(50_000), &three), "malformed .npy header"),
        (b"\x93NUMPY\x09\x00\x00\x00".to_vec(), "version 9"),
        (b"\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{".to_vec(), "within the header"),
    ] {
        program.file("a.npy", bytes).run("scan a.npy -o b.txt").fails(1, &["a.npy", says]);
    }
    assert_eq!(program.names(), ["a.npy"]);
}

#[test]
fn text_that_is_no_number() {
    let program = Program::new();
    for (text, says) in [
        ("x\n1 2\n3 four 5\n", "line 3: 'four' is not a number"),
        ("1\n2,,3\n", "line 2: a number is missing before a comma"),
        ("hello\n", "line 1: a header, and no numbers follow it"),
        ("hello\nworld\n", "line 1: 'hello' is not a number"),
        ("1 0x10", "line 1: '0x10' is not a number"),
        ("1\n99999999999999999999", "line 2: '99999999999999999999' does not fit u64"),
        ("1.0\n1e39", "line 2: '1e39' does not fit f32"),
        ("0x10\n1", "line 1: '0x10' is not a number"),
        ("1.2.3\n4", "line 1: '1.2.3' is not a number"),
        ("-x y\n4", "line 1: '-x' is not a number"),
        ("a .b\n4", "line 1: '.b' is not a number"),
    ] {
        program.file("a.csv", text).run("scan a.csv").fails(1, &["a.csv", says]);
    }
    program.file("a.txt", b"1 \xFF\xFE\x00").run("scan a.txt").fails(1, &["a.txt", "line 1"]);
    program.run_with("scan -", "1 x").fails(1, &["standard input", "line 1: 'x' is not a number"]);
}

#[test]
fn values_that_do_not_fit() {
    let program = Program::new();
    let fails = |dtype: &str, text: &str, says: &str| {
        program.run_with(&format!("scan - --dtype {dtype}"), text).fails(1, &[says]);
    };
    fails("u32", "1\n-1", "line 2: '-1' does not fit u32");
    fails("u32", "4294967296", "line 1: '4294967296' does not fit u32");
    fails("i32", "2147483648", "does not fit i32");
    fails("i64", "9223372036854775808", "does not fit i64");
    fails("u64", "1.5", "'1.5' is not an integer");
    fails("u64", "1\n9007199254740993.5", "line 2: '9007199254740993.5' is not an integer");
    fails("u64", "18446744073709551616.0", "'18446744073709551616.0' does not fit u64");
    fails("f32", "1e99", "does not fit f32");
    let data: Vec<u8> = [5i32, -7].iter().flat_map(|x| x.to_le_bytes()).collect();
    program.file("a.npy", npy("<i4", "(2,)", &data));
    let says = ["a.npy", "value 1 ", "-7, which does not fit u32"];
    program.run("scan a.npy --dtype u32").fails(1, &says);
    program.file("b.npy", npy("<f8", "(1,)", &1e300f64.to_le_bytes()));
    let says = ["b.npy", "value 0 ", "does not fit f32"];
    program.run("scan b.npy --dtype f32").fails(1, &says);
    // Even where every value would fit.
    program.file("c.npy", npy("<f8", "(1,)", &2f64.to_le_bytes()));
    for dtype in ["u32", "i32", "u64", "i64"] {
        let says = ["c.npy", "64-bit floats", "--dtype f32 narrows them", dtype];
        program.run(&format!("scan c.npy --dtype {dtype}")).fails(1, &says);
    }
    let wide = "scan random:n=9,max=18446744073709551615 --dtype i32";
    program.run(wide).fails(1, &["does not fit i32"]);
}

#[test]
fn binaries_and_images_at_fault() {
    let program = Program::new();
    program.file("a.bin", [0; 7]).file("a.png", "no image").file("empty.jpg", "");
    program.run("scan a.bin").fails(2, &["--dtype"]);
    program.run("scan a.bin --dtype u32").fails(1, &["a.bin", "7 bytes", "u32 of 4 bytes"]);
    program.run("scan a.png").fails(1, &["a.png"]);
    program.run("scan empty.jpg").fails(1, &["empty.jpg"]);
    program.run("scan random:n=4 --channels").fails(2, &["--channels is for images"]);
    program.run("scan a.png --channels --tuple 2").fails(2, &["--channels", "--tuple"]);
}

#[test]
fn requests_that_make_no_sense() {
    let program = Program::new();
    program.run("scan random:n=10 --tuple 3").fails(1, &["does not divide into tuples of 3", "10"]);
    program.run("scan random:n=3 --op affine").fails(1, &["pairs", "3 values"]);
    program.run("scan random:n=3 --dtype f32 --op and").fails(4, &["and", "integers", "f32"]);
    for arguments in ["--order 0", "--order 17", "--tuple 0", "--tuple 17", "--order x"] {
        let option = arguments.split(' ').next().unwrap();
        program.run(&format!("scan random:n=3 {arguments}")).fails(2, &[option]);
    }
}

#[test]
fn names_that_do_not_exist_come_with_the_nearest() {
    let program = Program::new();
    let fails = |arguments: &str, says: &[&str]| {
        program.run(&format!("scan random:n=3 {arguments}")).fails(2, says);
    };
    fails("-a hibrid", &["'hibrid'", "did you mean hybrid?"]);
    fails("-a nothing", &["expected one of sequential, horn"]);
    fails("-a hybrid:redcue=2", &["no parameter 'redcue'", "did you mean reduce?"]);
    fails("-a horn:reduce=2", &["horn takes none"]);
    fails("-a hybrid:reduce=99", &["reduce cannot be '99'", "0 to 30"]);
    fails("-a packed:block=3", &["block cannot be '3'", "a power of two"]);
    fails("-a packed:block=2,block=4", &["block is given twice"]);
    fails("--op sum", &["'sum'", "add, mul"]);
    fails("--op maxx", &["'max'"]);
    fails("--dtype u33", &["'u33'", "'u32'"]);
    fails("--exklusive", &["--exklusive", "--exclusive"]);
    fails("--api vulkan", &["'vulkan'", "expected gl or gles"]);
    fails("--device fast", &["'fast'", "software"]);
    fails("-q -v", &["--quiet", "--verbose"]);
    program.run("scna").fails(2, &["scna", "scan"]);
    program.run("scan").fails(2, &["<INPUT>"]);
    program.run("completions klingon").fails(2, &["klingon", "bash"]);
}

#[test]
fn random_settings_at_fault() {
    let program = Program::new();
    program.run("scan random:n=many").fails(2, &["n cannot be 'many'"]);
    program.run("scan random:sead=1").fails(2, &["did you mean seed?"]);
    program.run("scan random:n=5,keep=1.6").fails(2, &["keep cannot be '1.6'", "a share from 0 to 1"]);
    // Refused at once, whatever memory there is.
    program.run("scan random:n=1073741825").fails(4, &["1073741825", "(limit 1073741824)"]);
    program.run("scan random:n=18446744073709551615").fails(4, &["(limit 1073741824)"]);
    program.run("scan random:n=99999999999999999999").fails(2, &["n cannot be"]);
}

#[test]
fn more_than_the_device_holds() {
    let program = Program::new();
    let info = program.run("info --json").ok().json();
    let horn = &info["algorithms"][1];
    let longest = horn["longest"].as_u64().unwrap();
    if longest == 1 << 30 {
        println!("not applicable: this device holds all that any stream may have");
        return;
    }
    // Refused before the numbers are made.
    let says = format!("at most {longest}");
    program
        .run(&format!("scan random:n={} -a horn", longest + 1))
        .fails(4, &["more than this device", &says]);
}

#[test]
fn without_a_device() {
    let program = Program::new();
    for command in ["", "demo", "info", "info --json", "scan random:n=9", "scan random:n=9 -a all"] {
        let says = ["no usable OpenGL", "there is no device 99", "rasterscan info"];
        program.run(&format!("{command} --device 99")).fails(4, &says);
    }
    // What needs no device runs without one.
    let sequential = "scan - -a sequential --device 99";
    assert_eq!(program.run_with(sequential, "1 2").ok().values(), "1 3");
    let json = program.run_with(&format!("{sequential} --json"), "1 2").ok().json();
    assert!(json["gl"].is_null() && json["verified"] == true);
    program.run("completions bash --device 99").ok();
}

#[test]
fn without_a_driver() {
    let program = Program::new();
    // Leaves EGL without vendors where they are found through GLVND, as on most systems.
    let mut command = program.command("info");
    let output = command.env("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null").output().unwrap();
    if output.status.success() {
        println!("not applicable: this EGL does not look for vendors");
        return;
    }
    let ran = super::Ran::of("info", output);
    ran.fails(4, &["no usable OpenGL", "EGL", "hint: install a driver and libEGL", "apt-get"]);
    let without = |arguments: &str| {
        let mut command = program.command(arguments);
        command.env("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null").env_remove("RASTERSCAN_DEVICE");
        super::Ran::of(arguments, command.output().unwrap())
    };
    let told = "kernels in Rust run instead (--device cpu)";
    for job in [
        "scan values:3,1,7",
        "compact values:0,5 -a points",
        "reduce values:1,2 -a packed",
        "scan values:1 -a sam",
    ] {
        let ran = without(job).ok();
        assert!(ran.stderr.contains(told) && ran.stderr.contains("verified"), "{}", ran.stderr);
    }
    let json = without("scan values:3,1,7 -a horn --json").ok().json();
    assert!(json["engine"] == "kernels" && json["gl"].is_null() && json["time"].is_null(), "{json}");
    assert_eq!(
        without("trace scan values:3,1,7 -a look_back -o run.json").ok().stderr.matches(told).count(),
        1
    );
    // A device that is asked for is not replaced, nor a command that looks at drivers.
    for job in [
        "scan values:3 --device software",
        "scan values:3 --api gl",
        "compare scan --sizes 2^10",
        "selftest",
        "tune",
    ] {
        without(job).fails(4, &["no usable OpenGL"]);
    }
}

#[test]
fn kernels_without_looking_for_a_driver() {
    let program = Program::new();
    let run = |arguments: &str| program.run(&format!("{arguments} --device cpu"));
    assert_eq!(run("scan values:3,1,7,0 -a hybrid").ok().values(), "3 4 11 11");
    assert_eq!(run("compact values:0,5,0,9 -a blocks").ok().values(), "5 9");
    assert_eq!(run("reduce values:2,3 --op mul").ok().values(), "6");
    let json = run("scan random:n=5000 -a all --json").ok().json();
    assert!(json["engine"] == "kernels" && json["gl"].is_null() && json["verified"] == true, "{json}");
    let timed = json["runs"].as_array().unwrap().iter().filter(|run| !run["time"].is_null());
    assert!(timed.clone().all(|run| run["algorithm"] == "sequential"), "{json}");
    assert!(json["runs"].as_array().unwrap().len() > 10, "{json}");
    for command in ["compare scan", "selftest", "tune", "reproduce", "info"] {
        run(command).fails(2, &["--device cpu opens no driver", "expected a GL device"]);
    }
}

#[test]
fn without_the_devices_driver() {
    let program = Program::new();
    // EGL has its devices, and Mesa finds none of its drivers.
    for arguments in ["scan random:n=5 --device auto", "info"] {
        let mut command = program.command(arguments);
        let output = command.env("LIBGL_DRIVERS_PATH", "/nonexistent").output().unwrap();
        if output.status.success() {
            println!("not applicable: this driver is not found through LIBGL_DRIVERS_PATH");
            return;
        }
        let ran = super::Ran::of(arguments, output);
        assert!(!ran.stderr.contains("--device auto"), "that is what failed: {}", ran.stderr);
        ran.fails(4, &["no usable OpenGL", "hint: install a driver and libEGL", "apt-get"]);
    }
}

#[test]
fn the_environment_chooses_the_device_too() {
    let program = Program::new();
    let run = |name: &str, value: &str, more: &str| {
        let arguments = format!("scan random:n=9 {more}");
        let output = program.command(&arguments).env(name, value).output().unwrap();
        super::Ran::of(&format!("{name}={value} {arguments}"), output)
    };
    run("RASTERSCAN_DEVICE", "99", "").fails(4, &["there is no device 99"]);
    run("RASTERSCAN_DEVICE", "99", "--device auto").ok();
    run("RASTERSCAN_DEVICE", "fast", "--device auto").ok();
    run("RASTERSCAN_DEVICE", "fast", "").fails(2, &["RASTERSCAN_DEVICE", "'fast'", "software"]);
    run("RASTERSCAN_API", "vulkan", "").fails(2, &["RASTERSCAN_API", "'vulkan'", "gl or gles"]);
    let json = run("RASTERSCAN_API", "gles", "--json").ok().json();
    assert_eq!(json["gl"]["api"], "gles");
    for name in ["RASTERSCAN_DEVICE", "RASTERSCAN_API"] {
        run(name, "", "").ok();
    }
}

/// Algorithms that need such shaders say so on a level without them.
#[test]
fn without_compute_shaders() {
    let program = Program::new();
    let without = |arguments: &str| {
        let mut command = program.command(arguments);
        command
            .env("RASTERSCAN_CACHE", "off")
            .env("RASTERSCAN_DEVICE", "software")
            .env("MESA_GL_VERSION_OVERRIDE", "3.3")
            .env("MESA_EXTENSION_OVERRIDE", "-GL_ARB_compute_shader -GL_ARB_shader_storage_buffer_object");
        super::Ran::of(arguments, command.output().unwrap())
    };
    if !without("info --json").ok().json()["device"]["compute"].is_null() {
        println!("not applicable: this driver has compute shaders on every level");
        return;
    }
    let lacks = ["needs compute shaders", "this is OpenGL 3.3"];
    for algorithm in ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"] {
        without(&format!("scan random:n=9 -a {algorithm}")).fails(4, &[algorithm, lacks[0], lacks[1]]);
    }
    for algorithm in ["scatter", "select"] {
        without(&format!("compact random:n=9 -a {algorithm}")).fails(4, &[algorithm, lacks[0], lacks[1]]);
    }
    // What is automatic is something else.
    without("scan random:n=9 -a auto").ok();
}

#[test]
fn lanes_that_the_device_has_not() {
    let program = Program::new();
    let run = |arguments: &str| {
        let mut command = program.command(arguments);
        command.env("RASTERSCAN_DEVICE", "software");
        super::Ran::of(arguments, command.output().unwrap())
    };
    let info = run("info --json").ok().json();
    if info["device"]["compute"].is_null() || info["device"]["compute"]["subgroup"] != 0 {
        println!("not applicable: {info}");
        return;
    }
    for (lanes, extension) in [("subgroup", "GL_KHR_shader_subgroup"), ("warp", "GL_NV_shader_thread_group")]
    {
        for arguments in
            ["scan random:n=9 -a look_back", "scan random:n=9 -a sam", "compact random:n=9 -a select"]
        {
            run(&format!("{arguments}:lanes={lanes}")).fails(4, &[lanes, extension]);
        }
    }
    run("scan random:n=9 -a look_back:group=12").fails(2, &["group", "power of two"]);
    run("scan random:n=9 -a look_back:vectors=65").fails(2, &["vectors", "64"]);
    // The name of earlier versions is read, and told.
    let old = run("scan values:1,2,3 -a sam:rows=1").ok();
    assert!(old.stderr.contains("the parameter 'rows' is called 'vectors' now"), "{}", old.stderr);
    run("scan random:n=9 -a look_back:groups=2").fails(2, &["groups"]);
    run("scan random:n=9 -a look_back:prefixes=block,turns=on").fails(4, &["take turns", "prefixes=block"]);
    run("scan random:n=9 -a look_back:prefixes=block,group=1").fails(4, &["at least 2 invocations"]);
}

/// Too little memory: the driver reports it, and the program ends with an error, not a crash. The numbers, of 400 MB, fit
/// beside the driver; a second buffer of that size does not.
#[test]
fn more_memory_than_there_is() {
    let program = Program::new();
    program
        .run_after("ulimit -v 1400000", "scan random:n=100000000 -a look_back -o sums.bin")
        .fails(4, &["allocating a buffer", "out of memory"]);
    assert!(program.names().is_empty(), "{:?}", program.names());
}

/// Rows, segments and seeds that do not fit the data: an error of the data, which names both.
#[test]
fn rows_segments_and_seeds_must_fit_the_data() {
    let program = Program::new();
    let run = |line: &str| program.run(&format!("scan values:1,2,3,4 -a horn {line}"));
    run("--rows 5").fails(1, &["4 items", "rows of 5"]);
    run("--columns 3").fails(1, &["rows of 3"]);
    run("--offsets values:3,1").fails(1, &["offset 1 is 1", "expected 3 to 4"]);
    run("--segments values:1,0").fails(1, &["2 values", "4"]);
    run("--segments values:1,0,0,1 --order 2").fails(2, &["order above 1", "segments"]);
    run("--seed-value 1,2").fails(1, &["seed-value has 2", "expected 1"]);
    run("--rows 2 --columns 2").fails(2, &["--rows", "--columns"]);
    assert_eq!(run("--rows 2 --reverse --seed-value 10 -q").ok().text(), "13\n12\n17\n14\n");
    assert_eq!(run("--offsets values:0,3 --exclusive -q").ok().text(), "0\n1\n3\n0\n");
}
