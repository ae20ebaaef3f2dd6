//! Values on their way from source to target, at one speed whatever the distance.

use emath::Rect;

/// The speed of values, in points a second.
const SPEED: f32 = 700.0;
/// The least and the most time of a way, in seconds.
const TIMES: (f32, f32) = (0.16, 0.7);

/// A step that is seen at work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Travel {
    /// The time since it began, in seconds.
    pub age: f32,
    /// True from sources to targets, false back.
    pub forward: bool,
}

impl Travel {
    /// The time of the longest way, in seconds.
    pub const LONGEST: f32 = TIMES.1;

    /// Returns whether a way of this length has been gone.
    pub fn is_over(&self, length: f32) -> bool {
        self.age >= time(length)
    }

    /// The share of a way of this length, from 0 at the source to 1 at the target, slow at both ends.
    pub fn share(&self, length: f32) -> f32 {
        let share = (self.age / time(length)).clamp(0.0, 1.0);
        let eased = share * share * (3.0 - 2.0 * share);
        if self.forward { eased } else { 1.0 - eased }
    }

    /// The rectangle on its way from one to another.
    pub fn between(&self, from: Rect, to: Rect) -> Rect {
        let share = self.share(length(from, to));
        Rect::from_min_max(from.min + (to.min - from.min) * share, from.max + (to.max - from.max) * share)
    }
}

fn time(length: f32) -> f32 {
    (length / SPEED).clamp(TIMES.0, TIMES.1)
}

/// The length of the way from one rectangle to another.
pub(crate) fn length(from: Rect, to: Rect) -> f32 {
    from.center().distance(to.center())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_way_takes_longer_up_to_a_limit() {
        let at = |age| Travel { age, forward: true };
        let over = |length| (0..200).map(|step| step as f32 / 200.0).find(|age| at(*age).is_over(length));
        let times = [0.0, 210.0, 420.0, 9000.0].map(|length| over(length).unwrap());
        assert!(
            times[0] > 0.1 && times.is_sorted() && times[1] > times[0] && times[2] > 1.9 * times[1],
            "{times:?}"
        );
        assert_eq!(over(9000.0), over(90000.0));
        let back = Travel { age: 0.1, forward: false };
        assert_eq!(back.share(420.0), 1.0 - at(0.1).share(420.0));
    }
}
