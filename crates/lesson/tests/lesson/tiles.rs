//! The stories of tiles: sentences and decoded states in numbers that are computed anew.

use rasterscan::tools::Numbers;
use rasterscan::tools::problem::SCAN;
use rasterscan::trace::Recording;
use rasterscan::{Gpu, ScanSpec, tools::Request};
use rasterscan_lesson::look_back::{self, Act, Moment, TileStory, Tiles};

use super::german::{hear, nothing_was_english};
use super::runs::{choice, numbers, record};

/// Eight tiles of four items.
const LEN: usize = 32;

fn recorded(gpu: &Gpu, algorithm: &str) -> Option<(Recording, Tiles)> {
    let values = Numbers::of(&numbers(LEN, 5));
    let request = Request::from(&ScanSpec::new::<u32>(LEN));
    let recording = record(gpu, &choice(SCAN, algorithm), &request, &[&values])?;
    let tiles = look_back::tiles(&recording, 1).unwrap_or_else(|| panic!("{algorithm}: no tiles"));
    assert_eq!(tiles.tiles.len(), 8, "{algorithm}");
    Some((recording, tiles))
}

/// The sums of the tiles, and of all items before each.
fn sums() -> (Vec<u32>, Vec<u32>) {
    let of: Vec<u32> = numbers(LEN, 5).chunks(4).map(|tile| tile.iter().sum()).collect();
    let before = (0..=8).map(|tile| of[..tile].iter().sum()).collect();
    (of, before)
}

fn tiles_are_told_in_the_numbers_of_the_run() {
    let gpu = rasterscan_runner::gpu();
    let (of, before) = sums();
    let (a, b) = (|tile: usize| of[tile], |tile: usize| before[tile]);
    let told = |algorithm: &str, tile: usize| {
        recorded(&gpu, algorithm).map(|(_, tiles)| tiles.sentence(tile).expect("a sentence"))
    };
    let Some(first) = told("look_back:group=1,vectors=1,turns=on", 0) else { return };
    assert_eq!(
        first,
        format!("Tile 0 is the first: it publishes its aggregate, {}, as its prefix at once.", a(0))
    );
    assert_eq!(
        told("look_back:group=1,vectors=1,turns=on", 5).unwrap(),
        format!(
            "Tile 5 publishes its aggregate {}, looks at tile 4: prefix {}, and so starts at {}. It publishes its \
             prefix, {} + {} = {}.",
            a(5),
            b(5),
            b(5),
            b(5),
            a(5),
            b(6)
        )
    );
    assert_eq!(
        told("look_back:group=1,vectors=1,withhold=prefix", 2).unwrap(),
        format!(
            "Tile 2 publishes its aggregate {}, looks at tile 1: aggregate {}, then looks at tile 0: prefix {}, and so \
             starts at {} + {} = {}. It withholds its prefix.",
            a(2),
            a(1),
            a(0),
            a(0),
            a(1),
            b(2)
        )
    );
    assert_eq!(
        told("look_back:group=1,vectors=1,withhold=all", 2).unwrap(),
        format!(
            "Tile 2 publishes nothing of its aggregate {}, finds tiles 1 to 0 empty and computes them again, \
             and so starts at {} + {} = {}.",
            a(2),
            a(0),
            a(1),
            b(2)
        )
    );
    assert_eq!(
        told("sam:group=1,vectors=1,groups=3,turns=on", 7).unwrap(),
        format!(
            "Chunk 7, of group 1, publishes its sum {} in slot 7 of the ring. The group carries {} up to chunk 4, reads \
             the sums of chunks 5 to 6, and so starts at {} + {} + {} = {}.",
            a(7),
            b(5),
            b(5),
            a(5),
            a(6),
            b(7)
        )
    );
}

fn words_of_states_are_decoded() {
    let gpu = rasterscan_runner::gpu();
    let (of, before) = sums();
    let decoded = |algorithm: &str| -> Option<Vec<String>> {
        let (recording, _) = recorded(&gpu, algorithm)?;
        let stream = recording.streams.iter().position(|stream| stream.name == "states").expect("states");
        let values = recording.before(recording.passes.len(), stream).expect("written");
        assert_eq!(look_back::decoded(&recording, recording.outputs[0], values, 0), None, "another stream");
        let words = 0..recording.layout(stream).len;
        Some(words.filter_map(|index| look_back::decoded(&recording, stream, values, index)).collect())
    };
    let Some(prefixes) = decoded("look_back:group=1,vectors=1,turns=on") else { return };
    assert_eq!(prefixes[0], "8 tickets");
    let expected: Vec<String> = (1..=8).map(|tile| format!("prefix {}", before[tile])).collect();
    assert_eq!(prefixes[1..9], expected);
    let aggregates = decoded("look_back:group=1,vectors=1,withhold=prefix").unwrap();
    assert_eq!(aggregates[2], format!("aggregate {}", of[1]));
    assert!(
        decoded("look_back:group=1,vectors=1,withhold=all").unwrap()[1..9].iter().all(|word| word == "empty")
    );
    let ring = decoded("sam:group=1,vectors=1,groups=3,turns=on").unwrap();
    assert_eq!((&ring[1], &ring[9]), (&format!("sum {}", of[0]), &"empty".to_owned()));
}

/// In the order of the moments each tile finds what the recording says that it found.
fn moments_explain_what_was_found() {
    let gpu = rasterscan_runner::gpu();
    let algorithms = [
        "look_back:group=1,vectors=1",
        "look_back:group=1,vectors=1,turns=on",
        "look_back:group=1,vectors=1,withhold=prefix",
        "look_back:group=1,vectors=1,withhold=all",
        "sam:group=1,vectors=1,groups=3",
        "sam:group=1,vectors=1,groups=3,withhold=all",
    ];
    for algorithm in algorithms {
        let Some((_, tiles)) = recorded(&gpu, algorithm) else { return };
        (0..tiles.tiles.len()).filter_map(|tile| tiles.sentence(tile)).for_each(|told| _ = hear(&told));
        let acts = |tile: &TileStory| tile.published.len() + tile.looks.len();
        assert_eq!(tiles.moments.len(), tiles.tiles.iter().map(acts).sum::<usize>(), "{algorithm}");
        for (moment, Moment { tile, act }) in tiles.moments.iter().enumerate() {
            let what = format!("{algorithm}, moment {moment}");
            let before = moment.checked_sub(1).map(|before| tiles.until(before));
            let told = tiles.sentence_at(moment).unwrap_or_else(|| panic!("{what}: no sentence"));
            hear(&told);
            let number = tiles.tiles[*tile].number;
            assert!(
                told.starts_with(&format!("Tile {number}")) || told.starts_with(&format!("Chunk {number}"))
            );
            let Act::Look(look) = act else { continue };
            let look = &tiles.tiles[*tile].looks[*look];
            let at = before.as_ref().map(|before| &before[look.tile as usize]);
            let found = at.and_then(|at| at.published.last());
            match look.fell_back {
                true => {
                    assert_eq!(found, None, "{what}: {told}");
                    assert!(told.contains("finds nothing. It waits a while, then sums"), "{told}");
                }
                false => {
                    assert_eq!(found.map(|(status, _)| *status), Some(look.status), "{what}: {told}");
                    assert_eq!(found.and_then(|(_, value)| *value), look.value, "{what}: {told}");
                }
            }
        }
        let end = tiles.until(tiles.moments.len());
        assert!(end.iter().zip(&tiles.tiles).all(|(end, tile)| end.looks == tile.looks), "{algorithm}");
    }
    let (_, tiles) = recorded(&gpu, "look_back:group=1,vectors=1,withhold=prefix").unwrap();
    let (of, _) = sums();
    assert_eq!(
        tiles.sentence_at(0).unwrap(),
        format!(
            "Tile 0 publishes {} as its prefix: nothing precedes it, so its own sum is the sum of everything up to \
             its end.",
            of[0]
        )
    );
    let looks = (0..tiles.moments.len()).filter(|moment| tiles.moments[*moment].tile == 3);
    let told: Vec<String> = looks.filter_map(|moment| tiles.sentence_at(moment)).collect();
    let found = format!("Tile 3 looks at tile 2 and finds its aggregate, {}. It goes on to tile 1.", of[2]);
    assert!(told.iter().any(|told| told.starts_with(&found)), "{told:#?}");
    nothing_was_english();
}

crate::tests![
    tiles_are_told_in_the_numbers_of_the_run,
    words_of_states_are_decoded,
    moments_explain_what_was_found,
];
