//! The heads of segments, and the last item of each. `glsl/reduce/segments/`.

pub mod buffers;
pub mod textures;

/// Items whose flags are in a word.
const BITS: i32 = 32;

/// The heads in a word of flags: the first item of the stream is one, and none is past the end.
fn heads_of(flags: u32, word: i32, len: i32) -> u32 {
    let is_head = |bit: &i32| {
        let item = word * BITS + bit;
        item < len && (item == 0 || flags >> bit & 1 != 0)
    };
    (0..BITS).filter(is_head).fold(0, |heads, bit| heads | 1 << bit)
}

/// The index of head `number`. `count` has the heads of each of these words and all before it, `flags` a word.
fn head_at<M>(
    at: &mut M,
    number: u32,
    len: i32,
    count: impl Fn(&mut M, i32) -> u32,
    flags: impl Fn(&mut M, i32) -> u32,
) -> u32 {
    let (mut low, mut high) = (0, (len + BITS - 1) / BITS - 1);
    while low < high {
        let middle = (low + high) / 2;
        if count(at, middle) <= number {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let before = if low > 0 { count(at, low - 1) } else { 0 };
    let heads = heads_of(flags(at, low), low, len);
    let rank = (number - before) as usize;
    let bit = (0..BITS).filter(|bit| heads >> bit & 1 != 0).nth(rank).unwrap_or(0);
    (low * BITS + bit) as u32
}

/// The last item of a segment from `begin` on, of `len` items; `next` is where the next segment begins, if there is one.
fn last_of(begin: u32, next: Option<u32>, len: i32) -> (Option<i32>, u32) {
    let end = next.map_or(len as u32, |next| next.min(len as u32));
    ((begin < end).then(|| end as i32 - 1), end)
}
