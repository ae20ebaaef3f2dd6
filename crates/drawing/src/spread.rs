//! Labels pushed apart: each as near as possible to its wanted position, without overlaps.

/// The middles of labels, from their wanted middles and their heights, between `top` and `bottom`. Labels that would
/// overlap become a stack around the mean of their wanted positions.
pub fn spread(labels: &[(f64, f64)], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|a, b| labels[*a].0.total_cmp(&labels[*b].0));

    // The top that each label wants for a stack of all labels. Where it grows, there is room between labels; where it
    // falls, they share the mean.
    let mut above = 0.0;
    let mut stacks: Vec<(f64, usize)> = Vec::new();
    for &i in &order {
        let (wanted, height) = labels[i];
        let mut stack = (wanted - above - height / 2.0, 1);
        above += height;
        while let Some((before, count)) = stacks.pop_if(|(before, _)| *before > stack.0) {
            let sum = before * count as f64 + stack.0 * stack.1 as f64;
            stack = (sum / (count + stack.1) as f64, count + stack.1);
        }
        stacks.push(stack);
    }

    let lowest = bottom - above;
    let starts =
        stacks.into_iter().flat_map(|(start, count)| std::iter::repeat_n(start.min(lowest).max(top), count));
    let mut middles = vec![0.0; labels.len()];
    let mut above = 0.0;
    for (&i, start) in order.iter().zip(starts) {
        middles[i] = start + above + labels[i].1 / 2.0;
        above += labels[i].1;
    }
    middles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_have_room_stay() {
        assert_eq!(spread(&[(80.0, 10.0), (20.0, 10.0), (50.0, 10.0)], 0.0, 100.0), [80.0, 20.0, 50.0]);
    }

    #[test]
    fn labels_at_one_height_are_a_stack_around_it() {
        assert_eq!(spread(&[(50.0, 10.0); 3], 0.0, 100.0), [40.0, 50.0, 60.0]);
        // And at an end, inside.
        assert_eq!(spread(&[(0.0, 10.0); 3], 0.0, 100.0), [5.0, 15.0, 25.0]);
        assert_eq!(spread(&[(100.0, 10.0); 2], 0.0, 100.0), [85.0, 95.0]);
    }
}
