//! The definition of an operator: plain data, and its twin on the CPU.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Operator;
use crate::element::{Element, ElementType};
use crate::shared::{Shared, Text};

/// The definition of an operator. [`Operator::new`] turns it into an operator.
///
/// The GLSL defines `Item combine(Item left, Item right)`, where `left` is the earlier item; the order of evaluation is
/// open, so it must be associative. The identity says what an `Item` is, and follows from its words:
///
/// | elements in the identity | an `Item` is |
/// | --- | --- |
/// | 1 | an `Element` |
/// | 2 | a `struct` of `a` and `b` |
/// | more, of at most [`Definition::MOST_WORDS`] words | a `struct` of the array `e` |
/// | of [several types](Self::members) | a `struct` of members with names |
///
/// The functions of `glsl/common/element/` are available: `element_add`, `element_less` and others. An error in the text
/// is reported as `operator NAME:line`.
///
/// ```
/// use rasterscan::operator::Definition;
/// use rasterscan::{ElementType, Operator};
/// // The product of 2 x 2 matrices, row by row: earlier times later. A recurrence needs later times earlier.
/// let glsl = "
///     Item combine(Item left, Item right) {
///         Item product;
///         for (int i = 0; i < 4; i++) {
///             int row = i / 2 * 2, column = i % 2;
///             product.e[i] = element_add(
///                 element_mul(left.e[row], right.e[column]),
///                 element_mul(left.e[row + 1], right.e[column + 2]));
///         }
///         return product;
///     }";
/// let product = Definition::new("matrix2", glsl).identity(ElementType::U32, &[1, 0, 0, 1]);
/// assert_eq!(Operator::new(product)?.arity(), 4);
/// # Ok::<(), rasterscan::operator::OperatorError>(())
/// ```
#[derive(Debug)]
pub struct Definition {
    pub(super) name: Text,
    pub(super) glsl: Text,
    /// Elements in an item.
    pub(super) arity: u32,
    pub(super) commutes: bool,
    pub(super) rounding: Rounding,
    pub(super) notation: Notation,
    pub(super) meaning: Meaning,
}

/// The operator's meaning on the CPU.
#[derive(Debug)]
pub(super) enum Meaning {
    BuiltIn {
        floats: bool,
        functions: Functions,
    },
    Custom {
        identities: Vec<(ElementType, Vec<u32>)>,
        /// The members of an item, if they have names and types of their own. Then items are words of u32.
        members: Vec<Member>,
        /// Items on which the twin is tried, in words.
        samples: Vec<(ElementType, Vec<u32>)>,
        twin: Option<Twin>,
    },
    /// Items of another operator, each with a flag: whether a segment begins at it.
    Segmented(Operator),
}

/// A member of an item: its name in GLSL, its type, and its words in the identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub name: String,
    pub element: ElementType,
    words: Vec<u32>,
}

/// The rounding errors of a float result. Integers are exact with every operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rounding {
    /// None: the result is one of the inputs, or the operator excludes floats.
    Exact,
    /// Those of a sum.
    Sum,
    /// Those of a product.
    Product,
    /// Those of a composition of affine maps.
    Affine,
    /// Unknown: results on floats are not checked.
    Unknown,
}

/// The notation of combined items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notation {
    /// Infix, with a sign: `3 + 5`.
    Between(&'static str),
    /// As a call: `max(3, 5)`.
    Call,
}

/// The CPU function of a caller's operator, on words.
type Combine = dyn Fn(ElementType, &[u32], &[u32], &mut [u32]) + Send + Sync;

/// A CPU function with a readable `Debug`.
#[derive(Clone)]
pub(super) struct Twin(pub(super) Arc<Combine>);

impl fmt::Debug for Twin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a function")
    }
}

impl Definition {
    /// An operator that does not commute, without identities or a twin. Its name has lower-case letters, digits and
    /// underscores, at most [`Definition::LONGEST_NAME`] of them, and begins with a letter.
    pub fn new(name: impl Into<Text>, glsl: impl Into<Text>) -> Definition {
        Definition {
            name: name.into(),
            glsl: glsl.into(),
            arity: 0,
            commutes: false,
            rounding: Rounding::Unknown,
            notation: Notation::Call,
            meaning: Meaning::Custom {
                identities: Vec::new(),
                members: Vec::new(),
                samples: Vec::new(),
                twin: None,
            },
        }
    }

    /// The most 32-bit words in an item: those of a 4 x 4 matrix.
    pub const MOST_WORDS: u32 = 16;

    /// The longest name, in characters.
    pub const LONGEST_NAME: usize = 32;

    /// Defines the operator on an element, with this identity. A 64-bit element is two words, the lower one first.
    pub fn identity(mut self, element: ElementType, words: &[u32]) -> Definition {
        if let Meaning::Custom { identities, members, .. } = &mut self.meaning {
            if !members.is_empty() {
                (*members, *identities) = (Vec::new(), Vec::new());
            }
            identities.retain(|(known, _)| *known != element);
            identities.push((element, words.to_vec()));
            let (first, words) = &identities[0];
            self.arity = words.len() as u32 / first.words();
        }
        self
    }

    /// Defines the operator on items whose members differ in type, each with its name in GLSL, its type, and its words in the
    /// identity. An `Item` is then a `struct` of these members: `float`, `int`, `uint`, and `uvec2` for 64 bits, the lower
    /// word first. It takes the place of [`Self::identity`].
    ///
    /// Streams of such items hold u32, the words of one member after those of the other, floats as their bits: a `struct` of
    /// Rust with `repr(C)` has the same ones (`bytemuck::cast_slice`). The twin gets these words, too. If a member is a float,
    /// results are not checked.
    ///
    /// ```
    /// use rasterscan::operator::Definition;
    /// use rasterscan::{ElementType, Operator};
    /// // The largest float, and the number that came with it.
    /// let glsl = "Item combine(Item left, Item right) {
    ///     if (right.value > left.value) {
    ///         return right;
    ///     }
    ///     return left;
    /// }";
    /// let lowest = f32::NEG_INFINITY.to_bits();
    /// let best = Definition::new("best", glsl)
    ///     .members(&[("value", ElementType::F32, &[lowest]), ("name", ElementType::U32, &[0])])
    ///     .twin(|_, left, right, result| {
    ///         let [l, r] = [left[0], right[0]].map(f32::from_bits);
    ///         result.copy_from_slice(if r > l { right } else { left });
    ///     });
    /// assert_eq!(Operator::new(best)?.item_words(ElementType::U32), 2);
    /// # Ok::<(), rasterscan::operator::OperatorError>(())
    /// ```
    pub fn members(mut self, items: &[(&str, ElementType, &[u32])]) -> Definition {
        if let Meaning::Custom { identities, members, .. } = &mut self.meaning {
            let member = |&(name, element, words): &(&str, ElementType, &[u32])| Member {
                name: name.into(),
                element,
                words: words.to_vec(),
            };
            *members = items.iter().map(member).collect();
            let words: Vec<u32> = items.iter().flat_map(|(.., words)| words.iter().copied()).collect();
            self.arity = words.len() as u32;
            *identities = vec![(ElementType::U32, words)];
        }
        self
    }

    /// States whether `combine(a, b)` equals `combine(b, a)`, which some algorithms exploit.
    pub fn commutes(self, commutes: bool) -> Definition {
        Definition { commutes, ..self }
    }

    /// Adds the CPU function, for the reference. It gets the element and the words of the earlier and the later item, and writes
    /// those of the result. [`Operator::new`] tries it on items of small numbers, or on those of [`Self::sample`].
    pub fn twin(
        mut self,
        combine: impl Fn(ElementType, &[u32], &[u32], &mut [u32]) + Send + Sync + 'static,
    ) -> Definition {
        if let Meaning::Custom { twin, .. } = &mut self.meaning {
            *twin = Some(Twin(Arc::new(combine)));
        }
        self
    }

    /// Adds an item on which the twin is tried, in words, in place of small numbers: where not every number is an item, as in a
    /// table of states that is packed in a word.
    pub fn sample(mut self, element: ElementType, words: &[u32]) -> Definition {
        if let Meaning::Custom { samples, .. } = &mut self.meaning {
            samples.push((element, words.to_vec()));
        }
        self
    }

    pub(super) const fn built_in<O: BuiltIn>(name: &'static str, glsl: &'static str) -> Definition {
        Definition {
            name: Shared::Constant(name),
            glsl: Shared::Constant(glsl),
            arity: O::ARITY,
            commutes: O::COMMUTES,
            rounding: O::ROUNDING,
            notation: O::NOTATION,
            meaning: Meaning::BuiltIn { floats: O::FLOATS, functions: Functions::of::<O>() },
        }
    }

    pub(super) fn check(&self) -> Result<(), OperatorError> {
        let name = &*self.name;
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let fits = name.len() <= Definition::LONGEST_NAME && name.chars().all(letter);
        if !fits || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(OperatorError::Name(name.into()));
        }
        if Operator::named(name).is_some() {
            return Err(OperatorError::Taken(name.into()));
        }
        let Meaning::Custom { identities, members, .. } = &self.meaning else { return Ok(()) };
        for Member { name: member, element, words } in members {
            let known = members.iter().filter(|other| other.name == *member).count();
            let is_name = member.starts_with(|c: char| c.is_ascii_lowercase()) && member.chars().all(letter);
            if !is_name || known > 1 || words.len() as u32 != element.words() {
                return Err(OperatorError::Member {
                    name: name.into(),
                    member: member.clone(),
                    element: *element,
                    words: words.len(),
                });
            }
        }
        if identities.is_empty() {
            return Err(OperatorError::NoIdentity(name.into()));
        }
        for (element, words) in identities {
            let most = Definition::MOST_WORDS as usize;
            let fits = (1..=most).contains(&words.len());
            if !fits || words.len() as u32 != self.arity * element.words() {
                let words = words.len();
                return Err(OperatorError::Identity { name: name.into(), element: *element, words });
            }
        }
        Ok(())
    }
}

impl PartialEq for Definition {
    fn eq(&self, other: &Definition) -> bool {
        let identities = match (&self.meaning, &other.meaning) {
            (
                Meaning::Custom { identities, members, .. },
                Meaning::Custom { identities: others, members: of_other, .. },
            ) => identities == others && members == of_other,
            (Meaning::BuiltIn { .. }, Meaning::BuiltIn { .. }) => true,
            (Meaning::Segmented(inner), Meaning::Segmented(other)) => inner == other,
            _ => false,
        };
        identities && self.name == other.name && self.glsl == other.glsl && self.commutes == other.commutes
    }
}

impl Eq for Definition {}

impl Hash for Definition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The sequential twin of `glsl/common/operator/NAME.glsl`, and the operator's properties. Both are associative, agree
/// to the bit on integers, and leave every item unchanged that is combined with the identity, on either side.
pub trait BuiltIn {
    /// Elements in an item.
    const ARITY: u32 = 1;
    /// True if `a op b` equals `b op a`.
    const COMMUTES: bool = true;
    /// True if it is defined on floats. If not, it is never called with them.
    const FLOATS: bool = true;
    /// The rounding errors of float results.
    const ROUNDING: Rounding = Rounding::Exact;
    /// The notation of combined items.
    const NOTATION: Notation;

    /// The item that leaves every other unchanged.
    fn identity<T: Element>() -> [T; 2];
    /// The result for an earlier and a later item.
    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2];
}

/// The functions of a built-in operator on each element.
#[derive(Debug)]
pub struct Functions {
    /// On `u32`.
    pub u32: Typed<u32>,
    /// On `i32`.
    pub i32: Typed<i32>,
    /// On `f32`.
    pub f32: Typed<f32>,
    /// On `u64`.
    pub u64: Typed<u64>,
    /// On `i64`.
    pub i64: Typed<i64>,
}

/// The functions of a built-in operator on one element.
#[derive(Debug)]
pub struct Typed<T> {
    /// The identity, as an item.
    pub identity: fn() -> [T; 2],
    /// The result for an earlier and a later item.
    pub combine: fn([T; 2], [T; 2]) -> [T; 2],
    /// The loop of [`running`].
    pub running: fn(&mut [T], bool, &mut [T]),
}

/// Replaces each item by what the operator makes of all items up to it, from `sums` on: one for each of the interleaved
/// streams. `exclusive` leaves out the item itself. The new sums are those after the last item.
#[inline]
pub(super) fn running<T: Element, const N: usize>(
    combine: impl Fn([T; N], [T; N]) -> [T; N],
    arity: usize,
    sums: &mut [T],
    exclusive: bool,
    items: &mut [T],
) {
    let wide = |numbers: &[T]| {
        let mut item = [T::ZERO; N];
        item[..arity].copy_from_slice(numbers);
        item
    };
    let tuple = sums.len();
    for member in (0..tuple).step_by(arity) {
        let mut sum = wide(&sums[member..member + arity]);
        let mut at = member;
        while let Some(item) = items.get_mut(at..at + arity) {
            let next = combine(sum, wide(item));
            item.copy_from_slice(if exclusive { &sum[..arity] } else { &next[..arity] });
            sum = next;
            at += tuple;
        }
        sums[member..member + arity].copy_from_slice(&sum[..arity]);
    }
}

impl Functions {
    const fn of<O: BuiltIn>() -> Functions {
        Functions {
            u32: Typed::of::<O>(),
            i32: Typed::of::<O>(),
            f32: Typed::of::<O>(),
            u64: Typed::of::<O>(),
            i64: Typed::of::<O>(),
        }
    }

    /// The functions on one element.
    pub(super) fn on<T: Element>(&self) -> &Typed<T> {
        let typed: &dyn Any = match T::TYPE {
            ElementType::U32 => &self.u32,
            ElementType::I32 => &self.i32,
            ElementType::F32 => &self.f32,
            ElementType::U64 => &self.u64,
            ElementType::I64 => &self.i64,
        };
        typed.downcast_ref().expect("T is the Rust type of its element")
    }
}

impl<T: Element> Typed<T> {
    const fn of<O: BuiltIn>() -> Typed<T> {
        Typed {
            identity: O::identity::<T>,
            combine: O::combine::<T>,
            running: |sums, exclusive, items| {
                running(O::combine::<T>, O::ARITY as usize, sums, exclusive, items);
            },
        }
    }
}

/// A definition that does not make an operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    #[error(
        "\"{}\" is not an operator name: expected a lower-case letter, then letters, digits and underscores, {} at most",
        .0.escape_debug(),
        Definition::LONGEST_NAME
    )]
    /// A name that does not fit into file names and command lines.
    Name(String),
    /// The name of a built-in operator.
    #[error("the operator {0} is built in; choose another name")]
    Taken(String),
    /// A definition without an identity.
    #[error("the operator {0} has no identity on any element; add one with Definition::identity")]
    NoIdentity(String),
    #[error(
        "the operator {name}: its identity on {element} has {words} words; all identities must have equally many elements, and at most {} words",
        Definition::MOST_WORDS
    )]
    /// An identity of the wrong length.
    Identity {
        /// The operator's name.
        name: String,
        /// The element of the identity.
        element: ElementType,
        /// Words in the identity.
        words: usize,
    },
    /// A member of an item with another name than one in GLSL, with that of another member, or with other words than those of
    /// its type.
    #[error(
        "the operator {name}: its member \"{}\" of {element} has {words} words; expected {}, and a name of its own of lower-case letters, digits and underscores",
        .member.escape_debug(),
        .element.words()
    )]
    Member {
        /// The operator's name.
        name: String,
        /// The member's name.
        member: String,
        /// The member's type.
        element: ElementType,
        /// Its words in the identity.
        words: usize,
    },
    /// An identity that changes an item.
    #[error("the identity {identity} of '{name}' is wrong: {example}")]
    WrongIdentity {
        /// The operator's name.
        name: String,
        /// The identity.
        identity: String,
        /// The twin's result for the identity and an item.
        example: String,
    },
}
