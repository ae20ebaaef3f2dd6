//! The page in a headless browser: served from its folder, driven by keys, pointers and files, as a visitor does. Chromium is
//! driven by its developer tools' protocol, Firefox by WebDriver BiDi: both are JSON over a web socket.

use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use rasterscan_runner::screen::{Ends, Screen};
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// The longest wait for the page to answer. A page that hangs fails here. `RASTERSCAN_PATIENCE` is its seconds, 60 without.
fn patience() -> Duration {
    let seconds = std::env::var("RASTERSCAN_PATIENCE").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(60))
}

/// The folder of the page, served on this machine until dropped.
pub struct Site {
    _server: Ends,
    pub url: String,
}

/// Keys that are held, as bits.
pub const CONTROL: u32 = 2;
pub const SHIFT: u32 = 8;

impl Site {
    /// Serves the folder that `RASTERSCAN_SITE` names.
    pub fn new() -> Site {
        let folder = std::env::var("RASTERSCAN_SITE").expect("RASTERSCAN_SITE names the folder of the page");
        let mut server = Command::new(env!("CARGO_BIN_EXE_rasterscan-site"))
            .args(["--serve", "--port", "0", "--folder", &folder])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut url = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Site { _server: Ends(server), url: url.trim().into() }
    }

    /// Opens a link of the page in a browser of its own, and waits for its first frame.
    pub fn open(&self, link: &str) -> Page {
        let page = self.blank();
        page.go(link);
        page
    }

    /// A browser that shows nothing yet.
    pub fn blank(&self) -> Page {
        self.scaled(1)
    }

    /// The same on a monitor with this many pixels a point.
    pub fn scaled(&self, scale: u32) -> Page {
        self.page(Browser::chromium(scale))
    }

    /// A Firefox that shows nothing yet. It takes scripts, and neither keys nor pointers.
    pub fn firefox(&self) -> Page {
        self.page(Browser::firefox())
    }

    fn page(&self, browser: Browser) -> Page {
        Page { firefox: browser.tab.is_string(), browser: RefCell::new(browser), url: self.url.clone() }
    }
}

/// A browser with one tab.
struct Browser {
    _process: Ends,
    _profile: TempDir,
    _screen: Option<Screen>,
    socket: WebSocket<TcpStream>,
    /// The session of Chromium's tab, which each call names.
    session: Value,
    /// Firefox's tab, which some calls name.
    tab: Value,
    sent: u64,
    faults: Vec<String>,
}

impl Browser {
    fn chromium(scale: u32) -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
        let scale = format!("--force-device-scale-factor={scale}");
        let options = [
            "--headless=new",
            "--no-sandbox",
            "--no-first-run",
            "--hide-scrollbars",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--window-size=1280,800",
            &scale,
            &folder,
        ];
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let mut browser = Browser::start(&names, profile, &options, None, "");
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": target["targetId"], "flatten": true });
        browser.session = browser.call("Target.attachToTarget", attached)["sessionId"].clone();
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Without a window, too, Firefox has WebGL only where there is a display.
    fn firefox() -> Browser {
        let screen = Screen::start().unwrap_or_else(|missing| panic!("{missing} is not installed"));
        let profile = tempfile::tempdir().unwrap();
        let folder = profile.path().display().to_string();
        let options = ["--headless", "--no-remote", "--profile", &folder];
        let mut browser =
            Browser::start(&["firefox-esr", "firefox"], profile, &options, Some(screen), "/session");
        browser.call("session.new", json!({ "capabilities": {} }));
        browser.call("session.subscribe", json!({ "events": ["log.entryAdded"] }));
        let tabs = browser.call("browsingContext.getTree", json!({}));
        browser.tab = tabs["contexts"][0]["context"].clone();
        browser
    }

    /// Starts the first of these programs that is installed, and connects to this path of the address that it prints.
    fn start(
        names: &[&str],
        profile: TempDir,
        options: &[&str],
        screen: Option<Screen>,
        path: &str,
    ) -> Browser {
        let dirs = std::env::var("PATH").unwrap_or_default();
        let found = names.iter().find(|name| dirs.split(':').any(|dir| Path::new(dir).join(name).exists()));
        let mut process = Command::new(found.unwrap_or_else(|| panic!("{} is not installed", names[0])))
            .args(options)
            .arg("--remote-debugging-port=0")
            .arg("about:blank")
            .envs(screen.iter().map(|screen| ("DISPLAY", &screen.name)))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let process = Ends(process);
        let listening = |line: &String| line.contains("listening on ws://");
        let line = lines.by_ref().map_while(Result::ok).find(listening).expect("the browser listens");
        // A full pipe would stop the browser, so later lines are read and dropped.
        std::thread::spawn(move || lines.for_each(drop));
        let address = format!("{}{path}", line.split("listening on ").nth(1).unwrap().trim());
        let host = address.trim_start_matches("ws://").split('/').next().unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(patience())).unwrap();
        let (socket, _) = tungstenite::client(&address, stream).expect("the browser answers");
        Browser {
            _process: process,
            _profile: profile,
            _screen: screen,
            socket,
            session: Value::Null,
            tab: Value::Null,
            sent: 0,
            faults: Vec::new(),
        }
    }

    /// Calls a method and waits for its result. Errors on the console are kept on the way.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let mut call = json!({ "id": self.sent, "method": method, "params": parameters });
        if !self.session.is_null() {
            call["sessionId"] = self.session.clone();
        }
        self.socket.send(Message::text(call.to_string())).unwrap();
        loop {
            let message = self.socket.read().unwrap_or_else(|error| panic!("{method}: no answer: {error}"));
            let Message::Text(text) = message else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == json!(self.sent) {
                // A document that begins again while it is asked has no value yet.
                if message["error"]["message"].as_str().is_some_and(|text| text.contains("navigated")) {
                    return json!({ "result": {} });
                }
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    /// Keeps an event that is an error of the page.
    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        let fault = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => &parameters["exceptionDetails"]["exception"]["description"],
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => &parameters["args"],
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => &parameters["entry"]["text"],
            Some("log.entryAdded") if parameters["level"] == "error" => &parameters["text"],
            _ => return,
        };
        self.faults.push(fault.to_string());
    }
}

/// A tab with the page.
pub struct Page {
    firefox: bool,
    browser: RefCell<Browser>,
    url: String,
}

impl Page {
    fn call(&self, method: &str, parameters: Value) -> Value {
        self.browser.borrow_mut().call(method, parameters)
    }

    /// Firefox's tab.
    fn tab(&self) -> Value {
        self.browser.borrow().tab.clone()
    }

    /// Sets the window's size in points; with `touch` as a phone has it.
    pub fn size(&self, width: u32, height: u32, touch: bool) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 0, "mobile": touch });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": touch }));
    }

    /// Prefers `light` or `dark`, as the visitor's system does.
    pub fn scheme(&self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
    }

    /// Runs a script in each document of this tab before the document's own.
    pub fn before_all(&self, source: &str) {
        let _ = match self.firefox {
            true => self.call(
                "script.addPreloadScript",
                json!({ "functionDeclaration": format!("() => {{{source}}}") }),
            ),
            false => self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })),
        };
    }

    /// Lets requests of Chromium that match a pattern wait.
    pub fn hold(&self, pattern: &str) {
        self.call("Fetch.enable", json!({ "patterns": [{ "urlPattern": pattern }] }));
    }

    /// Lets them go.
    pub fn release(&self) {
        self.call("Fetch.disable", json!({}));
    }

    /// Waits until the app has started.
    pub fn wait_ready(&self) {
        self.wait(
            "the page is ready",
            "window.rasterscan?.ready === true && document.title !== ''",
            |ready| *ready == json!(true),
        );
    }

    /// Goes to a link and waits for its first frame.
    pub fn go(&self, link: &str) {
        self.visit(link);
        self.wait_ready();
        self.wait("a step is told", "document.getElementById('step')?.textContent.length", |n| {
            n.as_u64() > Some(0)
        });
    }

    /// Goes to a link.
    pub fn visit(&self, link: &str) {
        let link = if link.is_empty() { String::new() } else { format!("?{link}") };
        // The new document must not be taken for the old one.
        self.value("delete window.rasterscan");
        self.visit_file(&link);
    }

    /// Goes to another file of the folder.
    pub fn visit_file(&self, name: &str) {
        let url = format!("{}{name}", self.url);
        if self.firefox {
            let asked = json!({ "context": self.tab(), "url": url, "wait": "complete" });
            self.call("browsingContext.navigate", asked);
        } else {
            self.call("Page.navigate", json!({ "url": url }));
        }
    }

    /// The value of an expression; of a promise, what it gives.
    pub fn value(&self, expression: &str) -> Value {
        if self.firefox {
            let text =
                format!("Promise.resolve(({expression})).then((value) => JSON.stringify(value) ?? 'null')");
            let asked =
                json!({ "expression": text, "target": { "context": self.tab() }, "awaitPromise": true });
            let result = self.call("script.evaluate", asked);
            let text = result["result"]["value"].as_str().unwrap_or_else(|| panic!("{expression}: {result}"));
            return serde_json::from_str(text).unwrap();
        }
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", asked);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// The text that an expression gives.
    pub fn text(&self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_default().to_owned()
    }

    pub fn title(&self) -> String {
        self.text("document.title")
    }

    /// The link in the address, decoded.
    pub fn link(&self) -> String {
        self.text("decodeURIComponent(location.search.slice(1))")
    }

    /// The text for screen readers.
    pub fn step(&self) -> String {
        self.text("document.getElementById('step').textContent")
    }

    /// Waits until an expression has a value.
    pub fn wait(&self, what: &str, expression: &str, has: impl Fn(&Value) -> bool) {
        let begin = Instant::now();
        loop {
            let value = self.value(expression);
            if has(&value) {
                return;
            }
            let faults = self.faults().join("\n");
            assert!(begin.elapsed() < patience(), "{what}: {expression} is {value}\n{faults}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn wait_text(&self, expression: &str, text: &str) {
        self.wait(text, expression, |value| value.as_str().is_some_and(|value| value.contains(text)));
    }

    /// Waits until the title contains a text.
    pub fn wait_title(&self, text: &str) {
        self.wait_text("document.title", text);
    }

    /// Waits until the link in the address contains a text.
    pub fn wait_link(&self, text: &str) {
        self.wait_text("decodeURIComponent(location.search)", text);
    }

    /// Presses and releases a key, by its name in the browser: `ArrowRight`, `t`.
    pub fn press(&self, key: &str) {
        self.press_with(key, 0);
    }

    /// The same with other keys held.
    pub fn press_with(&self, key: &str, modifiers: u32) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let code = match key {
            "ArrowRight" | "ArrowLeft" | "Home" | "End" | "Escape" | "Enter" | "Tab" => key.to_owned(),
            key => format!("Key{}", key.to_uppercase()),
        };
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyDown", "key": key, "code": code, "text": text, "modifiers": modifiers,
                "windowsVirtualKeyCode": if key == "Tab" { 9 } else { 0 } }),
        );
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key, "code": code }));
    }

    /// Types a text where the focus is.
    pub fn write(&self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    fn mouse(&self, kind: &str, x: f64, y: f64) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Clicks a point.
    pub fn click(&self, x: f64, y: f64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, x, y);
            self.frames(2);
        }
    }

    /// Waits for some frames.
    pub fn frames(&self, count: u32) {
        let frame = "new Promise(done => requestAnimationFrame(done))";
        (0..count).for_each(|_| drop(self.value(&format!("{frame}.then(() => 0)"))));
    }

    /// A screenshot of the tab, as PNG; also a file where `RASTERSCAN_SHOTS` names a folder.
    pub fn shoot(&self, name: &str) -> Vec<u8> {
        self.frames(3);
        let shot = match self.firefox {
            true => self.call("browsingContext.captureScreenshot", json!({ "context": self.tab() })),
            false => self.call("Page.captureScreenshot", json!({ "format": "png" })),
        };
        let png = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        if let Ok(folder) = std::env::var("RASTERSCAN_SHOTS") {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(format!("{folder}/{name}.png"), &png).unwrap();
        }
        png
    }

    /// The errors on the console so far.
    pub fn faults(&self) -> Vec<String> {
        self.browser.borrow().faults.clone()
    }
}
