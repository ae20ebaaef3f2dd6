//! The access patterns: the address in internal memory at which a sum is stored.
//!
//! Source: capannini2011, algorithms 1 and 2, function (1), equation 2. The fifth, `DoublePadding`, is
//! harris2007's `ZERO_BANK_CONFLICTS`, with its shifts and parentheses corrected.

use std::fmt;

use rasterscan::ScanKind;

/// The layout of a scan's sums in the banks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// hillis1986's scan as horn2005 runs it: log n steps over all elements, no tree. Work: n log n - n + 1.
    Cm,
    /// The tree in place: a sum replaces its right operand. Strides are powers of two, and conflicts grow with them.
    NoPadding,
    /// The tree in place with an unused word after every k: i → i + ⌊i / k⌋. Free of conflicts up to k² elements.
    Padding,
    /// A sum replaces its left operand or its right one, so that k neighbours always lie in k banks. Needs no extra
    /// space.
    LeftRight,
    /// Padding that is padded again: i → i + ⌊i / k⌋ + ⌊i / k²⌋. Free of conflicts up to k³ elements.
    DoublePadding,
}

impl Pattern {
    /// The patterns that capannini2011 compares, in the order of its table.
    pub const PAPER: [Pattern; 4] = [Pattern::Cm, Pattern::NoPadding, Pattern::Padding, Pattern::LeftRight];

    /// All patterns.
    pub const ALL: [Pattern; 5] =
        [Pattern::Cm, Pattern::NoPadding, Pattern::Padding, Pattern::LeftRight, Pattern::DoublePadding];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Cm => "cm",
            Pattern::NoPadding => "no_padding",
            Pattern::Padding => "padding",
            Pattern::LeftRight => "left_right",
            Pattern::DoublePadding => "double_padding",
        }
    }

    /// The name in the paper.
    pub fn label(self) -> &'static str {
        match self {
            Pattern::Cm => "CM",
            Pattern::NoPadding => "NoPadding",
            Pattern::Padding => "Padding",
            Pattern::LeftRight => "LeftRight",
            Pattern::DoublePadding => "DoublePadding",
        }
    }

    /// The kind of scan: exclusive for trees, inclusive for CM.
    pub fn kind(self) -> ScanKind {
        if self == Pattern::Cm { ScanKind::Inclusive } else { ScanKind::Exclusive }
    }

    /// The address of node `i` of level `d`, where `k` is the number of banks.
    ///
    /// Level 0 has the elements; node i of level d is the sum of the nodes 2i and 2i + 1 of level d - 1. CM has no
    /// tree: each of its levels has all elements.
    pub fn address(self, k: u64, i: u64, d: u32) -> u64 {
        let h = k.trailing_zeros();
        // The last element below the node, where algorithm 2 stores its sum.
        let last = ((i + 1) << d) - 1;
        match self {
            Pattern::Cm => i,
            Pattern::NoPadding => last,
            Pattern::Padding => last + (last >> h),
            Pattern::LeftRight => left_right(h, i, d),
            Pattern::DoublePadding => last + (last >> h) + (last >> (2 * h)),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// LEFTRIGHT_h(x, m): the address of node x of level m in a memory of 2^h banks.
///
/// A sum replaces its right operand if bit h - 1 of its number is set, else its left operand: of k
/// neighbours the first half are left-sums, the others right-sums. So each level down appends that bit, which is what a
/// rotation of the h low bits puts there: the bank is ROT^m_h(x). Neighbouring x differ in their low h bits, and
/// a rotation is a permutation of these: k neighbours are in k banks.
///
/// Equal to [`left_right_in_print`] up to level h, and in the same bank from there on.
pub fn left_right(h: u32, x: u64, m: u32) -> u64 {
    // With one bank, there is no choice.
    let right = |node: u64| if h == 0 { 0 } else { node >> (h - 1) & 1 };
    (0..m).fold(x, |node, _| 2 * node + right(node))
}

/// capannini2011's equation 2: RST_h(x · 2^m) + ROT^m_h(x).
///
/// From level h + 1 on, the base is that of the left operand for right-sums, too. So a sum is stored at neither of its
/// operands, over a value that the down-sweep needs: with more than k² elements, the scan is not in place.
pub fn left_right_in_print(h: u32, x: u64, m: u32) -> u64 {
    rst(h, x << m) + rot(h, m, x)
}

/// ROT^m_h(x): the h low bits of x, rotated to the *left* m times, with m taken modulo h; 0 for h = 0.
///
/// The paper's C code rotates to the right, and leaves the shifted-out bits above the h bits.
///
/// ```
/// use rasterscan_kmodel::rot;
/// assert_eq!(rot(3, 1, 12), 1); // 1100 → 100 → 001
/// assert_eq!(rot(3, 2, 2), 1); // 010 → 100 → 001
/// ```
pub fn rot(h: u32, m: u32, x: u64) -> u64 {
    if h == 0 {
        return 0;
    }
    let mask = (1 << h) - 1;
    let (x, m) = (x & mask, m % h);
    ((x << m) | (x >> (h - m))) & mask
}

/// RST_h(x): x with its h low bits reset.
pub fn rst(h: u32, x: u64) -> u64 {
    x >> h << h
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_in_print() {
        assert_eq!(rot(3, 1, 12), 1);
        assert_eq!(rot(3, 2, 2), 1);
        assert_eq!(rst(3, 13), 8);
    }

    /// As in section VI, on 32 bits.
    fn rot_in_print(h: u32, m: u32, x: u32) -> u32 {
        let x = x & ((1 << h) - 1);
        (x >> m) | (x << (h - m))
    }

    #[test]
    fn the_code_in_print_does_not_give_its_own_examples() {
        // 100 → 010 to the right, and 1 0000 above it.
        assert_eq!(rot_in_print(3, 1, 12), 0b10010);
        assert_eq!(rot_in_print(3, 2, 2) & 7, 0b100);
        // Masked, it rotates to the right: m times that way is h - m times the other way.
        for x in 0..16 {
            for m in 0..=4 {
                let masked = rot_in_print(4, m, x) & 15;
                assert_eq!(u64::from(masked), rot(4, 4 - m, u64::from(x)));
            }
        }
        // Then a sum replaces neither operand: node 2 of level 2, k = 16.
        let wrong = |x: u32, m: u32| ((x << m) & !15) + (rot_in_print(4, m, x) & 15);
        assert_eq!((wrong(4, 1), wrong(5, 1), wrong(2, 2)), (2, 10, 8));
    }

    #[test]
    fn rotation_is_m_single_rotations() {
        for h in 1..=6 {
            for x in 0..1 << h {
                let once = |x: u64| (x << 1 | x >> (h - 1)) & ((1 << h) - 1);
                let mut expected = x;
                for m in 0..20 {
                    assert_eq!(rot(h, m, x), expected, "h = {h}, m = {m}");
                    assert_eq!(rot(h, m, x + (5 << h)), expected, "only the low bits count");
                    expected = once(expected);
                }
            }
        }
        assert_eq!(rot(0, 3, 7), 0);
    }

    /// 32 elements in 4 banks, level 3: nodes 2 and 3 are right-sums, in the right half of their eight elements.
    #[test]
    fn equation_2_forgets_where_right_operands_are() {
        let level = |address: fn(u32, u64, u32) -> u64| [0, 1, 2, 3].map(|i| address(2, i, 3));
        assert_eq!([4, 5, 6, 7].map(|i| left_right(2, i, 2)), [16, 21, 26, 31]);
        assert_eq!(level(left_right), [0, 10, 21, 31]);
        assert_eq!(level(left_right_in_print), [0, 10, 17, 27]);
    }

    /// Figure 3: a tree of 16 elements in 4 banks.
    #[test]
    fn figure_3() {
        let level = |d: u32| (0..16 >> d).map(|i| left_right(2, i, d)).collect::<Vec<u64>>();
        assert_eq!(level(0), (0..16).collect::<Vec<u64>>());
        assert_eq!(level(1), [0, 2, 5, 7, 8, 10, 13, 15]);
        assert_eq!(level(2), [0, 5, 10, 15]);
        assert_eq!(level(3), [0, 10]);
        assert_eq!(level(4), [0]);
    }

    #[test]
    fn addresses_of_the_paddings() {
        let elements = |pattern: Pattern| [0, 3, 4, 15, 16, 17].map(|i| pattern.address(4, i, 0));
        assert_eq!(elements(Pattern::Padding), [0, 3, 5, 18, 20, 21]);
        assert_eq!(elements(Pattern::DoublePadding), [0, 3, 5, 18, 21, 22]);
        // A node has the address of its last element.
        for pattern in [Pattern::NoPadding, Pattern::Padding, Pattern::DoublePadding] {
            assert_eq!(pattern.address(4, 2, 3), pattern.address(4, 23, 0));
        }
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<&str> = Pattern::ALL.iter().flat_map(|p| [p.name(), p.label()]).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 10);
    }
}
