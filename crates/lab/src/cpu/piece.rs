//! One loop over a piece of a stream, or over all of it.

/// Scans a piece in place; `before` is what stands before it, an item of each member, and `exclusive` the identity of an
/// exclusive scan.
pub fn scan_piece<I: Copy>(
    piece: &mut [I],
    tuple: usize,
    before: Option<&[I]>,
    exclusive: Option<I>,
    combine: &impl Fn(I, I) -> I,
) {
    for member in 0..tuple.min(piece.len()) {
        // The first of all is taken as it is, so that -0.0 stays -0.0.
        let mut sum = before.map(|before| before[member]);
        for item in piece[member..].iter_mut().step_by(tuple) {
            let next = sum.map_or(*item, |sum| combine(sum, *item));
            *item = match exclusive {
                Some(identity) => sum.unwrap_or(identity),
                None => next,
            };
            sum = Some(next);
        }
    }
}
