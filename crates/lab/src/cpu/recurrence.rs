//! Linear recurrences: one loop over a piece of a stream, and how a piece begins where another one ends.

use rasterscan::{Element, Recurrence};

/// A recurrence in each of `tuple` interleaved streams.
pub struct Recurrences<T> {
    forward: Vec<T>,
    feedback: Vec<T>,
    pub tuple: usize,
}

impl<T: Element> Recurrences<T> {
    pub fn new(recurrence: &Recurrence, tuple: usize) -> Recurrences<T> {
        let wrapped = |integers: &[i64]| integers.iter().map(|integer| T::wrapped(*integer)).collect();
        let (forward, feedback) = (wrapped(recurrence.forward()), wrapped(recurrence.feedback()));
        Recurrences { forward, feedback, tuple }
    }

    /// Writes the results from index `first` on. `before` are the last ones before it, as many as the first of each stream
    /// depends on, or none, which are zeros.
    pub fn run(&self, input: &[T], first: usize, before: &[T], results: &mut [T]) {
        for i in 0..results.len() {
            let mut sum = T::ZERO;
            let forward = self.forward.iter().enumerate().take((first + i) / self.tuple + 1);
            for (back, coefficient) in forward {
                sum = sum.plus(coefficient.times(input[first + i - back * self.tuple]));
            }
            let near = (i / self.tuple).min(self.feedback.len());
            for (back, coefficient) in (1..).zip(&self.feedback[..near]) {
                sum = sum.plus(coefficient.times(results[i - back * self.tuple]));
            }
            if !before.is_empty() {
                for (back, coefficient) in (near + 1..).zip(&self.feedback[near..]) {
                    sum = sum.plus(coefficient.times(before[before.len() + i - back * self.tuple]));
                }
            }
            results[i] = sum;
        }
    }
}

#[cfg(feature = "parallel")]
impl<T: Element> Recurrences<T> {
    /// The results before a piece that its own depend on.
    pub fn depth(&self) -> usize {
        self.feedback.len() * self.tuple
    }

    /// The last [`Self::depth`] results of a piece, from those before it and those that it would end with after zeros.
    /// `power` is that of as many items as each stream has in the piece.
    pub fn follow(&self, power: &[Vec<T>], before: &[T], alone: &[T]) -> Vec<T> {
        let back = |back: usize, member: usize| (self.feedback.len() - 1 - back) * self.tuple + member;
        let mut after = alone.to_vec();
        for (row, weights) in power.iter().enumerate() {
            for (column, weight) in weights.iter().enumerate() {
                for member in 0..self.tuple {
                    let place = &mut after[back(row, member)];
                    *place = place.plus(weight.times(before[back(column, member)]));
                }
            }
        }
        after
    }

    /// The companion matrix to a power: row r has the weights of y[-1], y[-2], ... in the result r places before the
    /// end of `items` more items, of which all inputs are zeros.
    pub fn power(&self, items: usize) -> Vec<Vec<T>> {
        let size = self.feedback.len();
        let unit = |row: usize| -> Vec<T> {
            (0..size).map(|column| if column == row { T::wrapped(1) } else { T::ZERO }).collect()
        };
        let times = |left: &[Vec<T>], right: &[Vec<T>]| -> Vec<Vec<T>> {
            let weight = |row: &[T], column: usize| {
                row.iter().zip(right).fold(T::ZERO, |sum, (x, other)| sum.plus(x.times(other[column])))
            };
            left.iter().map(|row| (0..size).map(|column| weight(row, column)).collect()).collect()
        };
        let mut power: Vec<Vec<T>> = (0..size).map(unit).collect();
        let mut square: Vec<Vec<T>> =
            (0..size).map(|row| row.checked_sub(1).map_or_else(|| self.feedback.clone(), unit)).collect();
        let mut left = items;
        while left > 0 {
            if left % 2 == 1 {
                power = times(&power, &square);
            }
            square = times(&square, &square);
            left /= 2;
        }
        power
    }
}
