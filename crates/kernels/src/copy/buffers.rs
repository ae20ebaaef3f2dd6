//! Items that are moved in buffers, an invocation for each result. `glsl/copy/*.comp`.

use crate::{Binding, Error, GroupKernel, Invocation, Item, MOST_WORDS, Terms};

/// A copy, four words at a time. Its shader does not record what it writes.
pub fn buffer(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (source, target) = (terms.binding("SOURCE")?, terms.binding("TARGET")?);
    let (rows, load) = (terms.define("ROWS")? as usize, terms.define("LOAD")? as usize);
    let vectors = terms.int("u_vectors")? as usize;
    Ok(Box::new(move |group| {
        let size = group.size;
        let first = group.index as usize * size * rows;
        group.each(|at| {
            let first = first + at.number;
            for place in (first..vectors).step_by(size).take(rows) {
                let loaded = at.read(source, place, load);
                for (word, value) in (place * load..).zip(&loaded.words()[..load]) {
                    at.exchange(target, word, |_| *value);
                }
            }
        });
    }))
}

/// The sum of two counts.
pub fn count(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let [count, base, target] = bindings(terms, ["COUNT", "BASE", "TARGET"])?;
    Ok(Box::new(move |group| {
        group.each(|at| {
            if at.id == 0 {
                let sum = word(at, count, 0).wrapping_add(word(at, base, 0));
                at.write(target, 0, &Item::of(&[sum]), 1);
            }
        });
    }))
}

/// The first items of a stream, as many as the count says, then those of a second one.
pub fn join(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let [first, second, target] = bindings(terms, ["STREAM", "SECOND", "TARGET"])?;
    let (results, words) = (Results::new(terms)?, terms.define("WORDS")? as usize);
    Ok(Box::new(move |group| {
        group.each(|at| {
            let (place, count) = (at.id, results.of(at));
            if place < count {
                move_item(at, first, place, target, place, words);
            } else if place < results.room {
                move_item(at, second, place - count, target, place, words);
            }
        });
    }))
}

/// Items of a stream by their indices. One beyond the end takes the last item.
pub fn gather(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let [stream, indices, target] = bindings(terms, ["STREAM", "INDICES", "TARGET"])?;
    let (results, words) = (Results::new(terms)?, terms.define("WORDS")? as usize);
    let last = terms.int("u_items")? as u32 - 1;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let place = at.id;
            if place < results.of(at) {
                let index = word(at, indices, place).min(last) as usize;
                move_item(at, stream, index, target, place, words);
            }
        });
    }))
}

/// Items of a stream to their indices. One past the end of the target is left out.
pub fn scatter(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let [stream, indices, target] = bindings(terms, ["STREAM", "INDICES", "TARGET"])?;
    let (results, words) = (Results::new(terms)?, terms.define("WORDS")? as usize);
    let room = terms.int("u_room")? as usize;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let item = at.id;
            if item < results.of(at) {
                let index = word(at, indices, item) as usize;
                if index < room {
                    move_item(at, stream, item, target, index, words);
                }
            }
        });
    }))
}

/// Zeros.
pub fn zero(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (target, words) = (terms.binding("TARGET")?, terms.int("u_words")? as usize);
    Ok(Box::new(move |group| {
        group.each(|at| {
            if at.id < words {
                at.write(target, at.id, &Item::of(&[0]), 1);
            }
        });
    }))
}

/// The first items of a stream into another one, from its item `base` on. The rest of it stays as it was.
pub fn write_at(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let [stream, base, target] = bindings(terms, ["STREAM", "BASE", "TARGET"])?;
    let (results, words) = (Results::new(terms)?, terms.define("WORDS")? as usize);
    let room = terms.int("u_room")? as usize;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let item = at.id;
            if item >= results.of(at) {
                return;
            }
            let base = (word(at, base, 0) as usize).min(room);
            if item < room - base {
                move_item(at, stream, item, target, base + item, words);
            }
        });
    }))
}

/// Each item as a function of the caller's maps it.
pub fn map(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let target = terms.binding("TARGET")?;
    let streams: Vec<Binding> = ["STREAM_0", "STREAM_1", "STREAM_2", "STREAM_3"]
        .iter()
        .map_while(|name| terms.binding(name).ok())
        .collect();
    let (map, to) = (terms.map()?, terms.define("TO")? as usize);
    Ok(Box::new(move |group| {
        group.each(|at| {
            if at.id < target.len {
                let index = at.id;
                let mut read = |stream: usize, index: i64| {
                    let binding = *streams.get(stream)?;
                    let index = usize::try_from(index).ok().filter(|index| *index < binding.len)?;
                    Some(
                        at.read_item(binding, index, binding.item_words).words()[..binding.item_words]
                            .to_vec(),
                    )
                };
                let from = read(0, index as i64).unwrap_or_default();
                let mut mapped = [0; MOST_WORDS];
                map.apply(&from, &mut read, index as u32, &mut mapped[..to]);
                at.write_item(target, index, &Item::of(&mapped), to);
            }
        });
    }))
}

/// Integers of BITS bits, several to a word, the first one in the lowest bits.
pub fn unpack(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let [words, target] = bindings(terms, ["WORDS", "TARGET"])?;
    let (bits, len) = (terms.define("BITS")? as usize, terms.int("u_len")? as usize);
    Ok(Box::new(move |group| {
        group.each(|at| {
            let item = at.id;
            if item < len {
                let word = word(at, words, item / (32 / bits));
                let number = super::unpacked(word, item, bits);
                at.write(target, item, &Item::of(&[number]), 1);
            }
        });
    }))
}

/// The results that are written.
struct Results {
    count: Option<Binding>,
    /// Those that there is room for.
    room: usize,
}

impl Results {
    fn new(terms: &Terms<'_>) -> Result<Results, Error> {
        let count = terms.is_on("COUNTED_RESULTS").then(|| terms.binding("COUNT")).transpose()?;
        Ok(Results { count, room: terms.int("u_len")? as usize })
    }

    fn of(&self, at: &mut Invocation<'_>) -> usize {
        self.count.map_or(self.room, |count| self.room.min(word(at, count, 0) as usize))
    }
}

fn bindings<const N: usize>(terms: &Terms<'_>, names: [&str; N]) -> Result<[Binding; N], Error> {
    let found = names.iter().map(|name| terms.binding(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(std::array::from_fn(|number| found[number]))
}

fn word(at: &mut Invocation<'_>, binding: Binding, place: usize) -> u32 {
    at.read(binding, place, 1).words()[0]
}

fn move_item(at: &mut Invocation<'_>, from: Binding, index: usize, to: Binding, place: usize, words: usize) {
    let item = at.read_item(from, index, words);
    at.write_item(to, place, &item, words);
}
