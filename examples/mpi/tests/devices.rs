//! The benchmark of several devices, on one device twice and three times: it verifies every sum itself.

use std::process::Command;

#[test]
fn parts_on_several_devices_are_the_whole_scan() {
    let cases = [
        ("--items 2^16 --devices 0,0", "| 65536 | two-part scan, devices [0, 0] |"),
        (
            "--items 100003 --devices 0,0,0 --shares 5,4,1 --piece 2^14",
            "| 100003 | two-part scan, devices [0, 0, 0] |",
        ),
    ];
    for (arguments, row) in cases {
        let mut command = Command::new(env!("CARGO_BIN_EXE_devices"));
        let output = command.args(arguments.split(' ')).args(["--rounds", "4"]).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success() && said.contains(row), "{arguments}: {said}");
    }
    let mut unknown = Command::new(env!("CARGO_BIN_EXE_devices"));
    let output = unknown.args(["--items", "2^10", "--devices", "0,99", "--rounds", "2"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("devices: device 99: "), "{said}");
}
