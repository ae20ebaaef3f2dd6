//! Shared memory in a pane: a stage of a work group, or its whole tree, and the steps through the stages.

use std::rc::Rc;

use egui::{Painter, Pos2, Rect, Response, Ui, vec2};
use rasterscan::trace::Work;
use rasterscan_drawing::shape::Drawing;
use rasterscan_lesson::shared::{self, GroupMemory};
use rasterscan_picture::shared::{Chosen, MemoryPicture, fits};

use crate::shown::{Key, Shown};
use crate::{App, looks};

/// What is shown of shared memory, and the stage in the pass of the position.
#[derive(Debug, Clone, Default)]
pub struct MemoryView {
    /// True for memory, false for items; `None` for the run's usual view.
    pub wanted: Option<bool>,
    /// The stage, from 0; `None` for the whole pass.
    pub stage: Option<usize>,
    /// The stages of each pass that steps go through; none if items are shown.
    pub stages: Vec<usize>,
    panes: [MemoryPane; 2],
}

/// The work group of a pane.
#[derive(Debug, Clone, Default)]
struct MemoryPane {
    group: u32,
    seen: Option<(Key, u32, Option<Rc<GroupMemory>>)>,
    /// The clicked operation, whose arrows stay, in its pass.
    pinned: Option<(Key, Chosen)>,
}

impl MemoryView {
    /// The stages that steps go through to reach a position.
    pub fn stages_at(&self, position: usize) -> usize {
        position.checked_sub(1).and_then(|pass| self.stages.get(pass)).copied().unwrap_or(0)
    }

    /// Goes a stage forward or back. False if the pass has no such stage: then its neighbour is next.
    pub fn step(&mut self, forward: bool, position: usize) -> bool {
        let stages = self.stages_at(position);
        match (forward, self.stage) {
            (true, Some(stage)) if stage < stages => {
                self.stage = Some(stage + 1).filter(|stage| *stage < stages);
            }
            (false, Some(stage)) if stage > 0 && stages > 0 => self.stage = Some(stage.min(stages) - 1),
            (false, None) if stages > 0 => self.stage = Some(stages - 1),
            _ => return false,
        }
        true
    }

    /// Enters a pass by a step: at its first stage, or behind its last.
    pub fn enter(&mut self, forward: bool, position: usize) {
        self.stage = (forward && self.stages_at(position) > 0).then_some(0);
    }
}

impl App {
    /// Returns whether a run's pane shows shared memory at a position.
    pub(crate) fn shows_memory(&self, index: usize, position: usize) -> bool {
        let Some(shown) = &self.shown[index] else { return false };
        let wanted = self.view.memory.wanted.unwrap_or(shown.passes() == 1);
        wanted && shown.stages_at(position) > 0
    }

    /// Finds the stages that steps go through: the most of the runs shown.
    pub(crate) fn find_stages(&mut self) {
        let of = |position: usize| {
            let shown = self.visible().filter(|index| self.shows_memory(*index, position));
            shown.filter_map(|index| Some(self.shown[index].as_ref()?.stages_at(position))).max().unwrap_or(0)
        };
        self.view.memory.stages = (1..=self.last()).map(of).collect();
    }

    /// The stages of the pass at the position, if shared memory is shown.
    pub fn stages(&self) -> usize {
        let position = self.view.position;
        let shown = self.visible().filter_map(|index| self.shown[index].as_ref());
        shown.map(|shown| shown.stages_at(position.min(shown.passes()))).max().unwrap_or(0)
    }

    /// Goes to a stage of the pass at the position, from 0, and shows it.
    pub fn go_to_stage(&mut self, stage: Option<usize>) {
        self.view.memory.stage = stage;
        if stage.is_some() {
            self.view.memory.wanted = Some(true);
        }
    }
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

/// Shows the choice between memory and items in the upper right corner of a pane.
pub fn choice(app: &mut App, ui: &mut Ui, index: usize, pane: Rect) {
    let Some(shown) = &app.shown[index] else { return };
    let position = app.view.position.min(shown.passes());
    if shown.stages_at(position) == 0 {
        return;
    }
    let memory = app.shows_memory(index, position);
    let groups = groups(shown, position);
    let rect = Rect::from_min_max(pane.right_top() - vec2(230.0f32.min(pane.width()), 0.0), pane.right_top());
    let rect = rect.with_max_y(pane.top() + 22.0);
    let layout = egui::Layout::right_to_left(egui::Align::Min);
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect).layout(layout), |ui| {
        let items =
            ui.selectable_label(!memory, "Items").on_hover_text("the streams before and after the pass");
        let shared = ui.selectable_label(memory, "Memory").on_hover_text("shared memory, stage by stage");
        if items.clicked() {
            app.view.memory.wanted = Some(false);
            app.view.memory.stage = None;
        }
        if shared.clicked() {
            app.view.memory.wanted = Some(true);
        }
        if memory && groups > 1 {
            let last = u32::try_from(groups - 1).unwrap_or(u32::MAX);
            let group = &mut app.view.memory.panes[index].group;
            ui.add(egui::DragValue::new(group).range(0..=last).prefix("work group "));
        }
    });
}

/// Shows shared memory in a pane, below its heading.
pub fn show(app: &mut App, ui: &Ui, index: usize, (inner, painter): (Rect, &Painter), response: Response) {
    let Some(shown) = &app.shown[index] else { return };
    let position = app.view.position.min(shown.passes());
    let Some(pass) = position.checked_sub(1) else { return };
    let key = Key::of(&shown.recording, Some(pass));
    let pane = &mut app.view.memory.panes[index];
    let Some(memory) = memory_of(pane, shown, pass, &key) else { return };
    let stage = app.view.memory.stage;
    let theme = looks::theme(ui.visuals());
    let pinned = pane.pinned.as_ref().filter(|(known, _)| *known == key).map(|(_, chosen)| *chosen);
    let picture = |chosen| MemoryPicture::new(&memory, stage, chosen, theme, inner);
    let placed = picture(pinned);
    let at: Option<Pos2> = response.hover_pos().filter(|_| !response.dragged());
    let pointed = at.and_then(|at| placed.operation_at(at));
    if response.clicked() {
        let other = pointed.filter(|pointed| pinned != Some(*pointed));
        pane.pinned = other.map(|pointed| (key, pointed));
    }
    let mut drawing = Drawing::new(0.0, 0.0);
    placed.draw(&mut drawing);
    super::painter::paint(painter, index, &drawing);
    let name = format!("Shared memory. {} {}", placed.told(), placed.turns());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, &name));
    if let Some((stage, number)) = pointed {
        let operation = &memory.stages[stage].operations[number];
        let told = format!("invocation {}: {}", operation.invocation, memory.equation(operation));
        response.on_hover_text_at_pointer(told);
    }
}

fn memory_of(pane: &mut MemoryPane, shown: &Shown, pass: usize, key: &Key) -> Option<Rc<GroupMemory>> {
    let known = pane.seen.take().filter(|(known, group, _)| known == key && *group == pane.group);
    let (_, _, memory) = pane.seen.insert(known.unwrap_or_else(|| {
        let found = shared::of(&shown.recording, pass, pane.group);
        // Another run may have fewer groups.
        let found = found.or_else(|| shared::of(&shown.recording, pass, 0)).filter(fits);
        (key.clone(), pane.group, found.map(Rc::new))
    }));
    memory.clone()
}
