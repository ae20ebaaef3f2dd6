//! Uploads and readbacks, direct and in pieces: of less than a piece, of some, and of more than are mapped.

use rasterscan::plan::Layout;
use rasterscan::{Device, Element, ElementType, LongBuffers, Transfers};

/// Items around the ends of pieces, which have 2^20 words.
const LENGTHS: [u64; 6] = [1, 3, (1 << 20) - 1, 1 << 20, (1 << 20) + 5, (5 << 20) + 7];

fn layouts(device: &Device, element: ElementType, arity: u32, len: u64) -> Vec<Layout> {
    let texture = Layout::fit(device, element, arity, 1, len, 1);
    let buffer = Layout::in_buffer(device, element, arity, len);
    [texture, buffer].into_iter().flatten().collect()
}

fn comes_back<T: Element>(arity: u32, of: impl Fn(u64) -> T) {
    let gpu = rasterscan_runner::gpu();
    for len in LENGTHS {
        for layout in layouts(gpu.device(), T::TYPE, arity, len) {
            let numbers: Vec<T> = (0..layout.elements()).map(&of).collect();
            for up in [Transfers::Direct, Transfers::Pieces] {
                gpu.set_transfers(up);
                let stream = gpu.upload(&layout, &numbers).unwrap();
                for down in [Transfers::Pieces, Transfers::Direct] {
                    gpu.set_transfers(down);
                    let read: Vec<T> = stream.read().unwrap();
                    let wrong = read.iter().zip(&numbers).position(|(got, expected)| got != expected);
                    assert_eq!((read.len(), wrong), (numbers.len(), None), "{layout}, {up:?}, then {down:?}");
                    let first = len / 2;
                    let read: Vec<T> = stream.read_first(first).unwrap();
                    assert!(numbers.starts_with(&read) && read.len() as u64 == first * u64::from(arity));
                }
            }
        }
    }
}

fn what_is_uploaded_comes_back() {
    comes_back(1, |i| i as u32 ^ 0x9E37_79B9);
    comes_back(3, |i| i as u32);
    comes_back(1, |i| i << 33 | i);
    comes_back(2, |i| i as f32);
    rasterscan_runner::gpu().set_transfers(Transfers::Direct);
}

/// A buffer of more than 256 MB, of either kind.
fn long_buffers_come_back() {
    let gpu = rasterscan_runner::gpu();
    let len = (1 << 26) + 5;
    let Ok(layout) = Layout::in_buffer(gpu.device(), ElementType::U32, 1, len) else {
        println!("not applicable: {} has no buffers", gpu.device().level());
        return;
    };
    let numbers: Vec<u32> = (0..len as u32).map(|i| i ^ 0x9E37_79B9).collect();
    for made in [LongBuffers::Sparse, LongBuffers::Ordinary] {
        gpu.set_long_buffers(made);
        let stream = gpu.upload(&layout, &numbers).unwrap();
        let read: Vec<u32> = stream.read().unwrap();
        assert!(read == numbers, "{made:?}");
    }
    gpu.set_long_buffers(LongBuffers::Sparse);
}

crate::tests![what_is_uploaded_comes_back, long_buffers_come_back];
