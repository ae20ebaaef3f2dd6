//! Shared memory in a pane: a stage of a work group, or its whole tree, and the steps through the stages.

use std::rc::Rc;

use egui::{Painter, Pos2, Rect, Response, Ui, vec2};
use rasterscan::trace::Work;
use rasterscan_drawing::shape::Drawing;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::shared::{self, GroupMemory};
use rasterscan_picture::Travel;
use rasterscan_picture::shared::{Chosen, MemoryPicture, fits};

use crate::looks;
use crate::shown::{Key, Shown};
use crate::view::{Step, View};

/// The work group of a pane.
#[derive(Debug, Clone, Default)]
pub struct MemoryPane {
    group: u32,
    seen: Option<(Key, u32, Option<Rc<GroupMemory>>)>,
    /// The clicked operation, whose arrows stay, in its pass.
    pinned: Option<(Key, Chosen)>,
}

/// The room that the choice between memory and items takes in the upper right corner of a pane.
pub fn taken(shown: &Shown, position: usize) -> f32 {
    match shown.stages_at(position) {
        0 => 0.0,
        _ if groups(shown, position) > 1 => 220.0,
        _ => 120.0,
    }
}

/// The work groups of the pass that ends at a position.
fn groups(shown: &Shown, position: usize) -> u64 {
    let pass = position.checked_sub(1).and_then(|pass| shown.recording.passes.get(pass));
    match pass.map(|pass| &pass.work) {
        Some(Work::Dispatch { groups, .. }) => *groups,
        _ => 1,
    }
}

impl MemoryPane {
    /// Shows the choice between memory and items in the upper right corner of a pane.
    pub fn choice(&mut self, ui: &mut Ui, shown: &Shown, view: &mut View, pane: Rect) {
        let position = view.position.min(shown.passes());
        if shown.stages_at(position) == 0 {
            return;
        }
        let memory = view.memory.shows(shown, position);
        let groups = groups(shown, position);
        let rect =
            Rect::from_min_max(pane.right_top() - vec2(230.0f32.min(pane.width()), 0.0), pane.right_top());
        let rect = rect.with_max_y(pane.top() + ui.spacing().interact_size.y);
        let layout = egui::Layout::right_to_left(egui::Align::Center);
        ui.scope_builder(egui::UiBuilder::new().max_rect(rect).layout(layout), |ui| {
            let items = ui
                .selectable_label(!memory, say("Items"))
                .on_hover_text(say("the streams before and after the pass"));
            let shared = ui
                .selectable_label(memory, say("Memory"))
                .on_hover_text(say("shared memory, stage by stage"));
            if items.clicked() {
                view.memory.wanted = Some(false);
                view.memory.stage = None;
            }
            if shared.clicked() {
                view.memory.wanted = Some(true);
            }
            if memory && groups > 1 {
                let last = u32::try_from(groups - 1).unwrap_or(u32::MAX);
                ui.add(egui::DragValue::new(&mut self.group).range(0..=last).prefix(say("work group") + " "));
            }
        });
    }

    /// Shows shared memory in a pane, below its heading, after a step or while it is at work. Returns its longest way.
    pub fn show(
        &mut self,
        ui: &Ui,
        shown: &Shown,
        ((position, stage), travel): (Step, Option<Travel>),
        (index, inner, painter): (usize, Rect, &Painter),
        response: Response,
    ) -> Option<f32> {
        let pass = position.checked_sub(1)?;
        let key = Key::of(&shown.recording, Some(pass));
        let memory = self.memory_of(shown, pass, &key)?;
        let theme = looks::theme(ui.visuals());
        let pinned = self.pinned.as_ref().filter(|(known, _)| *known == key).map(|(_, chosen)| *chosen);
        // A run with fewer stages beside another has come to its end.
        let travel = travel.filter(|_| stage.is_some_and(|stage| stage < memory.stages.len()));
        let placed = MemoryPicture::new(&memory, stage, pinned, theme, inner).at_work(travel);
        let at: Option<Pos2> = response.hover_pos().filter(|_| !response.dragged());
        let pointed = at.and_then(|at| placed.operation_at(at));
        if response.clicked() {
            let other = pointed.filter(|pointed| pinned != Some(*pointed));
            self.pinned = other.map(|pointed| (key, pointed));
        }
        let mut drawing = Drawing::new(0.0, 0.0);
        placed.draw(&mut drawing);
        super::painter::paint(painter, Some(index), &drawing);
        let name = format!("{}. {} {}", say("Shared memory"), say(placed.told()), say(placed.turns()));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, &name));
        if let Some((stage, number)) = pointed {
            let operation = &memory.stages[stage].operations[number];
            let told = say(format!("invocation {}: {}", operation.invocation, memory.equation(operation)));
            response.on_hover_text_at_pointer(told);
        }
        placed.reach()
    }

    fn memory_of(&mut self, shown: &Shown, pass: usize, key: &Key) -> Option<Rc<GroupMemory>> {
        let known = self.seen.take().filter(|(known, group, _)| known == key && *group == self.group);
        let (_, _, memory) = self.seen.insert(known.unwrap_or_else(|| {
            let found = shared::of(&shown.recording, pass, self.group);
            // Another run may have fewer groups.
            let found = found.or_else(|| shared::of(&shown.recording, pass, 0)).filter(fits);
            (key.clone(), self.group, found.map(Rc::new))
        }));
        memory.clone()
    }
}
