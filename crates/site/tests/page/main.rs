//! The real page in headless Chromium, on its software renderer, and in Firefox. `./run test --all` builds the page and runs
//! this.

mod browser;
mod npm;

use std::time::Duration;

use serde_json::Value;

use browser::{CONTROL, Page, SHIFT, Site};

/// Cases of conformance that run: each algorithm once, then a mix of all options, elements and lengths. About a quarter
/// are of the texture era and within what ES 3.0 has. The nightly form asks for more.
fn cases() -> usize {
    std::env::var("RASTERSCAN_PAGE_CASES").map_or(600, |cases| cases.parse().unwrap())
}

/// Those that run in Firefox: the page's code is the same, and its driver of WebGL another.
const FIREFOX_CASES: usize = 200;

/// Records the contexts of the page's canvases, so that a test can take them away, and counts what they draw.
const WATCH: &str = "
    window.contexts = [];
    window.drawn = 0;
    for (const kind of [HTMLCanvasElement, OffscreenCanvas]) {
        const real = kind.prototype.getContext;
        kind.prototype.getContext = function (...options) {
            const context = real.apply(this, options);
            if (context && options[0] === 'webgl2' && !contexts.some((known) => known.context === context)) {
                contexts.push({ context, shown: this.isConnected === true });
            }
            return context;
        };
    }
    const draw = WebGL2RenderingContext.prototype.drawElements;
    WebGL2RenderingContext.prototype.drawElements = function (...options) {
        window.drawn++;
        return draw.apply(this, options);
    };
    window.lose = (shown) => {
        const context = contexts.filter((known) => known.shown === shown).at(-1).context;
        window.taken = context.getExtension('WEBGL_lose_context');
        taken.loseContext();
    };";

/// Checks the first cases of conformance on an open page.
fn cases_are_right(page: &Page, cases: usize) {
    let (mut right, mut refused, mut numbers) = (0, 0, 0);
    for first in (0..cases).step_by(10) {
        let report = page.text(&format!("window.rasterscan.selftest({first}, 10)"));
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["wrong"], Value::Array(Vec::new()), "each job is a link to the page: ?JOB");
        right += report["right"].as_u64().unwrap();
        refused += report["notApplicable"].as_u64().unwrap();
        numbers += report["numbers"].as_u64().unwrap();
        if first == 0 {
            println!("{} ({} cases in all)", report["device"], report["cases"]);
        }
    }
    println!("{right} cases right, {numbers} numbers compared; {refused} not applicable");
    assert!(right > cases as u64 / 5 && numbers > 50 * cases as u64, "{right} cases, {numbers} numbers");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn the_cases_of_conformance_are_right() {
    cases_are_right(&Site::new().open(""), cases());
}

/// The module waits until the question has been read.
#[test]
fn the_question_is_there_before_the_module() {
    const CATALOGUE: &str = include_str!("../../../lesson/languages/de.toml");
    let phrase = CATALOGUE.split("[[phrase]]").find(|phrase| phrase.contains("\"Eight numbers. ")).unwrap();
    let quoted: Vec<&str> = phrase.split('"').collect();
    let site = Site::new();
    let said = "document.getElementById('message')?.innerText ?? ''";
    for (name, [width, height], scheme, link, question) in [
        ("loading-phone", [390, 844], "light", "", Some(quoted[1])),
        ("loading-german", [1280, 800], "dark", "--language&de", Some(quoted[3])),
        ("loading-link", [1280, 800], "light", "scan&values:3,1,7&-a&horn", None),
    ] {
        let page = site.blank();
        page.size(width, height, false);
        page.scheme(scheme);
        page.hold("*.wasm");
        page.visit(link);
        page.wait("it loads", said, |text| {
            ["Loading rasterscan", "rasterscan wird geladen"]
                .iter()
                .any(|word| text.as_str().unwrap().contains(word))
        });
        page.shoot(name);
        let text = page.text(said);
        assert_eq!(text.lines().next().filter(|line| line.ends_with('?')), question, "{text}");
        let within = "[...document.querySelectorAll('#message *')]
            .every((part) => part.getBoundingClientRect().right <= innerWidth)";
        assert_eq!(page.value(within), true, "{name}");
        page.release();
        page.wait_ready();
        page.wait("all of it", "document.getElementById('bytes').textContent", |bytes| {
            let parts = bytes.as_str().unwrap().trim_end_matches(" MB").split_once(" / ");
            parts.is_some_and(|(here, all)| here == all)
        });
        page.wait("a picture", "document.getElementById('message').hidden", |hidden| {
            *hidden == Value::Bool(true)
        });
        assert_eq!(page.faults(), [""; 0]);
    }
}

/// The bytes of a first visit are those that travel: the server sends what can be packed packed.
#[test]
fn a_first_visit_loads_at_most_2_8_megabytes_and_the_module_once() {
    let page = Site::new().open("");
    let loaded = page.value(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .map((entry) => [entry.name, entry.encodedBodySize])",
    );
    let loaded = loaded.as_array().unwrap();
    let bytes: u64 = loaded.iter().map(|entry| entry[1].as_u64().unwrap()).sum();
    println!("{bytes} bytes: {loaded:?}");
    assert!((1_000_000..=2_800_000).contains(&bytes), "{bytes} bytes: {loaded:?}");
    let modules = loaded.iter().filter(|entry| entry[0].as_str().unwrap().ends_with(".wasm"));
    assert_eq!(modules.count(), 1, "{loaded:?}");
}

#[test]
fn a_browser_without_webassembly_says_what_to_do() {
    let site = Site::new();
    let page = site.blank();
    page.before_all("delete window.WebAssembly");
    page.visit("");
    page.wait("what to do", "document.getElementById('message')?.innerText ?? ''", |text| {
        text.as_str().is_some_and(|text| text.contains("WebAssembly") && !text.contains("Loading"))
    });
    page.shoot("lacks");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn firefox_draws_checks_and_compares() {
    let site = Site::new();
    let page = site.firefox();
    page.before_all(WATCH);
    page.go("scan&values:3,1,7,0,4,1,6,3&-a&horn&--pass&2");
    page.wait_title("horn, pass 2 of 3");
    page.wait("a picture", "drawn", |drawn| drawn.as_u64() > Some(0));
    page.shoot("firefox");
    cases_are_right(&page, FIREFOX_CASES);
    compare_in(&page);
}

/// `examples/hosts/page/` tells, of its first frame and in both browsers, where these steps end.
#[test]
fn a_page_of_ones_own_adds_up_its_steps() {
    let mut seed = 1u32;
    let steps = (0..4096).map(|_| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        if seed & 1 == 0 { -1 } else { 1 }
    });
    let end = format!("at {}", steps.sum::<i32>());
    let site = Site::new();
    for page in [site.blank(), site.firefox()] {
        page.before_all(
            "window.told = [];
            new MutationObserver((changes) => {
                for (const change of changes) {
                    if (change.target.tagName === 'OUTPUT') told.push(change.target.textContent);
                }
            }).observe(document, { childList: true, subtree: true });",
        );
        page.visit_file("walk/index.html");
        page.wait("walks end", "told.filter((text) => text.startsWith('at ')).length", |count| {
            count.as_u64() > Some(3)
        });
        assert_eq!(page.text("told.find((text) => text.startsWith('at '))"), end);
        assert_eq!(page.faults(), [""; 0]);
        page.shoot("walk");
    }
}

/// A page draws before and after every kind of call, in states that would spoil both sides' work; then its textures are read; and
/// then its context is lost, and given back.
#[test]
fn a_page_that_draws_itself_is_a_host() {
    let site = Site::new();
    for page in [site.blank(), site.firefox()] {
        page.before_all(include_str!("host.js"));
        page.visit_file("walk/index.html");
        assert_eq!(page.value("checks.checkHost()"), Value::Array(Vec::new()));
        assert_eq!(page.value("checks.checkChecks()"), Value::Array(Vec::new()), "no check sees these");
        assert_eq!(page.value("checks.checkWaits()"), Value::Array(Vec::new()));
        assert_eq!(page.value("checks.checkTextures()"), Value::Array(Vec::new()));
        let said = page.value("checks.checkLoss()");
        let [first, lost, again, new] = &said.as_array().unwrap()[..] else { panic!("{said}") };
        assert_eq!([first, new], [&Value::Bool(true); 2], "{said}");
        assert!(lost.as_str().unwrap().ends_with("the browser took the context away"), "{said}");
        assert!(again.as_str().unwrap().ends_with("made it again; make another Gpu"), "{said}");
    }
}

#[test]
fn a_link_opens_its_run_at_its_pass() {
    let site = Site::new();
    let page = site.open("scan&random:n=16,seed=7,max=9&-a&hybrid:reduce=2&--pass&3");
    page.wait_title("rasterscan: hybrid:reduce=2, pass 3 of 6");
    assert!(page.step().starts_with("hybrid:reduce=2, pass 3 of 6: "), "{}", page.step());
    assert_eq!(page.faults(), [""; 0]);
    page.shoot("link");
}

#[test]
fn recorded_runs_are_those_of_another_driver() {
    let page = Site::new();
    let page = page.open("");
    let report: Value = serde_json::from_str(&page.text("window.rasterscan.recordings()")).unwrap();
    println!("{} recordings equal, {} not applicable", report["equal"], report["notApplicable"]);
    assert_eq!(report["wrong"], Value::Array(Vec::new()));
    assert!(report["equal"].as_u64() >= Some(16), "{report}");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn keys_move_and_the_address_follows() {
    let site = Site::new();
    let page = site.open("scan&values:3,1,7,0,4,1,6,3&-a&horn");
    page.wait_title("horn, pass 0 of 3");
    page.press("ArrowRight");
    page.wait_title("horn, pass 1 of 3");
    page.wait_link("--pass&1");
    page.press("End");
    page.wait_title("horn, pass 3 of 3");
    page.wait("the step is told", "document.getElementById('step').textContent", |text| {
        text.as_str().is_some_and(|text| text.starts_with("horn, pass 3 of 3: Step 3 of 3"))
    });
    // A pass is no entry of the history; a second run is.
    page.press("s");
    page.wait_link("--beside&hybrid");
    assert!(page.step().contains("hybrid"), "{}", page.step());
    page.value("history.back()");
    page.wait("one run again", "decodeURIComponent(location.search)", |link| {
        link.as_str().is_some_and(|link| link.contains("--pass&3") && !link.contains("--beside"))
    });
    page.wait("its step", "document.getElementById('step').textContent", |text| {
        text.as_str().is_some_and(|text| !text.contains("hybrid"))
    });
    page.value("history.forward()");
    page.wait_link("--beside&hybrid");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn what_webgl_cannot_run_kernels_run_with_the_visitors_numbers() {
    let site = Site::new();
    let page = site.open("scan&values:2,3,5,7,11,13&-a&look_back:lanes=shared,group=8,vectors=1&--pass&2");
    page.wait_title("pass 2 of 2");
    page.wait(
        "the numbers are those that were asked for",
        "document.getElementById('step').textContent",
        |text| text.as_str().is_some_and(|text| text.contains("41")),
    );
    page.shoot("kernels");
    for algorithm in ["look_back", "sam", "chained", "harris", "capannini", "three_phase", "reduce_then_scan"]
    {
        page.go(&format!("scan&random:n=4096,seed=1,max=9&-a&{algorithm}"));
        page.wait_title(algorithm);
    }
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn the_tour_goes_from_start_to_end() {
    let site = Site::new();
    let page = site.blank();
    page.size(1280, 713, false);
    page.go("");
    // Screen readers hear the first screen, what gets the focus, and a stop.
    let said = "document.getElementById('said').textContent";
    let says = |text: &'static str| move |said: &Value| said.as_str().unwrap().contains(text);
    page.wait("its question", "document.getElementById('step').textContent", says("Can eight workers"));
    page.wait("how one answers", said, says("Drag from a number"));
    page.press("Tab");
    page.wait("the focus", said, says("File, button"));
    page.press("Enter");
    page.wait("the button", said, |said| *said == "File");
    page.press("Escape");
    page.press("t");
    page.wait_link("--tour&1");
    page.wait("the stop", said, says("add"));
    page.shoot("tour");
    let mut stops = vec![page.title()];
    for stop in 2..=13 {
        let there = format!("--tour&{stop}");
        // Next stands at the foot of the panel, which a second timeline makes shorter.
        let feet = [562.0, 540.0, 520.0, 500.0, 480.0].into_iter();
        let found = feet.into_iter().find(|y| {
            page.click(72.0, *y);
            page.frames(6);
            // The stop's run is made in pieces, over several frames.
            let busy = "document.getElementById('step').getAttribute('aria-busy')";
            page.wait("the run", busy, |busy| busy.as_str() != Some("true"));
            page.frames(2);
            let link = page.link();
            link.ends_with(&there) || link.contains(&format!("{there}&"))
        });
        assert!(found.is_some(), "stop {stop}: {}", page.link());
        stops.push(page.title());
    }
    println!("{}", stops.join("\n"));
    page.press("Escape");
    page.wait("the tour is closed", "location.search", |link| !link.as_str().unwrap().contains("tour"));
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn a_lesson_opens_by_its_address() {
    let site = Site::new();
    let page = site.blank();
    let shown = "decodeURIComponent(location.search + location.hash)";
    page.visit_file("#lesson=lessons%2Fscans.toml");
    page.wait("the first stop's run at its pass, with its pin", shown, |link| {
        link.as_str().unwrap().ends_with("-a&horn&--pass&2&--pin&target:0:9#lesson=lessons/scans.toml")
    });
    page.frames(5);
    page.shoot("lesson");
    assert_eq!(page.faults(), [""; 0]);
    // What cannot be fetched is said, and the app goes on.
    for (wrong, name) in [("lessons/none.toml", "no-lesson"), ("http://127.0.0.1:9/a.toml", "no-server")] {
        page.visit_file(&format!("?scan&values:3,1,7&-a&horn#lesson={wrong}"));
        page.wait_title("horn, pass 0 of 2");
        page.frames(20);
        page.shoot(name);
    }
    // The browser notes on its console what it could not load.
    assert!(page.faults().iter().all(|fault| fault.contains("Failed to load")), "{:?}", page.faults());
}

#[test]
fn a_piece_of_the_gallery_runs_and_is_a_stop_of_a_lesson() {
    let site = Site::new();
    let page = site.open("--gallery&delta");
    let step = "document.getElementById('step').textContent";
    page.wait("the piece", step, |step| {
        let step = step.as_str().unwrap();
        step.contains("Verified on the CPU. numbers: 16,384;")
            && step.contains("order with the fewest bits: 3.")
    });
    assert!(page.title().contains("Delta decoding by scans of higher order"), "{}", page.title());
    page.frames(5);
    page.shoot("piece");
    page.press("ArrowRight");
    page.wait_link("--gallery&splats");
    page.wait("the next one", step, |step| {
        step.as_str().unwrap().contains("Verified on the CPU. splats: 60,000;")
    });
    page.visit_file("#lesson=lessons/gallery.toml");
    page.wait_title("A lexer as a scan");
    page.frames(5);
    page.shoot("piece-lesson");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn german_is_fetched_when_it_is_asked_for() {
    let site = Site::new();
    let page = site.open("scan&-a&horn&random:n=16,max=9&--pass&2&--language&de");
    page.wait("the language", "document.documentElement.lang", |language| language == "de");
    let step = "document.getElementById('step').textContent";
    page.wait("the narration", step, |step| step.as_str().unwrap().contains("Durchgang 2 von 4"));
    page.frames(5);
    page.shoot("german");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn puzzles_are_written_and_checked() {
    let site = Site::new();
    let page = site.blank();
    page.size(1280, 713, false);
    page.go("");
    page.click(82.0, 10.0);
    page.frames(5);
    page.shoot("p1");
    page.click(107.0, 89.0);
    page.frames(10);
    page.shoot("p1");
    page.click(40.0, 128.0);
    let step = "document.getElementById('step').textContent";
    let says = |text: &'static str| move |step: &Value| step.as_str().unwrap().contains(text);
    page.wait("the first wrong pass", step, says("horn, pass 1 of 3"));
    page.press("End");
    page.wait("a wrong result", step, says("which is not what a loop gives"));
    page.frames(10);
    page.shoot("puzzle");
    // The line below the gap.
    page.click(1000.0, 473.0);
    page.press("Home");
    page.write("item = fetch_item(u_source, right, u_source_shape); ");
    page.wait("a right result", step, says("which matches a sequential loop"));
    page.frames(10);
    page.click(861.0, 181.0);
    page.frames(10);
    page.shoot("checked");
    // A loop without an end is stopped, and the page goes on.
    page.click(1000.0, 527.0);
    page.press("End");
    page.write(" for (;;) {} item = identity();");
    page.wait("a wrong result again", step, says("which is not what a loop gives"));
    page.shoot("loop");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn dropped_files_are_run_or_shown() {
    let site = Site::new();
    let page = site.open("scan&values:3,1,7&-a&horn");
    let drop = |name: &str, content: &str| {
        page.value(&format!(
            "(() => {{ const data = new DataTransfer(); data.items.add(new File([{content}], '{name}')); \
             const event = new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}); \
             document.getElementById('app').dispatchEvent(event); }})()"
        ));
    };
    drop("numbers.csv", "'5,6,7,8,9,10'");
    page.wait_title("horn, pass 0 of 3");
    // A link does not name files of this machine: its reader chooses one.
    page.wait_link("scan&file:&-a&horn");
    drop("broken.json", "'{}'");
    page.frames(5);
    page.shoot("broken");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn pictures_and_recordings_are_downloads() {
    let site = Site::new();
    let page = site.blank();
    page.before_all(
        "window.saved = []; HTMLAnchorElement.prototype.click = function () { \
         const name = this.download; fetch(this.href).then((file) => file.text()).then((text) => saved.push([name, text])); };",
    );
    page.go("scan&values:3,1,7,0,4,1,6,3&-a&horn&--pass&2");
    // File, then its entries from the top: open a recording, a lesson; save the recording, answers; PNG, SVG.
    page.click(20.0, 12.0);
    page.shoot("menu");
    page.click(60.0, 89.0);
    page.wait("a recording", "saved.length", |count| count.as_u64() == Some(1));
    assert!(
        page.text("saved[0][1]").starts_with("{\"schema\":\"rasterscan-trace\""),
        "{}",
        page.value("saved[0]")
    );
    page.click(20.0, 12.0);
    page.click(60.0, 164.0);
    page.wait("a picture", "saved.length", |count| count.as_u64() == Some(2));
    assert_eq!(page.value("saved[1][0]"), "horn.svg", "{}", page.value("saved[1][0]"));
    assert!(page.text("saved[1][1]").contains("<svg"));
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn a_lost_context_is_taken_up_again() {
    let site = Site::new();
    let page = site.blank();
    page.before_all(WATCH);
    page.go("scan&values:3,1,7,0,4,1,6,3&-a&horn");
    // The engine's: the next run makes another.
    page.value("lose(false)");
    page.press("s");
    page.wait_link("--beside&hybrid");
    page.wait("a live run", "document.getElementById('step').textContent", |text| {
        text.as_str().is_some_and(|text| text.contains("hybrid"))
    });
    // The picture's: the page says so, and starts again in the same state.
    page.value("lose(true)");
    page.wait("it is said", "document.getElementById('message').innerText", |text| {
        text.as_str().is_some_and(|text| text.contains("took the graphics context away"))
    });
    page.value("taken.restoreContext()");
    page.wait("it starts again", "window.rasterscan?.ready === true && contexts.length > 0", |ready| {
        *ready == Value::Bool(true)
    });
    page.wait_link("--beside&hybrid");
    page.shoot("restored");
}

#[test]
fn a_browser_without_webgl_runs_any_job_as_a_still_picture() {
    let site = Site::new();
    let page = site.blank();
    page.before_all(
        "for (const kind of [HTMLCanvasElement, OffscreenCanvas]) { const real = kind.prototype.getContext; \
         kind.prototype.getContext = function (name, ...options) { \
         return name.startsWith('webgl') ? null : real.call(this, name, ...options); }; }",
    );
    page.visit("scan&values:3,1,7,0,4,1,6,3&-a&horn");
    page.wait("a picture", "document.querySelector('figure svg') !== null", |there| {
        *there == Value::Bool(true)
    });
    let text = "document.getElementById('told').textContent";
    let begin = page.text(text);
    page.value("{ const at = document.getElementById('position'); at.value = 2; at.oninput(); }");
    assert!(page.text(text).contains("pass 2 of"), "{begin}, {}", page.text(text));
    page.shoot("still");
    let run = |words: &str| {
        page.value(&format!(
            "{{ const run = document.getElementById('job'); run.value = {words}; run.onchange(); }}"
        ));
        page.text(text)
    };
    let runs = page.value("document.querySelector('datalist').options.length").as_u64().unwrap();
    for number in 0..runs {
        let told = run(&format!("document.querySelector('datalist').options[{number}].value"));
        assert!(told.contains("pass 0 of"), "{number}: {told}");
    }
    assert!(runs >= 20);
    // The page shows what the address asks for, or says why not.
    for (link, says, lacks) in [
        ("scan&values:2,3,5,7&-a&horn&--pass&2", "horn, pass 2 of 2", ""),
        ("--tour&4", "blelloch, pass 5 of 6", ""),
        ("--puzzle&horn", "horn, pass 0 of 4", "Puzzles are not in this view"),
    ] {
        page.visit(link);
        page.wait(says, "document.title", |title| title.as_str().is_some_and(|title| title.contains(says)));
        let said = page.text("document.getElementById('lacks').textContent");
        assert!(said.starts_with(lacks) && said.is_empty() == lacks.is_empty(), "{said}");
        assert!(page.text("document.getElementById('message').innerText").contains("no WebGL 2"));
    }
    // The visitor's own numbers and parameters.
    let told = run("'scan values:2,3,5,7 -a harris:block=16'");
    assert!(told.contains("harris") && told.contains("pass 0 of"), "{told}");
    assert!(run("'scan values:2,x -a horn'").contains("'x'"));
    assert_eq!(page.faults(), [""; 0]);
}

/// Safari below 17 and WebKitGTK: canvases that belong to no page have no WebGL.
/// Tab goes from control to control of the app; after ctrl M it goes to what is beside the canvas.
#[test]
fn the_keyboard_is_not_caught_in_the_app() {
    let page = Site::new().open("scan&values:3,1,7,0,4,1,6,3&-a&horn");
    let at = "document.activeElement?.id || document.activeElement?.tagName";
    let begin = page.text(at);
    for _ in 0..3 {
        page.press("Tab");
    }
    assert_eq!(page.text(at), begin, "the app has the focus");
    page.press_with("m", CONTROL);
    page.press_with("Tab", SHIFT);
    assert_eq!(page.text(at), "read");
    assert_eq!(page.faults(), [""; 0]);
}

/// All of the tour by headings, paragraphs and fields, for who cannot see its pictures.
#[test]
fn the_tour_can_be_read_as_text() {
    let site = Site::new();
    let page = site.open("");
    page.value("document.getElementById('read').click(), 0");
    let heading = "document.querySelector('#reader h1')?.textContent ?? ''";
    let is = |title: &'static str| move |text: &Value| text.as_str() == Some(title);
    page.wait("the first stop", heading, is("What a scan is"));
    assert!(page.value("document.getElementById('app').hidden").as_bool().unwrap());
    page.shoot("read");
    let count = |selector: &str| {
        page.value(&format!("document.querySelectorAll('{selector}').length")).as_u64().unwrap()
    };
    assert_eq!(count("#stops a"), 14);
    page.value("document.querySelectorAll('#stops a')[2].click(), 0");
    page.wait("the third", heading, is("Horn's scan does too much work"));
    assert!(count("#text p") >= 2 && count("#history li") >= 3 && count("#stops [aria-current]") == 1);
    assert!(page.text("document.querySelector('#history li').innerText").contains("input: "));
    for (given, says) in [("x", "Not a number"), ("1", "Not yet")] {
        page.value(&format!(
            "document.getElementById('answer').value = '{given}', document.querySelector('#asked button').click(), 0"
        ));
        let replies = |text: &Value| text.as_str().unwrap().starts_with(says);
        page.wait(says, "document.getElementById('reply').textContent", replies);
    }
    let next = page.text("document.getElementById('next').href");
    assert!(next.ends_with("?--read&--tour&4"), "{next}");
    // No picture and no field is without a name, and none is wider than a phone.
    assert!(
        page.value(
            "[...document.querySelectorAll('#reader input')].every((field) => field.labels.length === 1)"
        )
        .as_bool()
        .unwrap()
    );
    page.size(390, 844, true);
    assert!(page.value("document.documentElement.scrollWidth <= innerWidth").as_bool().unwrap());
    page.shoot("read-phone");
    page.visit("--read&--tour&3&--language&de");
    page.wait("German", "document.getElementById('question')?.textContent ?? ''", |text| {
        text.as_str().unwrap().contains("Wie viele")
    });
    page.shoot("read-german");
    page.value("document.getElementById('back').click(), 0");
    page.wait_link("--tour&3&--language&de");
    page.wait("the app", "document.getElementById('app')?.hidden", |hidden| *hidden == Value::Bool(false));
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn a_browser_without_offscreen_webgl_runs_all_the_same() {
    let site = Site::new();
    let page = site.blank();
    page.before_all(
        "OffscreenCanvas.prototype.getContext = () => null; \
         const Real = Worker; window.Worker = class extends Real { constructor(url, options) { \
         const hide = 'data:text/javascript,OffscreenCanvas.prototype.getContext=()=>null'; \
         const text = `import '${hide}'; import '${new URL(url, location)}';`; \
         super(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), options); } };",
    );
    page.go("scan&values:3,1,7,0,4,1,6,3&-a&horn");
    page.wait_title("horn, pass 0 of 3");
    page.press("s");
    page.wait_link("--beside&hybrid");
    assert!(!page.step().contains("saved"), "{}", page.step());
    let report: Value = serde_json::from_str(&page.text("window.rasterscan.selftest(0, 10)")).unwrap();
    assert!(report["right"].as_u64() > Some(0) && report["wrong"] == Value::Array(Vec::new()), "{report}");
    // Measured in the page, since its worker cannot.
    page.visit_file("compare.html");
    page.wait("the form", "window.rasterscan?.ready === true", |ready| *ready == Value::Bool(true));
    page.value("document.getElementById('seconds').value = '3', document.getElementById('check').click(), 0");
    wait_done(&page);
    assert!(page.text("document.getElementById('table').textContent").contains("all of them are correct"));
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn nothing_is_drawn_where_nothing_moves() {
    let site = Site::new();
    let page = site.blank();
    page.before_all(WATCH);
    page.before_all(
        "const ask = window.requestAnimationFrame;
        window.asked = 0;
        window.requestAnimationFrame = function (callback) {
            window.asked++;
            return ask.call(window, callback);
        };",
    );
    page.go("scan&values:3,1,7,0,4,1,6,3&-a&horn");
    std::thread::sleep(Duration::from_secs(2));
    let before = page.value("[drawn, asked]");
    std::thread::sleep(Duration::from_secs(10));
    assert_eq!(page.value("[drawn, asked]"), before, "the page drew frames, or asked for some, while idle");
    let before = page.value("drawn");
    page.press("ArrowRight");
    page.wait("a key draws", "drawn", |drawn| *drawn != before);
}

#[test]
fn it_fits_phones_and_desktops_in_light_and_dark() {
    let site = Site::new();
    for (name, [width, height], scale, touch, scheme) in [
        ("phone", [390, 844], 3, true, "light"),
        ("phone-across", [844, 390], 3, true, "dark"),
        ("desktop", [1440, 900], 2, false, "dark"),
    ] {
        let page = site.scaled(scale);
        page.size(width, height, touch);
        page.scheme(scheme);
        page.go("scan&values:3,1,7,0,4,1,6,3&-a&horn&--pass&2");
        page.shoot(name);
        let pixels = [width, height].map(|side| side * scale);
        let canvas = "[document.getElementById('app').width, document.getElementById('app').height]";
        page.wait(name, canvas, |size| *size == serde_json::json!(pixels));
        assert_eq!(page.faults(), [""; 0], "{name}");
    }
}

#[test]
fn an_embedded_page_is_a_picture_and_its_timeline() {
    let site = Site::new();
    let page = site.blank();
    page.size(640, 360, false);
    page.go("embed=1&scan&values:3,1,7,0,4,1,6,3&-a&horn&--pass&1");
    page.wait_title("horn, pass 1 of 3");
    page.press("ArrowRight");
    page.wait_title("horn, pass 2 of 3");
    page.wait_link("--embed");
    page.shoot("embed");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn the_sample_article_has_three_live_figures() {
    let site = Site::new();
    let page = site.blank();
    page.visit_file("lecture.html");
    for (figure, title) in
        [(0, "horn, pass 1 of 3"), (1, "hybrid:reduce=2, pass 2 of 6"), (2, "horn:scan=horn, pass 6 of 7")]
    {
        let figure = format!("document.querySelectorAll('rasterscan-figure')[{figure}]");
        let shown = format!("{figure}?.shadowRoot?.querySelector('iframe')?.contentDocument?.title");
        page.wait(title, &shown, |found| found.as_str().is_some_and(|found| found.contains(title)));
    }
    // A changed attribute is another run.
    let first = "document.querySelector('rasterscan-figure')";
    page.value(&format!("{first}.setAttribute('pass', 3), 0"));
    page.wait("another pass", &format!("{first}.frame.contentDocument?.title"), |found| {
        found.as_str().is_some_and(|found| found.contains("horn, pass 3 of 3"))
    });
    // No figure has taken the article's focus, or scrolled to itself.
    assert_eq!(page.value("[document.activeElement.tagName, scrollY]"), serde_json::json!(["BODY", 0]));
    page.shoot("lecture");
    assert_eq!(page.faults(), [""; 0]);
}

/// Waits until the page has measured or checked.
fn wait_done(page: &Page) {
    page.wait("the end", "document.getElementById('status').textContent", |text| {
        let text = text.as_str().unwrap_or_default();
        assert!(!text.contains("could not"), "{text}");
        text.starts_with("Done")
    });
}

/// The bytes that the button saves.
fn saved(page: &Page) -> Vec<u8> {
    page.value(
        "HTMLAnchorElement.prototype.click = function () { fetch(this.href).then((file) => file.text()).then((text) => { \
         window.saved = text; }); }, 0",
    );
    page.value("document.getElementById('save').click(), 0");
    page.wait("the document", "window.saved?.length ?? 0", |length| length.as_u64() > Some(100));
    page.text("window.saved").into_bytes()
}

#[test]
fn a_device_is_checked_and_the_report_is_one_that_the_program_reads() {
    let site = Site::new();
    let page = site.blank();
    page.visit_file("compare.html");
    page.wait("the form", "window.rasterscan?.ready === true", |ready| *ready == Value::Bool(true));
    page.value("document.getElementById('seconds').value = '3', document.getElementById('check').click(), 0");
    wait_done(&page);
    assert!(page.text("document.getElementById('table').textContent").contains("all of them are correct"));
    page.shoot("check");
    let report = rasterscan_lab::selftest::parse(&saved(&page)).unwrap();
    assert!(report.checked > 10 && report.wrong.is_empty(), "{report:?}");
    assert!(report.total(|row| row.right) > 0 && report.machine.system.contains("Chrom"), "{report:?}");
    assert_eq!(page.faults(), [""; 0]);
}

#[test]
fn algorithms_are_compared_here_and_the_document_is_one_that_the_program_reads() {
    compare_in(&Site::new().blank());
}

fn compare_in(page: &Page) {
    page.visit_file("compare.html");
    page.wait("the form", "window.rasterscan?.ready === true", |ready| *ready == Value::Bool(true));
    page.value(
        "(() => { const set = (id, value) => { document.getElementById(id).value = value; }; \
         set('sizes', '10 12'); set('seconds', '6'); document.getElementById('form').requestSubmit(); })()",
    );
    wait_done(page);
    assert_eq!(page.value("document.querySelector('#chart svg') !== null"), true);
    let table = page.text("document.getElementById('table').textContent");
    for name in ["copy:texture", "cpu:sequential", "horn", "hybrid", "blelloch", "packed"] {
        assert!(table.contains(name), "{name}\n{table}");
    }
    println!("{table}");
    page.shoot("compare");
    let document = rasterscan_lab::compare::parse(&saved(page)).unwrap();
    assert_eq!(document.cases(), 2);
    assert!(document.rows.iter().all(|row| row.verified && row.clock == "wall"));
    assert_eq!(page.faults(), [""; 0]);
}
