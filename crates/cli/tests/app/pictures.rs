//! Pictures: drawn frames match the saved ones, and are drawn in time.

use egui::{Key, Theme};
use egui_kittest::{SnapshotOptions, SnapshotResults, try_image_snapshot_options};
use rasterscan::tools::job::{Job, Source};
use rasterscan::trace::Place;
use rasterscan_app::window::offscreen::{Look, Pictures};
use rasterscan_drawing::colour::{Palette, Scale};
use rasterscan_drawing::pixels;
use rasterscan_gallery::named;
use rasterscan_picture::{Pages, Spot, Style, Subject};

use super::{Stage, compact, scan};

/// Every pixel may differ a little, and a hundred may differ more: edges of letters and lines vary between drivers.
fn tolerance() -> SnapshotOptions {
    SnapshotOptions::new().threshold(1.0).failed_pixel_count_threshold(100).output_path("tests/app/snapshots")
}

#[test]
fn golden_pictures() {
    const PRINT: rasterscan_drawing::theme::Theme = rasterscan_drawing::theme::Theme::PRINT;
    const DARK: rasterscan_drawing::theme::Theme =
        rasterscan_drawing::theme::Theme { letters: 1.0, ..rasterscan_drawing::theme::Theme::DARK };
    let cases: [(&str, rasterscan_drawing::theme::Theme, Job, usize); 5] = [
        ("hybrid", PRINT, scan("hybrid:reduce=1", 8), 1),
        ("packed", DARK, scan("packed:block=2", 16), 2),
        ("crossed_out", PRINT, compact("points", 10), 1),
        ("lines", DARK, compact("blocks:size=8", 16), 9),
        ("buffers", PRINT, scan("harris", 8), 1),
    ];
    let mut results = SnapshotResults::new();
    for (name, theme, job, position) in cases {
        let stage = Stage::showing(job);
        let recording = stage.app().recording().unwrap();
        let subject = Subject::new((*recording).clone());
        let pages =
            Pages::new(&[&subject], Style { theme, range: subject.usual_range(), ..Style::default() });
        let picture = pixels::paint(&pages.draw(position, &[]), 0.6).unwrap();
        let [width, height] = picture.size;
        let image = image::RgbImage::from_raw(width, height, picture.rgb).unwrap();
        let image = image::DynamicImage::ImageRgb8(image).into_rgba8();
        results.add(try_image_snapshot_options(&image, name, &tolerance()));
    }
}

#[test]
fn the_whole_window_is_drawn_in_both_themes() {
    let brightness = [Theme::Light, Theme::Dark].map(|theme| {
        let mut stage = Stage::with([800.0, 600.0], 1.0, theme, |_| ());
        let image = stage.harness.render().unwrap();
        let sum: u64 = image.pixels().map(|pixel| u64::from(pixel.0[1])).sum();
        sum / (800 * 600)
    });
    assert!(brightness[0] > 200 && brightness[1] < 60, "{brightness:?}");
}

fn source(index: u32) -> Spot {
    Spot { source: true, place: Place { of: 0, index } }
}

/// The colour of each number of the only row of inputs, before the first pass.
fn colours(stage: &mut Stage, count: usize) -> Vec<[u8; 3]> {
    let image = stage.harness.render().unwrap();
    let spots: Vec<egui::Rect> =
        (0..count as u32).map(|i| stage.app().rect_of(0, source(i)).unwrap()).collect();
    let corner = |rect: &egui::Rect| rect.left_top() + rect.size() * 0.12;
    spots
        .iter()
        .map(|rect| {
            let at = corner(rect);
            let pixel = image.get_pixel(at.x as u32, at.y as u32).0;
            [pixel[0], pixel[1], pixel[2]]
        })
        .collect()
}

#[test]
fn a_number_has_the_colour_of_its_value() {
    let job = Job { source: Source::Values("0,1,2,3".into()), ..scan("horn", 16) };
    let mut stage = Stage::showing(job);
    // The run's sums reach 6.
    let scale = Scale { palette: Palette::Viridis, low: 0.0, high: 6.0, log: false };
    let expected: Vec<[u8; 3]> = (0..4).map(|value| scale.colour(f64::from(value))).collect();
    let found = colours(&mut stage, 4);
    for (found, expected) in found.iter().zip(&expected) {
        let off = found.iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(off <= 2, "{found:?} in place of {expected:?}");
    }
}

#[test]
fn golden_panels() {
    type Deed = fn(&mut Stage);
    let cases: [(&str, [f32; 2], Theme, Deed); 7] = [
        ("controls", [360.0, 480.0], Theme::Light, |stage| {
            stage.click("Run: Controls of the run");
        }),
        ("keeping", [360.0, 440.0], Theme::Dark, |stage| {
            stage.harness.state_mut().ask(compact("blocks:size=8", 16));
            stage.click("Run: Controls of the run");
        }),
        ("explained", [360.0, 400.0], Theme::Dark, |stage| {
            stage.press(Key::ArrowRight);
            stage.click("Explain: About this pass");
        }),
        ("banks", [360.0, 380.0], Theme::Light, |stage| {
            stage.harness.state_mut().ask(scan("capannini:pattern=no_padding,block=32,banks=16", 32));
            stage.press(Key::End);
            stage.click("Explain: About this pass");
        }),
        ("tour", [630.0, 360.0], Theme::Light, |stage| {
            stage.press(Key::T);
        }),
        ("beside", [640.0, 300.0], Theme::Dark, |stage| {
            stage.click("Run: Controls of the run");
            stage.press(Key::S).press(Key::ArrowRight);
            stage.click("Run: Controls of the run");
        }),
        ("gallery", [770.0, 320.0], Theme::Light, |stage| {
            stage.harness.state_mut().open(&super::gallery::page(named("quicksort").unwrap()));
            stage.harness.run();
        }),
    ];
    let mut results = SnapshotResults::new();
    for (name, size, theme, deed) in cases {
        let mut stage = Stage::with(size, 1.0, theme, |_| ());
        if name == "banks" && stage.compute().is_none() {
            println!("not applicable: this device has no compute shaders");
            continue;
        }
        deed(&mut stage);
        stage.harness.remove_cursor();
        stage.wait(0.2);
        let image = stage.harness.render().unwrap();
        results.add(try_image_snapshot_options(&image, name, &tolerance()));
    }
}

/// Run it alone: `cargo test --release --test app in_time -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
fn a_frame_of_everything_is_drawn_in_time() {
    type Deed = fn(&mut Stage);
    let shown: [(&str, Deed); 3] = [
        ("horn, n = 4096", |stage| {
            stage.press(Key::End);
        }),
        ("two runs side by side", |stage| {
            stage.press(Key::S).press(Key::ArrowRight);
        }),
        ("shared memory of a block of 1024", |stage| {
            stage.harness.state_mut().ask(scan("capannini:block=1024", 4096));
            stage.press(Key::ArrowRight);
        }),
    ];
    for (what, deed) in shown {
        let mut stage = Stage::showing(scan("horn", 4096));
        deed(&mut stage);
        let app = stage.harness.state_mut();
        let mut pictures = Pictures::headless().unwrap();
        let look = Look { size: [1280, 800], scale: 1.0, theme: Theme::Dark };
        let mut times: Vec<f64> =
            (0..25).map(|_| pictures.time(&look, |ui| app.ui(ui)).unwrap().as_secs_f64() * 1e3).collect();
        times.sort_by(f64::total_cmp);
        println!("{what}: a frame takes {:.1} ms (median), {:.1} at most", times[12], times[24]);
        assert!(times[12] < 33.0, "{what}: {:.1} ms", times[12]);
    }
}
