//! The long lists of a recording, as columns of plain numbers: a tenth of the size of a document of objects.

use serde::{Deserialize, Serialize};

use crate::trace::{Place, Reader, Reads, SharedAccess, StateAccess, StateAct};

/// All reads of a pass: for each reader the number of reads, or null if there was no such reader; then, for all of
/// them, the source and the index in it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadsColumns {
    by: Reader,
    count: Vec<Option<u32>>,
    of: Vec<u32>,
    index: Vec<u32>,
}

impl From<Reads> for ReadsColumns {
    fn from(reads: Reads) -> ReadsColumns {
        let places = || reads.iter().flat_map(|(_, places)| places);
        ReadsColumns {
            by: reads.by,
            count: (0..reads.len()).map(|reader| Some(reads.of(reader)?.len() as u32)).collect(),
            of: places().map(|place| place.of).collect(),
            index: places().map(|place| place.index).collect(),
        }
    }
}

impl TryFrom<ReadsColumns> for Reads {
    type Error = String;

    fn try_from(columns: ReadsColumns) -> Result<Reads, String> {
        let ReadsColumns { by, count, of, index } = columns;
        let total: u64 = count.iter().flatten().map(|count| u64::from(*count)).sum();
        if of.len() as u64 != total || index.len() as u64 != total {
            return Err(format!(
                "{total} reads are counted, but {} and {} are listed",
                of.len(),
                index.len()
            ));
        }
        let mut places = of.iter().zip(&index).map(|(&of, &index)| Place { of, index });
        let readers = count.into_iter().map(|count| Some(places.by_ref().take(count? as usize).collect()));
        Ok(Reads::new(by, readers.collect()))
    }
}

/// Flags as a text of 0 and 1.
pub mod written {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes each list as a text.
    pub fn serialize<S: Serializer>(all: &[Option<Vec<bool>>], serializer: S) -> Result<S::Ok, S::Error> {
        let text = |flags: &Vec<bool>| -> String {
            flags.iter().map(|flag| if *flag { '1' } else { '0' }).collect()
        };
        let texts: Vec<Option<String>> = all.iter().map(|flags| flags.as_ref().map(text)).collect();
        texts.serialize(serializer)
    }

    /// Reads texts of 0 and 1.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Option<Vec<bool>>>, D::Error> {
        let flag = |byte: u8| match byte {
            b'0' => Ok(false),
            b'1' => Ok(true),
            _ => Err(D::Error::custom("expected written flags of 0 and 1")),
        };
        let texts: Vec<Option<String>> = Vec::deserialize(deserializer)?;
        let flags = |text: String| text.bytes().map(flag).collect::<Result<Vec<bool>, _>>();
        texts.into_iter().map(|text| text.map(flags).transpose()).collect()
    }
}

/// Drawn primitives: the number of positions of each, and the bits of their coordinates.
pub mod drawn {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Columns {
        places: Vec<u32>,
        words: Vec<u32>,
    }

    /// Writes counts and bits.
    pub fn serialize<S: Serializer>(drawn: &[Vec<[f32; 2]>], serializer: S) -> Result<S::Ok, S::Error> {
        Columns {
            places: drawn.iter().map(|places| places.len() as u32).collect(),
            words: drawn.iter().flatten().flatten().map(|coordinate| coordinate.to_bits()).collect(),
        }
        .serialize(serializer)
    }

    /// Reads counts and bits.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<[f32; 2]>>, D::Error> {
        let Columns { places, words } = Columns::deserialize(deserializer)?;
        let total: u64 = places.iter().map(|count| u64::from(*count)).sum();
        if words.len() as u64 != 2 * total {
            let got = words.len();
            return Err(D::Error::custom(format!(
                "{total} positions are counted, but {got} words are listed"
            )));
        }
        let (pairs, _) = words.as_chunks::<2>();
        let mut all = pairs.iter().map(|pair| pair.map(f32::from_bits));
        Ok(places.into_iter().map(|count| all.by_ref().take(count as usize).collect()).collect())
    }
}

/// Accesses to shared memory, field by field; with as many words as the longest item has.
pub mod shared {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::SharedAccess;

    #[derive(Serialize, Deserialize)]
    struct Columns {
        invocation: Vec<u32>,
        epoch: Vec<u32>,
        number: Vec<u32>,
        array: Vec<u32>,
        address: Vec<u32>,
        /// 1 for a write, 0 for a read.
        written: Vec<u8>,
        /// Words of an access, 0 to 4.
        width: usize,
        words: Vec<u32>,
    }

    /// Writes the fields as columns.
    pub fn serialize<S: Serializer>(all: &[SharedAccess], serializer: S) -> Result<S::Ok, S::Error> {
        let column = |field: fn(&SharedAccess) -> u32| -> Vec<u32> { all.iter().map(field).collect() };
        let used =
            |access: &SharedAccess| access.words.iter().rposition(|word| *word != 0).map_or(0, |i| i + 1);
        let width = all.iter().map(used).max().unwrap_or(0);
        Columns {
            invocation: column(|access| access.invocation),
            epoch: column(|access| access.epoch),
            number: column(|access| access.number),
            array: column(|access| access.array),
            address: column(|access| access.address),
            written: all.iter().map(|access| u8::from(access.written)).collect(),
            width,
            words: all.iter().flat_map(|access| access.words.into_iter().take(width)).collect(),
        }
        .serialize(serializer)
    }

    /// Reads columns of one length.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SharedAccess>, D::Error> {
        let columns = Columns::deserialize(deserializer)?;
        let Columns { invocation, epoch, number, array, address, written, width, words } = &columns;
        let count = invocation.len();
        let even = [epoch, number, array, address].iter().all(|column| column.len() == count);
        if !even || written.len() != count || *width > 4 || words.len() != count * width {
            return Err(D::Error::custom("columns of shared memory differ in length"));
        }
        if written.iter().any(|flag| *flag > 1) {
            return Err(D::Error::custom("expected written flags of 0 and 1"));
        }
        let access = |i: usize| SharedAccess {
            invocation: invocation[i],
            epoch: epoch[i],
            number: number[i],
            array: array[i],
            address: address[i],
            written: written[i] == 1,
            words: std::array::from_fn(|k| if k < *width { words[i * width + k] } else { 0 }),
        };
        Ok((0..count).map(access).collect())
    }
}

/// Uses of states, field by field.
pub mod states {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{StateAccess, StateAct};

    #[derive(Serialize, Deserialize)]
    struct Columns {
        invocation: Vec<u32>,
        epoch: Vec<u32>,
        number: Vec<u32>,
        tile: Vec<u32>,
        source: Vec<u32>,
        index: Vec<u32>,
        /// 1 for published, 2 for combined, 3 for missing.
        act: Vec<u32>,
        low: Vec<u32>,
        high: Vec<u32>,
    }

    /// Writes the fields as columns.
    pub fn serialize<S: Serializer>(all: &[StateAccess], serializer: S) -> Result<S::Ok, S::Error> {
        let column = |field: fn(&StateAccess) -> u32| -> Vec<u32> { all.iter().map(field).collect() };
        Columns {
            invocation: column(|state| state.invocation),
            epoch: column(|state| state.epoch),
            number: column(|state| state.number),
            tile: column(|state| state.tile),
            source: column(|state| state.source),
            index: column(|state| state.index),
            act: column(|state| state.act.number()),
            low: column(|state| state.words[0]),
            high: column(|state| state.words[1]),
        }
        .serialize(serializer)
    }

    /// Reads columns.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<StateAccess>, D::Error> {
        let columns = Columns::deserialize(deserializer)?;
        let Columns { invocation, epoch, number, tile, source, index, act, low, high } = &columns;
        let count = invocation.len();
        if [epoch, number, tile, source, index, act, low, high].iter().any(|column| column.len() != count) {
            return Err(D::Error::custom("columns of states differ in length"));
        }
        let state = |i: usize| {
            Some(StateAccess {
                invocation: invocation[i],
                epoch: epoch[i],
                number: number[i],
                tile: tile[i],
                source: source[i],
                index: index[i],
                words: [low[i], high[i]],
                act: StateAct::of(act[i])?,
            })
        };
        let all: Option<Vec<StateAccess>> = (0..count).map(state).collect();
        all.ok_or_else(|| D::Error::custom("expected acts on states of 1 to 3"))
    }
}
