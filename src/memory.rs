//! Memory whose size depends on the input: an allocation that fails is an error, and does not end the program.

use crate::error::Error;

/// An empty list with room for `count` values. `what` names them in the error.
///
/// Errors: [`Error::Memory`].
pub fn room<T>(count: usize, what: &'static str) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    match values.try_reserve_exact(count) {
        Ok(()) => Ok(values),
        Err(_) => Err(Error::Memory { bytes: count as u64 * size_of::<T>() as u64, what }),
    }
}

/// A list of `count` copies of a value. `what` names them in the error.
///
/// Errors: [`Error::Memory`].
pub fn filled<T: Clone>(value: T, count: usize, what: &'static str) -> Result<Vec<T>, Error> {
    let mut values = room(count, what)?;
    values.resize(count, value);
    Ok(values)
}

/// A list of `count` zeros, which the system provides without writing them. `what` names them in the error.
///
/// Errors: [`Error::Memory`].
pub fn zeros<T: bytemuck::Zeroable>(count: usize, what: &'static str) -> Result<Vec<T>, Error> {
    let bytes = count as u64 * size_of::<T>() as u64;
    let zeros =
        bytemuck::allocation::try_zeroed_slice_box(count).map_err(|()| Error::Memory { bytes, what })?;
    Ok(zeros.into_vec())
}

/// A copy of a slice. `what` names it in the error.
///
/// Errors: [`Error::Memory`].
pub fn copy<T: Clone>(values: &[T], what: &'static str) -> Result<Vec<T>, Error> {
    let mut copies = room(values.len(), what)?;
    copies.extend_from_slice(values);
    Ok(copies)
}

/// The values of an iterator of known length, as a list. `what` names them in the error.
///
/// Errors: [`Error::Memory`].
pub fn collect<T>(values: impl ExactSizeIterator<Item = T>, what: &'static str) -> Result<Vec<T>, Error> {
    let mut list = room(values.len(), what)?;
    list.extend(values);
    Ok(list)
}

/// Makes room for `more` further values in a list. Repeated calls take linear time.
///
/// Errors: [`Error::Memory`], with the size of the whole list.
pub fn grow<T>(values: &mut Vec<T>, more: usize, what: &'static str) -> Result<(), Error> {
    values.try_reserve(more).map_err(|_| Error::Memory {
        bytes: (values.len() as u64).saturating_add(more as u64).saturating_mul(size_of::<T>() as u64),
        what,
    })
}

/// Adds a value to a list.
///
/// Errors: [`Error::Memory`], with the size of the whole list.
pub fn push<T>(values: &mut Vec<T>, value: T, what: &'static str) -> Result<(), Error> {
    grow(values, 1, what)?;
    values.push(value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_an_error_with_its_size() {
        match filled(0u64, 1 << 58, "a test") {
            Err(Error::Memory { bytes, what: "a test" }) => assert_eq!(bytes, 1 << 61),
            other => panic!("{other:?}"),
        }
        let text = room::<u8>(1 << 62, "the numbers of a.npy").unwrap_err().to_string();
        assert_eq!(text, "out of memory: 4611686018427387904 bytes for the numbers of a.npy");
        let mut list = vec![1u64];
        let error = grow(&mut list, 1 << 58, "a list").unwrap_err().to_string();
        assert_eq!(error, format!("out of memory: {} bytes for a list", (1u64 << 61) + 8));
        push(&mut list, 2, "a list").unwrap();
        assert_eq!(list, [1, 2]);
        assert_eq!(filled(7, 3, "a test").unwrap(), [7, 7, 7]);
        assert_eq!(zeros::<u64>(2, "a test").unwrap(), [0, 0]);
        assert!(
            matches!(zeros::<u64>(1 << 59, "a test"), Err(Error::Memory { bytes, .. }) if bytes == 1 << 62)
        );
        assert_eq!(copy(&[1, 2], "a test").unwrap(), [1, 2]);
        assert_eq!(collect([1, 2].iter().map(|x| x * 2), "a test").unwrap(), [2, 4]);
    }
}
