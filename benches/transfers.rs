//! Uploads and readbacks: `cargo bench --bench transfers`.
//!
//! The median times in milliseconds of 2^20, 2^22 and 2^24 u32 in buffers and textures, direct and in pieces: to a new
//! stream, to one that is there, back to memory that is there, the first time and again, and back to new memory. The last
//! column is a copy on the CPU, by one thread.

use std::time::{Duration, Instant};

use rasterscan::plan::Layout;
use rasterscan::{ElementType, Gpu, gl::Transfers};
use rasterscan_lab::measure::Summary;

/// The median in milliseconds.
fn median(times: Vec<Duration>) -> f64 {
    Summary::of(&times).expect("times").median.as_secs_f64() * 1e3
}

fn main() {
    let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
    println!("{}", gpu.device());
    println!(
        "{:<8} {:<7} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "place", "way", "log2 n", "upload", "write", "first", "readback", "to new", "CPU copy"
    );
    for log2 in [20, 22, 24] {
        let numbers: Vec<u32> = (0..1u32 << log2).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
        let mut back = vec![0u32; numbers.len()];
        let copies = (0..9).map(|_| {
            let start = Instant::now();
            back.copy_from_slice(&numbers);
            std::hint::black_box(&back);
            start.elapsed()
        });
        let copy = median(copies.collect());
        let device = gpu.device();
        let texture = Layout::fit(device, ElementType::U32, 1, 1, 1 << log2, 1).expect("a layout");
        let buffer = Layout::in_buffer(device, ElementType::U32, 1, 1 << log2).ok();
        for (place, layout) in
            [Some(("texture", texture)), buffer.map(|layout| ("buffer", layout))].into_iter().flatten()
        {
            for way in [Transfers::Direct, Transfers::Pieces] {
                gpu.set_transfers(way);
                let [mut ups, mut firsts, mut writes, mut downs, mut fresh] = [const { Vec::new() }; 5];
                for _ in 0..9 {
                    gpu.finish().expect("a finish");
                    let time = |times: &mut Vec<Duration>, work: &mut dyn FnMut()| {
                        let start = Instant::now();
                        work();
                        gpu.finish().expect("a finish");
                        times.push(start.elapsed());
                    };
                    let mut stream = None;
                    time(&mut ups, &mut || stream = gpu.upload(&layout, &numbers).ok());
                    let stream = stream.expect("an upload");
                    for times in [&mut firsts, &mut downs] {
                        back.fill(0);
                        time(times, &mut || stream.read_into(&mut back).expect("numbers"));
                        assert!(back == numbers, "what came back differs");
                    }
                    time(&mut writes, &mut || stream.write(&numbers).expect("a write"));
                    let mut read: Vec<u32> = Vec::new();
                    time(&mut fresh, &mut || read = stream.read().expect("numbers"));
                    assert!(read == numbers, "what came back differs");
                }
                let times = [ups, writes, firsts, downs, fresh].map(median);
                print!("{place:<8} {:<7} {log2:>6}", format!("{way:?}"));
                for time in times.into_iter().chain([copy]) {
                    print!(" {time:>9.2}");
                }
                println!();
            }
        }
    }
}
