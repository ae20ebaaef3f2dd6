//! Sorts. Whole keys that alone are moved go through an unstable sort: equal ones are alike. Otherwise each key becomes a
//! pair of its rank and its index, no two of which are equal; or the keys are counted.

use std::cmp::Ordering;

use rasterscan::{Element, SortSpec};

use super::room::{Cpu, Keys, Room};

/// Sorts `input` into `room`.
pub fn sort<T: Element>(cpu: Cpu, spec: &SortSpec, input: &[T], room: &mut Room<T>) {
    if cpu == Cpu::Counting {
        return count(spec, input, room);
    }
    room.values.clear();
    room.indices.clear();
    if spec.is_of_whole_keys() {
        room.values.extend_from_slice(input);
        match spec.descending {
            false => sort_by(cpu, &mut room.values, T::total_order),
            true => sort_by(cpu, &mut room.values, |one: &T, other: &T| other.total_order(one)),
        }
    } else if spec.bits[1] - spec.bits[0] <= 32 {
        let mut words = std::mem::take(&mut room.keys.words);
        let word = |(index, key): (usize, &T)| spec.rank(*key) << 32 | index as u64;
        sort_pairs(cpu, spec, input, &mut words, word, |word| *word as u32, room);
        room.keys.words = words;
    } else {
        let mut pairs = std::mem::take(&mut room.keys.pairs);
        let pair = |(index, key): (usize, &T)| (spec.rank(*key), index as u32);
        sort_pairs(cpu, spec, input, &mut pairs, pair, |(_, index)| *index, room);
        room.keys.pairs = pairs;
    }
}

fn sort_by<T: Send>(cpu: Cpu, values: &mut [T], order: impl Fn(&T, &T) -> Ordering + Sync) {
    match cpu {
        Cpu::Sequential | Cpu::Harris | Cpu::Counting => values.sort_unstable_by(order),
        #[cfg(feature = "parallel")]
        Cpu::Parallel => super::parallel::sort(values, order),
    }
}

/// Sorts pairs of a rank and an index, and moves what is asked for.
fn sort_pairs<T: Element, P: Ord + Send + Sync>(
    cpu: Cpu,
    spec: &SortSpec,
    input: &[T],
    pairs: &mut Vec<P>,
    pair: impl Fn((usize, &T)) -> P + Sync,
    index: impl Fn(&P) -> u32 + Sync,
    room: &mut Room<T>,
) {
    let row = spec.row.map_or(input.len(), |width| width as usize).max(1);
    let value = |pair: &P| input[index(pair) as usize];
    let Room { values, indices, .. } = room;
    let [moves_values, moves_indices] = [spec.moves.values(), spec.moves.indices()];
    match cpu {
        Cpu::Sequential | Cpu::Harris | Cpu::Counting => {
            pairs.clear();
            pairs.extend(input.iter().enumerate().map(pair));
            pairs.chunks_mut(row).for_each(|row| row.sort_unstable());
            if moves_values {
                values.extend(pairs.iter().map(value));
            }
            if moves_indices {
                indices.extend(pairs.iter().map(&index));
            }
        }
        #[cfg(feature = "parallel")]
        Cpu::Parallel => {
            super::parallel::sort_pairs(input, row, pairs, &pair);
            if moves_values {
                super::parallel::of_pairs(pairs, value, values);
            }
            if moves_indices {
                super::parallel::of_pairs(pairs, &index, indices);
            }
        }
    }
}

/// The counting sort of viewers: a histogram of the ranks, its prefix sum, and one scatter, in which each key takes the next
/// place of its rank.
fn count<T: Element>(spec: &SortSpec, input: &[T], room: &mut Room<T>) {
    let Room { values, indices, keys: Keys { ranks, places, .. }, .. } = room;
    let highest = u16::MAX >> (16 - (spec.bits[1] - spec.bits[0]));
    ranks.clear();
    ranks.extend(input.iter().map(|key| spec.rank(*key) as u16 & highest));
    places.clear();
    places.resize(usize::from(highest) + 1, 0);
    for rank in &*ranks {
        places[usize::from(*rank)] += 1;
    }
    let mut sum = 0;
    for place in &mut *places {
        sum += std::mem::replace(place, sum);
    }
    let [moves_values, moves_indices] = [spec.moves.values(), spec.moves.indices()];
    values.resize(if moves_values { input.len() } else { 0 }, T::ZERO);
    indices.resize(if moves_indices { input.len() } else { 0 }, 0);
    for (index, rank) in ranks.iter().enumerate() {
        let next = &mut places[usize::from(*rank)];
        let place = *next as usize;
        *next += 1;
        if moves_values {
            values[place] = input[index];
        }
        if moves_indices {
            indices[place] = index as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use rasterscan::{ElementType, Moves, sort};

    use super::super::{check, run, tests::ALL};
    use super::*;

    /// Sorts keys in each way that the CPU has; returns how many those are.
    fn sorts<T: Element>(spec: SortSpec, keys: &[T]) -> usize {
        let order = sort::sequential(&spec, keys).unwrap();
        let request = (&spec).into();
        let able = ALL.iter().chain([&Cpu::Counting]).filter(|cpu| check(**cpu, &request).is_ok());
        able.map(|cpu| {
            let mut room = Room::default();
            // The second run is of the same memory.
            for _ in 0..2 {
                run(*cpu, &request, keys, &mut room);
                let results = room.results(&request);
                if spec.moves.values() {
                    let values = results.get("values").unwrap().get().unwrap();
                    let sorted = sort::verify(&order, keys, values, "value");
                    sorted.unwrap_or_else(|wrong| panic!("{cpu:?}: {spec}: {wrong}"));
                }
                if spec.moves.indices() {
                    assert!(room.indices == order, "{cpu:?}: {spec}");
                }
                assert_eq!(
                    results.streams().count(),
                    spec.moves.values() as usize + spec.moves.indices() as usize
                );
            }
        })
        .count()
    }

    fn sorts_in_all_ways<T: Element>(keys: &[T]) {
        let all = 32 * T::TYPE.words();
        for bits in [0..all, all - 16..all, 3..7, 1..all, 5..6] {
            let counted = bits.len() <= 16;
            for moves in Moves::ALL {
                let spec = SortSpec::new::<T>(keys.len()).bits(bits.clone()).moves(moves);
                for spec in [spec, spec.descending()] {
                    assert_eq!(sorts(spec, keys), ALL.len() + usize::from(counted), "{spec}");
                    let rows = spec.rows(keys.len().div_ceil(8).max(1) as u64);
                    assert_eq!(sorts(rows, keys), ALL.len(), "{rows}");
                }
            }
        }
    }

    #[test]
    fn sorts_are_the_references() {
        for len in [0, 1, 8, 1000, 40_000] {
            let words: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(0x9E37_79B9) >> 7).collect();
            sorts_in_all_ways(&words);
            sorts_in_all_ways(&words.iter().map(|word| *word as i32 - (1 << 20)).collect::<Vec<_>>());
            // NaN and infinities of both signs are among them.
            let odd = |word: &u32| match word % 3 {
                0 => f32::from_bits(word << 30 | 0x7F80_0000 | word & 1),
                _ => f32::from_bits(*word << 7),
            };
            sorts_in_all_ways(&words.iter().map(odd).collect::<Vec<_>>());
            sorts_in_all_ways(
                &words.iter().map(|word| i64::from(*word) << 20 ^ i64::MIN).collect::<Vec<_>>(),
            );
            sorts_in_all_ways(&words.iter().map(|word| u64::from(*word) << 20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_no_loop_sorts_is_refused() {
        let spec = SortSpec::of(ElementType::U32, 8);
        let counting =
            |spec: SortSpec| check(Cpu::Counting, &(&spec).into()).map_err(|reason| reason.to_string());
        assert_eq!(counting(spec.bits(3..19)), Ok(()));
        assert!(counting(spec.bits(3..20)).unwrap_err().contains("16 bits"));
        for other in [spec.payloads(1), spec.segmented(), spec.with_gpu_length()] {
            let bits = other.bits(0..8);
            assert!(ALL.iter().all(|cpu| check(*cpu, &(&other).into()).is_err()), "{other}");
            assert!(counting(bits).unwrap_err().contains("without payloads"), "{bits}");
        }
        let scan = rasterscan::ScanSpec::new::<u32>(8);
        assert!(check(Cpu::Counting, &(&scan).into()).is_err());
    }
}
