//! Passes that a student draws: arrows from numbers to workers, each of which adds what its arrow brings to its own number.

/// Some numbers, and passes over them. A worker stands at each position. In a pass it may read one other number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    /// The numbers at the beginning.
    pub numbers: Vec<u32>,
    /// The arrows of each pass: for each position, the position that it reads besides its own.
    passes: Vec<Vec<Option<usize>>>,
}

/// A number on the way, and how often each number of the beginning is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial {
    /// The number.
    pub value: u32,
    /// How often each number of the beginning was added.
    pub counts: Vec<u32>,
}

/// A result that is not the sum up to its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// The position.
    pub position: usize,
    /// The positions whose numbers are missing.
    pub missing: Vec<usize>,
    /// The positions whose numbers are in it twice, or come after it.
    pub excess: Vec<usize>,
}

impl Sketch {
    /// Numbers without a pass.
    pub fn new(numbers: Vec<u32>) -> Sketch {
        Sketch { numbers, passes: Vec::new() }
    }

    /// The number of passes.
    pub fn passes(&self) -> usize {
        self.passes.len()
    }

    /// The arrow of a pass that ends at a position.
    pub fn arrow(&self, pass: usize, to: usize) -> Option<usize> {
        self.passes.get(pass)?.get(to).copied().flatten()
    }

    /// Draws an arrow in a pass, or takes it away if it is there. A pass after the last one begins.
    pub fn draw(&mut self, pass: usize, from: usize, to: usize) {
        let count = self.numbers.len();
        if from >= count || to >= count || from == to || pass > self.passes.len() {
            return;
        }
        if pass == self.passes.len() {
            self.passes.push(vec![None; count]);
        }
        let arrow = &mut self.passes[pass][to];
        *arrow = if *arrow == Some(from) { None } else { Some(from) };
    }

    /// Takes back the last pass.
    pub fn undo(&mut self) {
        self.passes.pop();
    }

    /// Horn's scan: each position reads the one 1, 2, 4 ... before it.
    pub fn horn(numbers: Vec<u32>) -> Sketch {
        let count = numbers.len();
        let mut sketch = Sketch::new(numbers);
        let offsets = std::iter::successors(Some(1), |offset| Some(offset * 2));
        for (pass, offset) in offsets.take_while(|offset| *offset < count).enumerate() {
            (offset..count).for_each(|to| sketch.draw(pass, to - offset, to));
        }
        sketch
    }

    /// The numbers after so many passes.
    pub fn after(&self, passes: usize) -> Vec<Partial> {
        let count = self.numbers.len();
        let first = self.numbers.iter().enumerate().map(|(at, value)| {
            let mut counts = vec![0; count];
            counts[at] = 1;
            Partial { value: *value, counts }
        });
        let mut now: Vec<Partial> = first.collect();
        for arrows in self.passes.iter().take(passes) {
            let before = now.clone();
            for (partial, from) in now.iter_mut().zip(arrows) {
                let Some(from) = from.and_then(|from| before.get(from)) else { continue };
                partial.value = partial.value.wrapping_add(from.value);
                partial.counts.iter_mut().zip(&from.counts).for_each(|(own, read)| *own += read);
            }
        }
        now
    }

    /// The results that are not the sums up to their positions.
    pub fn lacks(&self) -> Vec<Lack> {
        let of = |(position, partial): (usize, Partial)| {
            let wanted = |at: usize| u32::from(at <= position);
            let places = 0..partial.counts.len();
            let missing = places.clone().filter(|at| partial.counts[*at] < wanted(*at)).collect();
            let excess = places.filter(|at| partial.counts[*at] > wanted(*at)).collect();
            Lack { position, missing, excess }
        };
        let all = self.after(self.passes()).into_iter().enumerate().map(of);
        all.filter(|lack| !lack.missing.is_empty() || !lack.excess.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn horns_arrows_need_three_passes_for_eight_numbers() {
        let numbers = vec![3, 1, 7, 0, 4, 1, 6, 3];
        let horn = Sketch::horn(numbers.clone());
        assert_eq!((horn.passes(), horn.lacks()), (3, vec![]));
        let sums: Vec<u32> = horn.after(3).iter().map(|partial| partial.value).collect();
        assert_eq!(sums, [3, 4, 11, 11, 15, 16, 22, 25]);
        assert_eq!(Sketch::horn(numbers.clone()).after(1)[2].value, 8);
        // A loop: one arrow a pass.
        let mut one_by_one = Sketch::new(numbers);
        (1..8).for_each(|to| one_by_one.draw(to - 1, to - 1, to));
        assert_eq!((one_by_one.passes(), one_by_one.lacks()), (7, vec![]));
    }

    #[test]
    fn a_result_says_what_it_lacks_and_what_it_has_twice() {
        let mut sketch = Sketch::new(vec![1, 2, 3, 4]);
        sketch.draw(0, 0, 1);
        sketch.draw(0, 3, 2);
        sketch.draw(1, 0, 1);
        let lack = |position, missing: &[usize], excess: &[usize]| Lack {
            position,
            missing: missing.to_vec(),
            excess: excess.to_vec(),
        };
        let expected = [lack(1, &[], &[0]), lack(2, &[0, 1], &[3]), lack(3, &[0, 1, 2], &[])];
        assert_eq!(sketch.lacks(), expected);
        // Drawn again, an arrow goes away.
        sketch.draw(1, 0, 1);
        assert_eq!(sketch.lacks()[0].position, 2);
        sketch.undo();
        sketch.draw(7, 0, 1);
        assert_eq!(sketch.passes(), 1, "no pass is left out");
    }
}
