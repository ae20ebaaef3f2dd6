//! Values that are constants of the program or made at run time, and cheap to clone either way.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A constant, or a reference-counted value. Compared by content.
pub enum Shared<T: ?Sized + 'static> {
    /// A value that lives as long as the program.
    Constant(&'static T),
    /// A value that is freed with its last clone.
    Counted(Arc<T>),
}

/// Text: a constant, a `String`, or an `Arc<str>`.
pub type Text = Shared<str>;

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        match self {
            Shared::Constant(value) => Shared::Constant(value),
            Shared::Counted(value) => Shared::Counted(Arc::clone(value)),
        }
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Shared::Constant(value) => value,
            Shared::Counted(value) => value,
        }
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq::<T>(&**self, &**other) || **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Shared<T> {}

impl<T: ?Sized + Hash> Hash for Shared<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Text {
        Shared::Constant(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Shared::Counted(text.into())
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Text {
        Shared::Counted(text)
    }
}
