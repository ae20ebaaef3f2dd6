//! The panels that fit into the window, and the size in points at which a window counts as small.

/// Below this width, in points, one panel is shown at a time.
pub const NARROW: f32 = 620.0;
/// From this width on, in points, all panels fit.
pub const WIDE: f32 = 1000.0;
/// The share of a narrow window that the tour takes.
pub const SHEET: f32 = 0.42;
/// The share of a narrow window that the editor takes.
pub const EDITOR: f32 = 0.55;
/// The least size of a window, in points.
const LEAST: egui::Vec2 = egui::vec2(320.0, 240.0);
/// The size of a window, in points, from which on points grow with it, and the most that they grow.
const ROOMY: egui::Vec2 = egui::vec2(1480.0, 860.0);
const MOST: f32 = 1.5;

/// A panel beside the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SidePanel {
    /// The controls, on the left.
    Controls,
    /// The explanations, on the right.
    Side,
}

/// The open panels. A window without room for all of them hides some, and shows them again when it has room.
#[derive(Debug, Clone, Copy)]
pub struct Panels {
    /// True if the controls are shown where all panels fit.
    controls: bool,
    /// True if the explanations are shown where all panels fit.
    side: bool,
    /// The panel shown where one fits beside the picture.
    one: Option<SidePanel>,
    /// The panel shown where one hides the picture.
    over: Option<SidePanel>,
    /// True if two runs stand side by side in a lesson: less wide windows then show no explanations unless they are asked for.
    pub crowded: bool,
    /// True if they are asked for.
    side_too: bool,
    /// True if points are smaller or larger than the monitor's scale makes them.
    scaled: bool,
}

impl Default for Panels {
    fn default() -> Panels {
        Panels {
            controls: true,
            side: true,
            one: Some(SidePanel::Controls),
            over: None,
            crowded: false,
            side_too: false,
            scaled: false,
        }
    }
}

impl Panels {
    /// Returns true if a panel is shown in a window of this width, in points.
    pub fn shows(&self, panel: SidePanel, width: f32) -> bool {
        if width < NARROW {
            return self.over == Some(panel);
        }
        match panel {
            _ if width < WIDE => self.one == Some(panel),
            SidePanel::Controls => self.controls,
            SidePanel::Side if self.crowds(width) => self.side_too,
            SidePanel::Side => self.side,
        }
    }

    /// Returns true if the explanations would leave two runs too little room.
    fn crowds(&self, width: f32) -> bool {
        self.crowded && (WIDE..ROOMY.x).contains(&width)
    }

    /// Opens the explanations, or what takes their place, in a window of any width.
    pub fn open_side(&mut self) {
        (self.side, self.side_too) = (true, true);
        (self.one, self.over) = (Some(SidePanel::Side), Some(SidePanel::Side));
    }

    /// Opens or closes a panel, in a window of this width.
    pub fn set(&mut self, panel: SidePanel, open: bool, width: f32) {
        let shown = open.then_some(panel);
        if width < NARROW {
            // Closed to see the picture, which says nothing about a window with room for both.
            self.over = shown;
        } else if shown.is_some() || self.one == Some(panel) {
            self.one = shown;
        }
        if open || width >= NARROW {
            match panel {
                SidePanel::Controls => self.controls = open,
                SidePanel::Side if self.crowds(width) => self.side_too = open,
                SidePanel::Side => self.side = open,
            }
        }
    }

    /// Shrinks points in a small window on a monitor with a large scale, which otherwise has room for little more than
    /// a button. Points shrink until the panels have enough of them, or until a point is a pixel. In a large window they
    /// grow, as the picture does.
    pub fn keep_legible(&mut self, ctx: &egui::Context) {
        let zoom = ctx.zoom_factor();
        let native = ctx.pixels_per_point() / zoom;
        let size = ctx.content_rect().size() * zoom;
        let enough = (size.x / LEAST.x).min(size.y / LEAST.y).min(1.0);
        let roomy = (size.x / ROOMY.x).min(size.y / ROOMY.y).clamp(1.0, MOST);
        let wanted = enough.max((1.0 / native).min(1.0)) * (roomy * 20.0).floor() / 20.0;
        // A zoom that the user set stays.
        let ours = self.scaled || zoom == 1.0;
        if ours && (wanted - zoom).abs() > 0.01 {
            self.scaled = wanted != 1.0;
            ctx.set_zoom_factor(wanted);
        }
    }
}
