//! `kmodel`: its table, its histogram, its document and its figure; what it refuses.

use rasterscan_kmodel::{Model, Pattern, corrected, printed};

use super::Program;

#[test]
fn the_patterns_side_by_side() {
    let program = Program::new();
    let run = program.run("kmodel").ok();
    let row = |title: &str| {
        let line = run.text().lines().find(|line| line.starts_with(title));
        let line = line.unwrap_or_else(|| panic!("{title}\n{}", run.text()));
        line[title.len()..].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(run.text().starts_with("n = 2,048 elements on k = 16 banks\n"), "{}", run.text());
    assert_eq!(row("          "), "CM NoPadding Padding LeftRight DoublePadding");
    assert_eq!(row("T, simulated"), "1,281 639 159 131 131");
    assert_eq!(row("T, by the corrected formula"), "1,281 639 159 131 131");
    assert_eq!(row("T, by the printed formula"), "1,280.06 639 159 131 -");
    assert_eq!(row("T - l, lost to conflicts"), "0 508 28 0 0");
    assert_eq!(row("W, length"), "20,481 2,047 2,047 2,047 2,047");
    assert_eq!(row("words of internal memory"), "2,048 2,048 2,175 2,048 2,182");
    assert!(run.text().contains("  CM: W / k ignores"), "{}", run.text());
    assert!(!run.text().contains("  Padding: "), "it is right from k² elements on");
    assert!(run.stderr.contains("verified"), "{}", run.stderr);

    let small = program.run("kmodel --n 2^6 --k 2^4").ok();
    assert!(small.text().contains("  Padding: fp counts"), "{}", small.text());
    let quiet = program.run("kmodel -q --n 64 --k 16").ok();
    assert_eq!((quiet.text(), quiet.stderr.as_str()), (small.text(), ""));
    let verbose = program.run("kmodel -v").ok();
    assert!(
        verbose.stderr.contains("LeftRight: 11 steps, T of all loads and stores 1048"),
        "{}",
        verbose.stderr
    );
    assert_eq!(verbose.text(), run.text());
}

/// NoPadding of 16 elements on 4 banks, by hand.
#[test]
fn a_pattern_step_by_step() {
    let program = Program::new();
    let run = program.run("kmodel --n 16 --k 4 --pattern no_padding").ok();
    let lines: Vec<String> =
        run.text().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let bar = |length: usize| "█".repeat(length);
    assert_eq!(lines[3], format!("1 8 2 4 2 {} 2 ·█·█", bar(32)));
    assert_eq!(lines[4], format!("2 4 1 4 4 {} 1 ···█", bar(16)));
    assert_eq!(lines[5], format!("3 2 1 2 2 {} 1 ···█", bar(16)));
    assert_eq!(lines[6], format!("4 1 1 1 1 {} 1 ···█", bar(16)));
    assert_eq!(lines[8], "T = 11, of which 6 are conflicts");
    assert_eq!(lines.len(), 10, "{}", run.text());
    // One element has no step.
    let none = program.run("kmodel --n 1 --k 1 --pattern padding").ok();
    assert!(none.text().contains("T = 0, of which"), "{}", none.text());
    assert!(program.run("kmodel --n 1 --k 1").ok().text().contains("n = 1 element on k = 1 bank\n"));
}

#[test]
fn every_pattern_as_a_document() {
    let program = Program::new();
    for (n, k) in [(1, 1), (16, 16), (128, 16), (4096, 2), (1 << 14, 32)] {
        let json = program.run(&format!("kmodel --n {n} --k {k} --json")).ok().json();
        assert_eq!(json["schema"], "rasterscan.kmodel/1");
        assert_eq!((json["n"].as_u64(), json["k"].as_u64()), (Some(n), Some(k)));
        let model = Model::new(n, k).unwrap();
        let rows = json["patterns"].as_array().unwrap();
        assert_eq!(rows.len(), Pattern::ALL.len());
        for (row, pattern) in rows.iter().zip(Pattern::ALL) {
            assert_eq!((&row["pattern"], &row["label"]), (&pattern.name().into(), &pattern.label().into()));
            assert_eq!(row["verified"], true);
            assert_eq!(row["simulated"], row["corrected"], "{pattern}, {n}, {k}");
            let counts = corrected::counts(pattern, model);
            for (field, value) in [
                ("latency", counts.latency),
                ("instructions", counts.instructions),
                ("conflicts", counts.conflicts()),
                ("length", counts.length),
                ("transactions", counts.transactions),
                ("words", counts.words),
            ] {
                assert_eq!(row["simulated"][field].as_u64(), Some(value), "{field} of {pattern}, {n}, {k}");
            }
            // The last digit of what JSON says is the parser's.
            let off = row["simulated"]["efficiency"].as_f64().zip(counts.efficiency(k)).map(|(a, b)| a - b);
            assert!(off.unwrap_or(0.0).abs() < 1e-12);
            assert_eq!(row["simulated"]["efficiency"].is_null(), n == 1);
            assert_eq!(row["printed"]["latency"].as_f64(), printed::latency(pattern, model));
            assert_eq!(row["printed"]["length"].as_f64(), printed::length(pattern, model));
            assert_eq!(row["printed"]["space"].as_str(), printed::space(pattern));
            assert_eq!(row["remark"].as_str(), printed::remark(pattern, model));
            assert!(row["steps"].is_null());
        }
    }
}

#[test]
fn one_pattern_as_a_document() {
    let program = Program::new();
    let json = program.run("kmodel --n 2^8 --k 4 --pattern padding --json").ok().json();
    let rows = json["patterns"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    let steps = rows[0]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 8);
    let sum = |field: &str| steps.iter().map(|step| step[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("latency"), rows[0]["simulated"]["latency"].as_u64().unwrap());
    assert_eq!(sum("instructions"), rows[0]["simulated"]["instructions"].as_u64().unwrap());
    for (number, step) in (1..).zip(steps) {
        assert_eq!(step["step"], number);
        let banks: Vec<u64> = step["banks"].as_array().unwrap().iter().map(|b| b.as_u64().unwrap()).collect();
        assert_eq!((banks.len(), banks.iter().sum::<u64>()), (4, 256 >> number));
        assert_eq!(step["stores"], 256 >> number);
        assert!(step["degrees"].as_array().unwrap().iter().any(|d| d["degree"] == step["degree"]));
    }
    assert_eq!((&steps[1]["degree"], &steps[2]["degree"]), (&1.into(), &2.into()));
}

/// Every tag is closed in its order, every entity has its end.
fn check_xml(text: &str) {
    let mut open = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, content) = part.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '\n']).next().unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "</{name}> closes what was not open"),
            None if tag.ends_with('/') => assert!(name.len() < tag.len(), "<{tag}>"),
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        for entity in content.split('&').skip(1) {
            let name = entity.split(';').next().unwrap();
            assert!(["amp", "lt", "gt", "apos", "quot"].contains(&name), "&{entity}");
        }
        assert!(!open.is_empty() || content.trim().is_empty(), "text after the end: {content}");
    }
    assert!(open.is_empty(), "not closed: {open:?}");
}

#[test]
fn the_figure_is_well_formed_and_names_its_lines() {
    let program = Program::new();
    for k in [1, 2, 16, 1024] {
        let run = program.run(&format!("kmodel --k {k} --svg figure.svg")).ok();
        assert!(run.stderr.contains("figure.svg") && run.text().contains("LeftRight"), "{}", run.stderr);
        let svg = String::from_utf8(program.read("figure.svg")).unwrap();
        check_xml(&svg);
        assert!(svg.starts_with("<svg "), "{svg}");
        for label in ["CM", "NoPadding", "Padding", "LeftRight"] {
            assert!(svg.contains(&format!(">{label}</text>")), "{label}, k = {k}");
        }
        for axis in ["n, elements", "T, accesses one after the other"] {
            assert!(svg.contains(axis), "{axis}");
        }
        assert!(svg.contains(r##"Z" fill="#FFFFFF"/>"##), "the background is white");
        assert_eq!(svg.contains("n = k² = "), k > 1);
    }
    // With a document, stdout is the document alone.
    program.run("kmodel --json --svg figure.svg").ok().json();
    assert_eq!(program.names(), ["figure.svg"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_figure_stays() {
    let program = Program::new();
    program.file("old.svg", "old");
    std::os::unix::fs::symlink(program.path("old.svg"), program.path("link.svg")).unwrap();
    program.run("kmodel --svg link.svg").ok();
    assert!(std::fs::symlink_metadata(program.path("link.svg")).unwrap().is_symlink());
    assert!(program.read("old.svg").starts_with(b"<svg "));
    assert_eq!(program.names(), ["link.svg", "old.svg"]);
}

#[test]
fn no_device_is_needed() {
    let program = Program::new();
    let expected = program.run("kmodel").ok();
    let run = program.run("kmodel --device 99").ok();
    assert_eq!(run.text(), expected.text());
}

#[test]
fn sizes_that_make_no_sense() {
    let program = Program::new();
    for (arguments, says) in [
        ("--n 0", "'0' for '--n <N>': expected a power of two from 1 to 2^20"),
        ("--n 12", "expected a power of two"),
        ("--n 2^21", "as 1048576 or 2^20"),
        ("--n 99999999999999999999", "expected a power of two"),
        ("--n 2^99999999999", "expected a power of two"),
        ("--n many", "expected a power of two"),
        ("--k 0", "'0' for '--k <K>': expected a power of two from 1 to 2^10, such as 1024 or 2^10"),
        ("--k 24", "expected a power of two"),
        ("--k 2^11", "expected a power of two"),
        ("--n 8", "--k 16 is more than --n 8: expected at most as many banks as elements"),
        ("--n 2^4 --k 2^5", "--k 32 is more than --n 16"),
        ("--pattern left", "[possible values: cm, no_padding, padding, left_right, double_padding]"),
    ] {
        program.run(&format!("kmodel {arguments} --svg a.svg")).fails(2, &[says]);
    }
    assert!(program.names().is_empty(), "{:?}", program.names());
}

#[test]
fn figures_that_cannot_be_written() {
    let program = Program::new();
    std::fs::create_dir(program.path("folder.svg")).unwrap();
    program.run("kmodel --svg a.png").fails(1, &["cannot write a.png: expected a name that ends in .svg"]);
    program.run("kmodel --svg none/a.svg").fails(1, &["cannot write none/a.svg", "no directory none"]);
    program.run("kmodel --svg folder.svg").fails(1, &["cannot write folder.svg", "it is a directory"]);
    program.file("kept.svg", "kept");
    let mut permissions = std::fs::metadata(program.path("kept.svg")).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(program.path("kept.svg"), permissions).unwrap();
    program.run("kmodel --svg kept.svg").fails(1, &["it is read-only"]);
    assert_eq!(program.read("kept.svg"), b"kept");
    assert_eq!(program.names(), ["folder.svg", "kept.svg"]);
}

#[test]
fn help_completions_and_the_manual_know_it() {
    let program = Program::new();
    let help = program.run("kmodel --help").ok();
    for part in ["--n <N>", "--k <K>", "--pattern <PATTERN>", "--svg <FILE>", "Counts:", "double_padding"] {
        assert!(help.text().contains(part), "{part}\n{}", help.text());
    }
    assert!(program.run("--help").ok().text().contains("kmodel"));
    let manual = program.run("man").ok();
    assert!(manual.text().contains(".SH KMODEL") && manual.text().contains("no_padding"));
    assert!(program.run("completions bash").ok().text().contains("double_padding"));
}
