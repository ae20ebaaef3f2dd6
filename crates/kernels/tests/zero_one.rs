//! The 0-1 principle: a network of comparisons that sorts every stream of zeros and ones sorts every stream. All streams of up to
//! 16 keys, by the kernels of the bitonic network; and by those of a split, whose single step they are.

use rasterscan::tools::Numbers;
use rasterscan::tools::problem::SORT;
use rasterscan::tools::registry::Choice;
use rasterscan::{Device, SortSpec};
use rasterscan_kernels::Engine;

#[test]
fn every_stream_of_zeros_and_ones_is_sorted() {
    for name in ["bitonic", "split", "split:scan=horn"] {
        for len in [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16] {
            let spec = SortSpec::new::<u32>(len).payloads(1).bits(0..1);
            let plan = Choice::parse(SORT, name).unwrap().plan(&spec, &Device::gl33()).unwrap().unwrap();
            let mut engine = Engine::new(&plan).unwrap();
            let places = Numbers::of(&(0..len as u32).collect::<Vec<_>>());
            for stream in 0..1u32 << len {
                let keys: Vec<u32> = (0..len).map(|index| stream >> index & 1).collect();
                engine.upload(&[&Numbers::of(&keys), &places]).unwrap();
                engine.run().unwrap();
                let ones = stream.count_ones() as usize;
                let sorted: Vec<u32> = (0..len).map(|place| u32::from(place >= len - ones)).collect();
                let of = |key: u32| (0..len as u32).filter(move |index| stream >> index & 1 == key);
                let moved: Vec<u32> = of(0).chain(of(1)).collect();
                let [got_keys, got_places] =
                    [0, 1].map(|number| engine.get(plan.outputs()[number]).get::<u32>().unwrap().to_vec());
                assert_eq!((got_keys, got_places), (sorted, moved), "{name}: {keys:?}");
            }
        }
    }
}
