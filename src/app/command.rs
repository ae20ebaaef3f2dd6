//! The command line that shows what is shown.

use super::ask::{Ask, Keeping, MAX_SHOWN};
use super::data::Data;
use crate::element::ElementType;
use crate::operator::Operator;
use crate::registry::Family;
use crate::spec::{Moves, ScanKind};

impl Ask {
    /// The command that shows this, at a position.
    pub fn command(&self, position: usize, beside: Option<&str>) -> String {
        let mut words = vec!["rasterscan".to_owned(), "app".into()];
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
                if self.operator != Operator::Add {
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
        if position > 0 {
            words.extend(["--pass".into(), position.to_string()]);
        }
        if let Some(beside) = beside {
            words.extend(["--beside".into(), beside.into()]);
        }
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

    #[test]
    fn commands_say_what_is_not_the_default() {
        assert_eq!(
            Ask::scan("horn").command(2, None),
            "rasterscan app random:n=16,seed=7,max=9 -a horn --pass 2"
        );
        let typed = Ask { kind: ScanKind::Exclusive, ..Ask::scan("horn").data(Data::Typed("3, 1".into())) };
        assert_eq!(
            typed.command(0, Some("hybrid:reduce=2")),
            "rasterscan app --values '3 1' -a horn --exclusive --beside hybrid:reduce=2"
        );
        let compact = Ask { keep: Keeping::Condition(">4".into()), ..Ask::compact("points") };
        assert_eq!(
            compact.command(0, None),
            "rasterscan app random:n=16,seed=7,max=9,keep=0.5 -a points --keep '>4'"
        );
    }
}
