//! The page's address, which holds the state of the app as a link, and may name a lesson: `?LINK#lesson=ADDRESS`.

use eframe::egui::Context;
use rasterscan_app::link::Opening;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// The address as it was last read or written.
pub struct Address {
    link: String,
}

fn window() -> web_sys::Window {
    web_sys::window().expect("a page has a window")
}

/// The link in the address: what follows the question mark.
fn link() -> String {
    window().location().search().unwrap_or_default().trim_start_matches('?').to_owned()
}

/// What follows `#` in the address, with it; it stays when the state changes.
fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// The address of the lesson that the page's address names.
pub fn lesson() -> Option<String> {
    let fragment = fragment();
    let address = fragment.strip_prefix("#lesson=")?;
    Some(js_sys::decode_uri_component(address).map_or(address.to_owned(), String::from))
}

/// Draws a frame whenever the visitor goes Back or Forward.
pub fn on_move(ctx: &Context) {
    let ctx = ctx.clone();
    let moved = Closure::<dyn FnMut()>::new(move || ctx.request_repaint());
    window().set_onpopstate(Some(moved.as_ref().unchecked_ref()));
    moved.forget();
}

impl Address {
    /// The address as it is now, and the state that it holds.
    ///
    /// Errors: as [`Opening::of_link`].
    pub fn read() -> (Address, Result<Opening, String>) {
        let link = link();
        let opening = Opening::of_link(&link);
        (Address { link }, opening)
    }

    /// The link, as the address has it.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// The state to go to, if the visitor went Back or Forward.
    pub fn changed(&mut self) -> Option<Result<Opening, String>> {
        let now = link();
        (now != self.link).then(|| {
            self.link = now;
            Opening::of_link(&self.link)
        })
    }

    /// Writes the state: another run or tour stop as a new entry of the history, anything else in place.
    pub fn write(&mut self, opening: &Opening) {
        let link = opening.link();
        if link == self.link {
            return;
        }
        let page = |link: &str| {
            let opening = Opening::of_link(link).unwrap_or_default();
            Opening { pass: 0, stage: None, pin: None, look: Default::default(), present: false, ..opening }
                .link()
        };
        let known = self.link.is_empty() || page(&self.link) == page(&link);
        if let Ok(history) = window().history() {
            let url = format!("?{link}{}", fragment());
            let _ = match known {
                true => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
                false => history.push_state_with_url(&JsValue::NULL, "", Some(&url)),
            };
        }
        // As the browser writes it.
        self.link = self::link();
    }

    /// The whole address, for others.
    pub fn whole(opening: &Opening) -> String {
        let location = window().location();
        let (origin, path) = (location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
        format!("{origin}{path}?{}{}", opening.link(), fragment())
    }
}
