//! The right panel: the current pass as a sentence, as lines of pseudo-code, and as shader source.

mod code;
mod glsl;
mod program;

pub(super) use glsl::coloured;

use egui::{CollapsingHeader, Grid, Label, RichText, ScrollArea, Ui};
use rasterscan::operator::Operator;
use rasterscan::trace::{Place, RecordedPass, Recording, ShaderText, Work};
use rasterscan_lesson::listing::{self, At, Listing};
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::{narrate, shared};
use rasterscan_picture::Spot;

use super::looks;
use super::shared_memory::SharedMemoryPanel;
use super::shown::{Key, Shown};
use super::spoken::live;
use super::view::Camera;
use program::{ProgramPanel, texel_of};

/// The state of the right panel from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// The texts on a pass, or on a stage of it, made once.
    said: Option<(Key, Option<usize>, Said)>,
    /// The selected stage of passes with a main shader: the shader's path, and the extension of the stage's file.
    stage: Option<(String, String)>,
    memory: SharedMemoryPanel,
    program: ProgramPanel,
}

/// The texts on a pass.
#[derive(Debug, Clone)]
struct Said {
    narration: String,
    listing: Listing,
    lit: Vec<At>,
}

impl Side {
    /// Shows a pass, one of its stages and its pinned texel, both of which the panel may change, or the run before its first
    /// pass. The picture of `tiles` has its own sentence. Returns the shader that is to be edited.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        shown: &Shown,
        pass: Option<usize>,
        stage: &mut Option<usize>,
        tiles: bool,
        camera: &mut Camera,
    ) -> Option<ShaderText> {
        let recording = &*shown.recording;
        let pass = pass.filter(|pass| *pass < recording.passes.len());
        let key = Key::of(recording, pass);
        let begun = *stage;
        let said = match self.said.take() {
            Some((known, at, said)) if known == key && at == begun => said,
            _ => texts(recording, pass, begun),
        };
        ui.add_space(4.0);
        heading(ui, recording, pass);
        if !tiles {
            let strong = ui.visuals().strong_text_color();
            live(ui.add(Label::new(RichText::new(say(&said.narration)).color(strong)).wrap()));
        }
        ui.add_space(4.0);
        let found = pass.and_then(|number| Some((number, recording.passes.get(number)?)));
        // A pass that uses shared memory is mainly about it, unless its tiles look at each other.
        if let Some((number, pass)) = found.filter(|(_, pass)| !pass.shared.is_empty()) {
            let open = pass.states.is_empty();
            CollapsingHeader::new(say("Shared memory")).default_open(open).show_unindented(ui, |ui| {
                self.memory.show(ui, recording, number, stage);
            });
            ui.add_space(4.0);
        }
        if !said.listing.sections.is_empty() {
            CollapsingHeader::new(say("Pseudo-code")).default_open(true).show_unindented(ui, |ui| {
                let operator = recording.request.item().operator;
                // A sort has none, and its listing adds counts.
                if recording.request.problem().option("op").is_some() && operator != Operator::ADD {
                    ui.weak(say(format!("Here + stands for {operator}.")));
                }
                code::listing(ui, &said.listing, &said.lit);
            });
        }
        if *stage != begun {
            // The highlighted lines differ from those just drawn.
            ui.ctx().request_repaint();
        }
        self.said = Some((key, begun, said));
        let (number, pass) = found?;
        if matches!(pass.work, Work::Draw { .. }) {
            CollapsingHeader::new(say("One texel's program")).default_open(true).show_unindented(ui, |ui| {
                let pinned = camera.pinned_at(number + 1).filter(|spot| !spot.source).map(|spot| spot.place);
                let texel = texel_of(pinned, shown.example(number).map(|example| example.place));
                if let Some(index) = self.program.show(ui, recording, number, texel) {
                    let spot = Spot { source: false, place: Place { of: 0, index } };
                    camera.pinned = Some((number + 1, spot));
                }
            });
            ui.add_space(4.0);
        }
        let mut edited = None;
        if !pass.shaders.is_empty() {
            CollapsingHeader::new(say("Shader")).default_open(true).show_unindented(ui, |ui| {
                edited = shader(ui, pass, &mut self.stage);
            });
        }
        CollapsingHeader::new(say("Defines and uniforms")).show_unindented(ui, |ui| settings(ui, pass));
        edited
    }
}

fn texts(recording: &Recording, pass: Option<usize>, stage: Option<usize>) -> Said {
    let of = |pass| Some(shared::spans(recording, pass).get(stage?)?.stage);
    let lit = |pass| match of(pass) {
        Some(stage) => listing::lit_in(recording, pass, stage),
        None => listing::lit(recording, pass),
    };
    Said {
        narration: narrate(recording, pass.map_or(0, |pass| pass + 1)),
        listing: listing::listing(recording),
        lit: pass.map_or_else(Vec::new, lit),
    }
}

fn heading(ui: &mut Ui, recording: &Recording, pass: Option<usize>) {
    let Some((number, pass)) = pass.and_then(|number| Some((number, recording.passes.get(number)?))) else {
        ui.label(RichText::new(say("Before the first pass")).heading().strong());
        return;
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&pass.phase).heading().strong());
        let issued = match &pass.work {
            Work::Draw { .. } => "a draw".into(),
            Work::Capture { .. } => "a capture".into(),
            Work::Dispatch { groups, invocations, .. } => format!("{groups} × {invocations} invocations"),
        };
        ui.weak(say(format!("pass {} of {}, {issued}", number + 1, recording.passes.len())));
    });
}

/// The source of a stage, and the choice of stages. Returns the stage if it is to be edited.
fn shader(ui: &mut Ui, pass: &RecordedPass, chosen: &mut Option<(String, String)>) -> Option<ShaderText> {
    let ending = |path: &str| path.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned();
    let named = |ending: &str| match ending {
        "vert" => "vertex",
        "geom" => "geometry",
        "frag" => "fragment",
        "comp" => "compute",
        _ => "stage",
    };
    // Another shader has other stages.
    let about = pass.main_shader().map_or("", |shader| shader.path.as_str());
    let wanted = chosen.as_ref().filter(|(main, _)| main == about).map(|(_, ending)| ending);
    let wanted = wanted.and_then(|wanted| pass.shaders.iter().find(|stage| ending(&stage.path) == *wanted));
    let shown = wanted.or(pass.main_shader()).or(pass.shaders.first())?;
    if pass.shaders.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for stage in &pass.shaders {
                let own = ending(&stage.path);
                let hint =
                    if stage.main { "the main stage of the pass" } else { "another stage of the pass" };
                let label = ui.selectable_label(stage.path == shown.path, say(named(&own)));
                if label.on_hover_text(say(hint)).clicked() {
                    *chosen = Some((about.into(), own));
                }
            }
        });
    }
    let mut edited = false;
    ui.horizontal_wrapped(|ui| {
        edited = ui.button(say("Edit")).on_hover_text(say("write your own, and see what it does")).clicked();
        ui.label(RichText::new(&shown.path).small().color(looks::faint(ui.visuals())));
    });
    let includes: Vec<&str> = glsl::includes(&shown.text).collect();
    if !includes.is_empty() {
        let text = format!("{} {}", say("includes"), includes.join(", "));
        ui.add(Label::new(RichText::new(text).small().color(looks::faint(ui.visuals()))).wrap());
    }
    ScrollArea::horizontal().id_salt("shader").show(ui, |ui| {
        ui.add(Label::new(glsl::coloured(ui, &shown.text)).extend());
    });
    edited.then(|| shown.clone())
}

fn settings(ui: &mut Ui, pass: &RecordedPass) {
    if pass.defines.is_empty() && pass.uniforms.is_empty() {
        ui.weak(say("This pass has none."));
        return;
    }
    Grid::new("settings").num_columns(2).min_row_height(looks::POINTED).striped(true).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.monospace(name);
            ui.monospace(value);
            ui.end_row();
        };
        for (name, value) in &pass.defines {
            row(&format!("#define {name}"), value.to_string());
        }
        for (name, value) in &pass.uniforms {
            row(name, value.to_string());
        }
    });
}
