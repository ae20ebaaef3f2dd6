//! Scans in tiles with lanes that drivers here lack: kernels alone, against the reference.

use rasterscan::scan::{SideStreams, sequential_with};
use rasterscan::{Device, Element, ElementType, Operator, ScanSpec, tools::Numbers};
use rasterscan_kernels::{Engine, Schedule};
use rasterscan_runner::scan::choice;

use crate::option_passes::streams;

/// A GPU with subgroups of so many lanes.
pub fn device(lanes: u32) -> Device {
    let mut device = Device::gl43();
    device.software = false;
    if let Some(compute) = &mut device.compute {
        (compute.subgroup, compute.warp) = (lanes, lanes);
    }
    device
}

/// Whether an algorithm takes a spec; then it is right.
fn is_right<T: Element>(name: &str, spec: &ScanSpec, device: &Device) -> bool {
    let plan = match choice(name).plan(spec, device) {
        Ok(Some(plan)) => plan,
        Ok(None) => return false,
        Err(error) => {
            println!("not applicable: {name}, {spec}: {error}");
            return false;
        }
    };
    let streams = streams(spec, &[3, 4, 31, 32, 64, 100, 250, 251, 500, 777], 0);
    let segments: &[u32] = streams.get(1).map_or(&[], |flags| flags.get().unwrap());
    let beside = SideStreams { segments, ..SideStreams::NONE };
    let expected = Numbers::of(&sequential_with::<T>(spec, streams[0].get().unwrap(), beside).unwrap());
    let mut schedules = vec![Schedule::InOrder];
    if !name.contains("three_phase") && !name.contains("reduce_then_scan") {
        schedules.extend(Schedule::adversarial([3]));
    }
    for schedule in schedules {
        let mut engine = Engine::new(&plan).unwrap_or_else(|error| panic!("{name}, {spec}: {error}"));
        engine.upload(&streams.iter().collect::<Vec<_>>()).unwrap();
        engine.set_schedule(schedule.clone());
        engine.run().unwrap_or_else(|error| panic!("{name}, {schedule:?}, {spec}: {error}\n{plan}"));
        let scanned = engine.get(plan.output());
        let wrong = scanned.words().iter().zip(expected.words()).position(|(got, right)| got != right);
        let lanes = device.compute.as_ref().map_or(0, |compute| compute.subgroup);
        assert!(wrong.is_none(), "{name}, {lanes} lanes, {schedule:?}, {spec}: word {wrong:?}\n{plan}");
    }
    true
}

/// Several warps of several lanes: totals along warps, flags that lanes exchange, states of warps by lanes and one by one,
/// and tuples across lanes.
fn several_warps_of_several_lanes() {
    let plain = ScanSpec::new::<u32>(840);
    let affine = plain.operator(Operator::AFFINE);
    let wide = ScanSpec::of(ElementType::I64, 330);
    let recurrence = "2,-1,3:0,5,1".parse().unwrap();
    let of_words = [
        plain.clone(),
        plain.exclusive().order(3),
        plain.tuple(3).exclusive(),
        plain.tuple(8),
        plain.tuple(5).order(2),
        affine.clone(),
        affine.exclusive().tuple(2),
        affine.tuple(6),
        plain.rows(35).exclusive(),
        plain.rows(210),
        affine.rows(3),
        plain.segmented(),
        affine.segmented().exclusive(),
        plain.recurrence(recurrence),
    ];
    let of_pairs =
        [wide.order(8).exclusive(), wide.order(2).tuple(2), wide.operator(Operator::AFFINE).segmented()];
    let ways = [
        "lanes=subgroup,group=32,vectors=1",
        "lanes=subgroup,group=32,vectors=2",
        "lanes=warp,group=64,vectors=3",
    ];
    let names = [
        "three_phase:",
        "reduce_then_scan:",
        "reduce_then_scan:exchange=once,",
        "look_back:",
        "look_back:prefixes=block,",
        "chained:",
        "sam:groups=3,",
        "sam:groups=3,exchange=once,",
    ];
    let mut right = 0;
    for lanes in [2, 4, 8, 32] {
        let device = device(lanes);
        for way in names.iter().flat_map(|name| ways.map(|way| format!("{name}{way}"))) {
            right += of_words.iter().filter(|spec| is_right::<u32>(&way, spec, &device)).count();
            right += of_pairs.iter().filter(|spec| is_right::<i64>(&way, spec, &device)).count();
        }
    }
    println!("{right} scans");
    assert!(right > 500, "{right} scans");
}

crate::tests![several_warps_of_several_lanes];
