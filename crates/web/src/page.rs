//! The app in eframe's shell: its engine on the visitor's GPU, its state in the address, its files by drop and picker.

use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use eframe::egui::{Context, RawInput, Ui, Visuals};
use eframe::{CreationContext, Frame};
use rasterscan::trace::Recording;
use rasterscan_app::link::Opening;
use rasterscan_app::{App, Wish};
use wasm_bindgen::JsCast;

use crate::address::{self, Address};
use crate::engine::PageEngine;
use crate::files::{ChosenFile, Files, download};

/// The frames that were drawn.
pub static FRAMES: AtomicU32 = AtomicU32::new(0);

/// The app in a page.
pub struct Page {
    app: App,
    address: Address,
    files: Files,
    /// Files that were dropped since the last frame.
    dropped: Vec<ChosenFile>,
    /// The address of the lesson that was fetched last.
    lesson: Option<String>,
    /// The link and the recording whose step was told last, and whether the first screen was.
    told: Option<(String, Rc<Recording>, bool)>,
    /// True if the element of the step says that a run is under way.
    busy: bool,
}

impl Page {
    /// The page in the state that its address holds.
    pub fn new(context: &CreationContext<'_>) -> Page {
        context.egui_ctx.set_fonts(rasterscan_app::fonts());
        address::on_move(&context.egui_ctx);
        let files = Files::default();
        let app = App::new(Box::new(PageEngine::new())).with_files(files.load()).in_page();
        let mut app = app.with_progress(&progress(), Box::new(keep_progress));
        app.view.motion = !asks_for_less_motion();
        let (address, opening) = Address::read();
        match opening {
            Ok(opening) if (Opening { language: None, ..opening.clone() }).link().is_empty() => {
                app.use_language(opening.language.as_deref().unwrap_or_default());
                app.welcome();
            }
            Ok(opening) => app.open(&opening),
            Err(wrong) => app.report(Err(format!("this link cannot be read: {wrong}"))),
        }
        Page { app, address, files, dropped: Vec::new(), lesson: None, told: None, busy: false }
    }

    fn take(&mut self, ChosenFile { name, bytes }: ChosenFile) {
        let outcome = bytes.and_then(|bytes| {
            if name.to_lowercase().ends_with(".json") {
                return self.app.open_recording(name.clone().into(), &bytes);
            }
            if name.to_lowercase().ends_with(".toml") {
                let text = String::from_utf8(bytes).map_err(|_| format!("{name}: expected UTF-8 text"))?;
                if let Some(code) = language_of(&name) {
                    // The step was told in the language before.
                    self.told = None;
                    return self.app.speak(code, &text).map_err(|error| format!("{name}: {error}"));
                }
                return self.app.open_lesson(&text).map_err(|error| format!("{name}: {error}"));
            }
            self.files.keep(&name, bytes);
            self.app.open_numbers(name.into());
            Ok(())
        });
        if let Err(wrong) = outcome {
            self.app.report(Err(wrong));
        }
    }

    fn grant(&mut self, wish: Wish, ctx: &Context) {
        match wish {
            Wish::Quit => {}
            Wish::Read => {
                if let Some(link) =
                    element("read").and_then(|link| link.dyn_into::<web_sys::HtmlElement>().ok())
                {
                    link.click();
                }
            }
            Wish::Language(code) => self.files.fetch(format!("{LANGUAGES}{code}.toml"), ctx),
            Wish::Pick => self.files.pick(ctx),
            Wish::Save { name, bytes } => self.app.report(match download(&name, &bytes) {
                Ok(()) => Ok(self.app.say(&format!("saved {name} with the browser's downloads"))),
                Err(_) => Err(format!("the browser does not save {name}")),
            }),
            Wish::CopyLink => {
                ctx.copy_text(Address::whole(&self.app.opening()));
                self.app.report(Ok(self.app.say("copied a link to this picture")));
            }
        }
    }

    /// Tells a screen reader the current step, in an element beside the canvas.
    fn tell_step(&mut self) {
        let Some(recording) = self.app.recording() else { return };
        let link = self.address.link();
        let first = self.app.is_welcoming();
        let known = self.told.as_ref();
        if known
            .is_some_and(|(told, shown, was)| told == link && Rc::ptr_eq(shown, &recording) && *was == first)
        {
            return;
        }
        self.told = Some((link.to_owned(), recording, first));
        if let Some(document) = document() {
            document.set_title(&self.app.title());
            // A screen reader chooses its voice by the language.
            if let Some(root) = document.document_element() {
                let language = self.app.opening().language;
                let _ = root.set_attribute("lang", language.as_deref().unwrap_or("en"));
            }
        }
        if let Some(element) = element("step") {
            element.set_text_content(Some(&self.app.narration()));
        }
    }
}

/// The folder of languages, beside the page.
const LANGUAGES: &str = "languages/";

/// The language whose catalogue a file is.
fn language_of(name: &str) -> Option<&str> {
    name.strip_prefix(LANGUAGES)?.strip_suffix(".toml")
}

/// The name of the tour's progress in the browser's storage.
const PROGRESS: &str = "rasterscan tour";

/// The browser's storage; none where the visitor allows none.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// The tour's progress of an earlier visit.
fn progress() -> String {
    storage().and_then(|storage| storage.get_item(PROGRESS).ok()?).unwrap_or_default()
}

fn keep_progress(progress: &str) {
    if let Some(storage) = storage() {
        // A full storage keeps nothing, and the tour begins again.
        let _ = storage.set_item(PROGRESS, progress);
    }
}

/// Returns true if the system asks for less motion.
fn asks_for_less_motion() -> bool {
    let query =
        web_sys::window().and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok()?);
    query.is_some_and(|query| query.matches())
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

/// An element beside the canvas for screen readers: `step` tells the current step, `said` all else, `read` leads to texts.
fn element(name: &str) -> Option<web_sys::Element> {
    document()?.get_element_by_id(name)
}

impl eframe::App for Page {
    fn raw_input_hook(&mut self, _: &Context, input: &mut RawInput) {
        for file in std::mem::take(&mut input.dropped_files) {
            let bytes = file.bytes.map(|bytes| bytes.to_vec());
            let bytes = bytes.ok_or_else(|| format!("{}: the browser cannot read it", file.name));
            self.dropped.push(ChosenFile { name: file.name, bytes });
        }
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut Frame) {
        FRAMES.fetch_add(1, Relaxed);
        match self.address.changed() {
            Some(Ok(opening)) => self.app.open(&opening),
            Some(Err(wrong)) => self.app.report(Err(format!("this link cannot be read: {wrong}"))),
            None => {}
        }
        let lesson = address::lesson();
        if lesson != self.lesson {
            self.lesson = lesson;
            if let Some(address) = self.lesson.clone() {
                self.files.fetch(address, ui.ctx());
            }
        }
        let given = std::mem::take(&mut self.dropped).into_iter().chain(self.files.take_picked());
        given.for_each(|file| self.take(file));
        self.app.ui(ui);
        for wish in self.app.take_wishes() {
            self.grant(wish, ui.ctx());
        }
        if let Some(text) = self.app.take_spoken()
            && let Some(element) = element("said")
        {
            element.set_text_content(Some(&text));
        }
        // The last run is still shown, and the address is ahead of it.
        let busy = self.app.is_busy();
        if !busy {
            // The first screen is no run yet.
            if !self.app.is_welcoming() {
                self.address.write(&self.app.opening());
            }
            self.tell_step();
        }
        if busy != self.busy {
            self.busy = busy;
            if let Some(element) = element("step") {
                let _ = element.set_attribute("aria-busy", if busy { "true" } else { "false" });
            }
        }
    }

    fn clear_color(&self, visuals: &Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
