//! The command line that shows what is shown.

use egui::Vec2;
use rasterscan::element::ElementType;
use rasterscan::operator::Operator;
use rasterscan::registry::Family;
use rasterscan::spec::{Keep, Moves, Request, ScanKind};
use rasterscan::trace::Recording;

use super::App;
use super::ask::{Ask, Keeping, MAX_SHOWN};
use super::data::Data;
use super::shown::Shown;
use super::view::{ColourRange, View};

impl Ask {
    /// The words of a command line that ask for this.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let count = self.n.min(MAX_SHOWN) * u64::from(self.arity());
        match &self.data {
            Data::Typed(text) => {
                let numbers = text.split(|c: char| c.is_whitespace() || ",;".contains(c));
                let numbers: Vec<&str> = numbers.filter(|number| !number.is_empty()).collect();
                words.extend(["--values".into(), numbers.join(" ")]);
            }
            data => words.extend(data.argument(count)),
        }
        words.extend(["-a".into(), self.algorithm.clone()]);
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if self.element != ElementType::U32 {
            option("--dtype", self.element.to_string());
        }
        match self.family {
            Family::Scan => {
                if self.operator != Operator::ADD {
                    option("--op", self.operator.to_string());
                }
                if self.order > 1 {
                    option("--order", self.order.to_string());
                }
                if self.tuple > 1 {
                    option("--tuple", self.tuple.to_string());
                }
                if self.kind == ScanKind::Exclusive {
                    words.push("--exclusive".into());
                }
            }
            Family::Compact => {
                match &self.keep {
                    Keeping::Condition(text) => option("--keep", text.trim().into()),
                    Keeping::Mask(data) => {
                        option("--mask", data.argument(count).unwrap_or_else(|| typed(data)));
                    }
                }
                if self.moves != Moves::Values {
                    option("--moves", self.moves.name().into());
                }
            }
        }
        words
    }

    /// What asks for the run that was recorded, with its numbers as if they had been typed in.
    pub fn of_recording(recording: &Recording) -> Ask {
        let numbers = |input: usize| {
            let values = recording.inputs.get(input).map(|content| &content.values);
            let texts =
                values.map(|values| (0..values.len()).map(|index| values.decimal(index)).collect::<Vec<_>>());
            Data::Typed(texts.unwrap_or_default().join(" "))
        };
        let ask = match &recording.request {
            Request::Scan(spec) => Ask {
                operator: spec.operator.clone(),
                kind: spec.kind,
                order: spec.order,
                tuple: spec.tuple,
                ..Ask::scan(&recording.algorithm)
            },
            Request::Compact(spec) => Ask {
                moves: spec.moves,
                keep: match &spec.keep {
                    Keep::Condition(condition) => Keeping::Condition(condition.to_string()),
                    Keep::Mask => Keeping::Mask(numbers(1)),
                },
                ..Ask::compact(&recording.algorithm)
            },
        };
        let n = recording.request.len();
        Ask { n, element: recording.request.element(), ..ask }.data(numbers(0))
    }
}

impl View {
    /// The words that say how the picture looks, where that is not how it looks by itself.
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
    /// The command line that shows this: the same run, at the same pass, looking as it does.
    pub fn command(&self) -> String {
        let mut words = vec![self.program.clone(), "app".into()];
        let shown = self.shown[0].as_ref();
        match shown.and_then(|shown| shown.file.as_ref()).filter(|_| !self.beside) {
            Some(file) => words.extend(["--trace".into(), file.display().to_string()]),
            // What is shown, not what could not be run since.
            None => words.extend(shown.and_then(|shown| shown.ask.as_ref()).unwrap_or(&self.asks[0]).words()),
        }
        let beside = self.shown[1].as_ref().filter(|_| self.beside);
        if let Some(beside) = beside {
            let algorithm = beside.ask.as_ref().map_or(&self.asks[1].algorithm, |ask| &ask.algorithm);
            words.extend(["--beside".into(), algorithm.clone()]);
        }
        if self.view.position > 0 {
            words.extend(["--pass".into(), self.view.position.to_string()]);
        }
        words.extend(self.view.words(shown.map_or(ColourRange::Run, Shown::usual_range)));
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

fn typed(data: &Data) -> String {
    match data {
        Data::Typed(text) => format!("values:{text}"),
        _ => String::new(),
    }
}

/// A word for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,".contains(c);
    match word.chars().all(plain) && !word.is_empty() {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::Palette;
    use crate::runner::NoGpu;
    use crate::view::NumberFormat;

    fn command(ask: Ask) -> String {
        let mut app = App::new(Box::new(NoGpu("none".into())));
        app.ask(ask);
        app.command()
    }

    #[test]
    fn commands_say_what_is_not_the_default() {
        let mut app = App::new(Box::new(NoGpu("none".into())));
        app.ask(Ask::scan("horn"));
        app.go(2);
        assert_eq!(app.command(), "rasterscan app random:n=16,seed=7,max=9 -a horn --pass 2");
        (app.view.palette, app.view.format) = (Palette::Grey, NumberFormat::Hex);
        (app.view.in_a_row, app.view.arrows) = (false, false);
        (app.view.cameras[0].zoom, app.view.cameras[0].pan) = (Some(20.0), Vec2::new(4.0, -3.0));
        assert!(app.command().ends_with(
            " --pass 2 --palette grey --numbers hexadecimal --zoom 20.00 --pan 4,-3 --rows --no-arrows"
        ));
        let typed = Ask { kind: ScanKind::Exclusive, ..Ask::scan("horn").data(Data::Typed("3, 1".into())) };
        assert_eq!(command(typed), "rasterscan app --values '3 1' -a horn --exclusive");
        let compact = Ask { keep: Keeping::Condition(">4".into()), ..Ask::compact("points") };
        assert_eq!(
            command(compact),
            "rasterscan app random:n=16,seed=7,max=9,keep=0.5 -a points --keep '>4'"
        );
    }

    #[test]
    fn what_could_not_be_run_is_not_in_the_command() {
        let mut app = App::new(Box::new(NoGpu("none".into())));
        app.ask(Ask::scan("horn"));
        app.ask(Ask::scan("hron"));
        assert!(app.wrong().is_some() && app.command().ends_with(" -a horn"));
    }
}
