//! One loop over a piece of a stream, or over all of it.

/// Scans a piece in place; `before` are the sums of what precedes it, one for each member, and `exclusive` the identity
/// of an exclusive scan.
pub fn scan_piece<I: Copy>(
    piece: &mut [I],
    tuple: usize,
    before: Option<&[I]>,
    exclusive: Option<I>,
    combine: &impl Fn(I, I) -> I,
) {
    for member in 0..tuple.min(piece.len()) {
        // The very first item is taken as it is, so that -0.0 stays -0.0.
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

/// The exclusive scan as harris2007 prints it: each result is made from the one before it in memory.
pub fn harris<I: Copy>(input: &[I], output: &mut [I], identity: I, combine: &impl Fn(I, I) -> I) {
    if let Some(first) = output.first_mut() {
        *first = identity;
    }
    for j in 1..output.len().min(input.len()) {
        output[j] = combine(output[j - 1], input[j - 1]);
    }
}

/// The sums of a piece of whole tuples, one for each member; `None` if it is empty.
pub fn reduce_piece<I: Copy>(piece: &[I], tuple: usize, combine: &impl Fn(I, I) -> I) -> Option<Vec<I>> {
    if let ([first, rest @ ..], 1) = (piece, tuple) {
        return Some(vec![rest.iter().fold(*first, |sum, item| combine(sum, *item))]);
    }
    let (first, rest) = piece.split_at_checked(tuple)?;
    let mut sums = first.to_vec();
    for items in rest.chunks_exact(tuple) {
        for (sum, item) in sums.iter_mut().zip(items) {
            *sum = combine(*sum, *item);
        }
    }
    Some(sums)
}
