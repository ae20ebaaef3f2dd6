//! Parameters whose values are words.

/// Names the variants of an enum in one place: `ALL`, in the order of the program's help, `WORDS`, the domain of a
/// parameter, and `name()`. A parameter may accept one more word that is no variant, such as `auto`; it comes first in
/// `WORDS`:
///
/// ```ignore
/// named!(Draw, or "auto" { Lines: "lines", Quads: "quads" });
/// ```
macro_rules! named {
    ($of:ident $(, or $other:literal)? { $($variant:ident: $word:literal),+ $(,)? }) => {
        impl $of {
            /// All of them, in the order of the program's help.
            pub const ALL: [$of; [$($word),+].len()] = [$($of::$variant),+];

            /// The words of a parameter.
            pub(crate) const WORDS: &[&'static str] = &[$($other,)? $($word),+];

            /// The word on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $($of::$variant => $word),+
                }
            }
        }
    };
}

pub(crate) use named;
