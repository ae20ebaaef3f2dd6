//! Uploads and readbacks, direct and in pieces: of less than a piece, of some, and of more than are mapped.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rasterscan::plan::Layout;
use rasterscan::{
    Device, Element, ElementType,
    gl::{LongBuffers, Transfer, TransferKind, Transfers},
};

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

/// An observer is told of each piece, or of the begin and of every 64 MB.
fn observers_see_how_far_a_transfer_is() {
    const BYTES: usize = (9 << 20) + 4;
    let gpu = rasterscan_runner::gpu();
    let seen: Rc<RefCell<Vec<Transfer>>> = Rc::default();
    let sink = seen.clone();
    gpu.on_transfer(move |transfer| sink.borrow_mut().push(transfer));
    for layout in layouts(gpu.device(), ElementType::U32, 1, BYTES as u64 / 4) {
        for transfers in [Transfers::Direct, Transfers::Pieces] {
            gpu.set_transfers(transfers);
            let stream = gpu.upload(&layout, &vec![7u32; BYTES / 4]).unwrap();
            let _: Vec<u32> = stream.read().unwrap();
            let seen = seen.take();
            for kind in [TransferKind::Upload, TransferKind::Read] {
                let seen: Vec<_> = seen.iter().filter(|transfer| transfer.kind == kind).collect();
                let (first, last) = (seen[0], seen[seen.len() - 1]);
                // A texture's last row is not counted if it is not full.
                assert!(
                    last.bytes == last.of && last.of <= BYTES && last.of > BYTES / 2,
                    "{layout}: {last:?}"
                );
                assert!(first.bytes < first.of, "{layout}, {transfers:?}: {first:?}");
                assert!(seen.windows(2).all(|pair| pair[0].bytes < pair[1].bytes), "{layout}: {seen:?}");
            }
        }
    }
    gpu.on_transfer(|_| ());
    gpu.set_transfers(Transfers::Direct);
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
    let reports: Rc<Cell<[u32; 2]>> = Rc::default();
    let counted = reports.clone();
    gpu.on_transfer(move |transfer| {
        let mut counts = counted.get();
        counts[transfer.kind as usize] += 1;
        counted.set(counts);
    });
    for made in [LongBuffers::Sparse, LongBuffers::Ordinary] {
        gpu.set_long_buffers(made);
        let stream = gpu.upload(&layout, &numbers).unwrap();
        let read: Vec<u32> = stream.read().unwrap();
        assert!(read == numbers, "{made:?}");
        // The begin, five direct steps, or more pieces; hardware without pieces reads at once.
        let [up, down] = reports.take();
        assert!(up >= 6 && down >= if gpu.device().software { 6 } else { 2 }, "{up} and {down} reports");
    }
    gpu.on_transfer(|_| ());
    gpu.set_long_buffers(LongBuffers::Sparse);
}

crate::tests![what_is_uploaded_comes_back, observers_see_how_far_a_transfer_is, long_buffers_come_back];
