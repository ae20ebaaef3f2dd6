//! The parameters of an algorithm, as declared on its card.

use egui::{ComboBox, Grid, Ui};
use rasterscan::tools::Job;
use rasterscan::tools::registry::{Card, Choice, Parameter};
use rasterscan_lesson::phrases::say;

use super::Changed;
use crate::job;
use crate::spoken::labelled;

/// The numbers offered above the least, unless they are powers of two; the command line takes others.
const FEW: u32 = 16;

/// Shows a field for each parameter, and writes its value into the job.
pub fn show(ui: &mut Ui, job: &mut Job, choice: &Choice, changed: &mut Changed) {
    let card = choice.card;
    if card.parameters.is_empty() {
        return;
    }
    let mut values = choice.parameters();
    let mut edited = false;
    Grid::new("parameters").num_columns(2).spacing([8.0, 5.0]).show(ui, |ui| {
        for (parameter, (name, value)) in card.parameters.iter().zip(&mut values) {
            let label = ui.label(*name).on_hover_text(say(parameter.about));
            let combo = ComboBox::from_id_salt(("parameter", name)).selected_text(value.as_str());
            let combo = combo.show_ui(ui, |ui| {
                for option in options(parameter) {
                    edited |= ui.selectable_value(value, option.clone(), option).changed();
                }
            });
            labelled(combo.response, &label, parameter.name);
            ui.end_row();
        }
    });
    if let Some(choice) = edited.then(|| with(card, &values)).flatten() {
        *job = job.clone().by(choice);
        changed.chosen = true;
    }
}

/// The algorithm with the parameters that are not at their defaults.
fn with(card: &Card, values: &[(&'static str, String)]) -> Option<Choice> {
    let set = card.parameters.iter().zip(values).filter(|(parameter, (_, value))| value != parameter.default);
    let set: Vec<String> = set.map(|(_, (name, value))| format!("{name}={value}")).collect();
    // Without any, a job is fitted to its numbers.
    let set = if set.is_empty() { job::as_they_are(values) } else { set };
    Choice::parse(card.problem, &format!("{}:{}", card.name, set.join(","))).ok()
}

/// The values to choose from: words, and numbers if they are few.
fn options(parameter: &Parameter) -> Vec<String> {
    let words = parameter.domain.names().into_iter().map(|word| word.to_owned());
    let Some(numbers) = &parameter.domain.numbers else { return words.collect() };
    let numbers: Vec<u32> = match numbers.powers_of_two {
        true => (0..32).map(|log| 1 << log).filter(|one| (numbers.min..=numbers.max).contains(one)).collect(),
        false => (numbers.min..=numbers.max.min(numbers.min.saturating_add(FEW))).collect(),
    };
    words.chain(numbers.iter().map(u32::to_string)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rasterscan::tools::registry;

    #[test]
    fn every_option_of_every_parameter_is_one_that_the_algorithm_takes() {
        let mut tried = 0;
        for card in registry::all() {
            for parameter in card.parameters {
                let options = options(parameter);
                assert!(options.iter().any(|option| option == parameter.default), "{}", card.name);
                for option in options {
                    let text = format!("{}:{}={option}", card.name, parameter.name);
                    assert!(Choice::parse(card.problem, &text).is_ok(), "{text}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 50, "{tried}");
    }

    #[test]
    fn only_what_is_not_the_default_is_written() {
        let choice = Choice::parse(rasterscan::tools::problem::SCAN, "hybrid:reduce=2").unwrap();
        let written = |choice: Choice| with(choice.card, &choice.parameters()).unwrap().to_string();
        assert_eq!(written(choice.clone()), "hybrid:reduce=2");
        // Without any parameter it would be fitted to its numbers.
        assert_eq!(written(choice.card.with_defaults()), "hybrid:reduce=auto");
    }
}
