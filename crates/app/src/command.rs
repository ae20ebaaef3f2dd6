//! The command line that shows the current picture.

use egui::Vec2;
use rasterscan::job::quoted;

use super::view::View;
use super::{App, job};
use rasterscan_picture::ColourRange;

impl View {
    /// The options for the look of the picture that differ from the defaults.
    fn words(&self, range: ColourRange) -> Vec<String> {
        let usual = View::default();
        let mut words = Vec::new();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if self.palette != usual.palette {
            option("--palette", self.palette.name().into());
        }
        if self.format != usual.format {
            option("--numbers", self.format.name().into());
        }
        if self.range != range {
            option("--colours", self.range.word().into());
        }
        let camera = &self.cameras[0];
        if let Some(zoom) = camera.zoom {
            option("--zoom", format!("{zoom:.2}"));
        }
        if camera.pan != Vec2::ZERO {
            option("--pan", format!("{:.0},{:.0}", camera.pan.x, camera.pan.y));
        }
        if !self.in_a_row {
            words.push("--rows".into());
        }
        if !self.arrows {
            words.push("--no-arrows".into());
        }
        words
    }
}

impl App {
    /// The command line that shows the current picture: the same run, at the same pass, with the same look.
    pub fn command(&self) -> String {
        let mut words = vec![self.program.clone(), "app".into()];
        let shown = self.shown[0].as_ref();
        match shown.and_then(|shown| shown.file.as_ref()).filter(|_| !self.beside) {
            Some(file) => words.extend(["--trace".into(), file.display().to_string()]),
            // The run shown, not a later one that failed.
            None => words.extend(shown.and_then(|shown| shown.job.as_ref()).unwrap_or(&self.jobs[0]).words()),
        }
        let beside = self.shown[1].as_ref().filter(|_| self.beside);
        if let Some(beside) = beside {
            let job = beside.job.as_ref().unwrap_or(&self.jobs[1]);
            words.extend(["--beside".into(), job::choice(job).to_string()]);
        }
        if self.view.position > 0 {
            words.extend(["--pass".into(), self.view.position.to_string()]);
        }
        words.extend(self.view.words(shown.map_or(ColourRange::Run, |shown| shown.usual_range())));
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use rasterscan::Job;

    use super::*;
    use crate::engine::NoGpu;
    use rasterscan_picture::NumberFormat;
    use rasterscan_picture::colour::Palette;

    fn app(words: &[&str]) -> App {
        let mut app = App::new(Box::new(NoGpu("none".into())));
        app.ask(Job::parse(words.iter().copied()).unwrap());
        app
    }

    #[test]
    fn commands_say_what_is_not_the_default() {
        let mut app = app(&["scan", "random:n=16,seed=7,max=9", "-a", "horn"]);
        app.go(2);
        assert_eq!(app.command(), "rasterscan app scan random:n=16,seed=7,max=9 -a horn --pass 2");
        (app.view.palette, app.view.format) = (Palette::Grey, NumberFormat::Hex);
        (app.view.in_a_row, app.view.arrows) = (false, false);
        (app.view.cameras[0].zoom, app.view.cameras[0].pan) = (Some(20.0), Vec2::new(4.0, -3.0));
        assert!(app.command().ends_with(
            " --pass 2 --palette grey --numbers hexadecimal --zoom 20.00 --pan 4,-3 --rows --no-arrows"
        ));
    }

    #[test]
    fn commands_are_jobs() {
        for words in [
            ["scan", "values:3,1", "-a", "horn", "--exclusive"].as_slice(),
            &["compact", "random:n=16,seed=7,max=9,keep=0.5", "-a", "points", "--keep", ">4"],
            &["compact", "ramp:n=16", "-a", "points", "--mask", "alternating:n=16"],
            &["reduce", "ramp:n=16", "-a", "pairs", "--op", "max", "--dtype", "i64"],
        ] {
            let job = Job::parse(words.iter().copied()).unwrap();
            assert_eq!(app(words).command(), format!("rasterscan app {job}"));
        }
    }

    #[test]
    fn what_could_not_be_run_is_not_in_the_command() {
        let mut app = app(&["scan", "ramp:n=4", "-a", "horn"]);
        app.ask(Job::parse(["scan", "missing.npy", "-a", "horn"]).unwrap());
        assert!(app.wrong().is_some() && app.command().ends_with(" ramp:n=4 -a horn"), "{}", app.command());
    }
}
