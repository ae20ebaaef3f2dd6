//! The guided tour: a window with a stop at a time.

use egui::Context;

use super::ask::Ask;
use crate::trace::Recording;

/// Where the tour is.
#[derive(Debug, Clone, Default)]
pub struct Tour {
    /// Whether its window is open.
    pub open: bool,
    /// The stop, from 0.
    pub stop: usize,
}

/// What a stop wants to be shown.
#[derive(Debug, Clone)]
pub struct TourWish {
    pub ask: Box<Ask>,
    /// How many passes have been made.
    pub position: usize,
    /// Another run, side by side with it.
    pub beside: Option<Box<Ask>>,
}

/// Shows the tour's window where it is open; `recording` is the run that is shown now.
pub fn show(ctx: &Context, tour: &mut Tour, _: Option<&Recording>) -> Option<TourWish> {
    let mut open = tour.open;
    egui::Window::new("Tour").open(&mut open).show(ctx, |ui| ui.label("The tour has no stops yet."));
    tour.open = open;
    None
}
