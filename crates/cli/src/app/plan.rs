//! What the app begins with, by the words of its command line.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, bail};

use rasterscan::ScanKind;
use rasterscan::registry::{Choice, Family};
use rasterscan_app::App;
use rasterscan_app::ask::{Ask, Keeping};
use rasterscan_app::data::{self as numbers, Data};
use rasterscan_app::runner::Runner;

use super::look::LookOptions;
use super::{AppOptions, files};
use crate::called;
use crate::exit::Usage;
use crate::input::Random;

/// All that the app begins with.
pub struct Plan {
    ask: Ask,
    beside: Option<Ask>,
    trace: Option<(rasterscan::trace::Recording, PathBuf)>,
    pass: usize,
    tour: Option<u64>,
    look: LookOptions,
    /// Whether nothing in particular was asked for.
    first: bool,
}

impl Plan {
    /// Makes the app, with somebody who runs algorithms.
    pub fn begin(self, runner: Box<dyn Runner>) -> App {
        let mut app = App::new(runner).with_files(files::files());
        app.program = called();
        match self.trace {
            Some((recording, file)) => app.show(recording, file),
            None => app.ask(self.ask),
        }
        if self.beside.is_some() {
            app.ask_beside(self.beside);
        }
        app.go(self.pass);
        self.look.apply(&mut app);
        if self.first {
            app.greet("New here? Press T, or Tour above, for a guided tour.");
        }
        if let Some(stop) = self.tour {
            app.tour.open = true;
            app.tour.stop = stop.saturating_sub(1) as usize;
        }
        app
    }
}

impl AppOptions {
    /// Settles what the command line says.
    ///
    /// Errors: what names nothing that there is, a file that cannot be read, a damaged trace.
    pub fn plan(&self) -> anyhow::Result<Plan> {
        let trace = match &self.trace {
            Some(file) => Some((rasterscan_app::load_trace(file).map_err(anyhow::Error::msg)?, file.clone())),
            None => None,
        };
        let ask = self.ask()?;
        let beside = match &self.beside {
            Some(algorithm) => {
                Choice::parse(ask.family, algorithm)?;
                Some(Ask { algorithm: algorithm.clone(), ..ask.clone() })
            }
            None => None,
        };
        Ok(Plan {
            ask,
            beside,
            trace,
            pass: self.pass,
            tour: self.tour,
            look: self.look.clone(),
            first: self.is_bare(),
        })
    }

    /// Whether it opens what it opens by itself.
    fn is_bare(&self) -> bool {
        let asked = self.input.is_some() || self.algorithm.is_some() || self.values.is_some();
        !asked && self.trace.is_none() && self.tour.is_none() && self.screenshot.is_none()
    }

    fn ask(&self) -> anyhow::Result<Ask> {
        let family = self.family();
        let algorithm = self.algorithm.clone().unwrap_or("horn".into());
        Choice::parse(family, &algorithm)?;
        let mut ask = match family {
            Family::Scan => Ask::scan(algorithm),
            Family::Compact => Ask::compact(algorithm),
        };
        ask.operator = self.op.clone().unwrap_or(ask.operator);
        ask.kind = if self.exclusive { ScanKind::Exclusive } else { ScanKind::Inclusive };
        ask.order = self.order.unwrap_or(ask.order);
        ask.tuple = self.tuple.unwrap_or(ask.tuple);
        ask.element = self.dtype.unwrap_or(ask.element);
        ask.moves = self.moves.unwrap_or(ask.moves);
        if let Some(text) = &self.values {
            ask.data = Data::Typed(text.clone());
        }
        if let Some(input) = &self.input {
            let (data, len) = data(input)?;
            ask.data = data;
            // INPUT counts elements, of which an item of affine has two.
            ask.n = len.map_or(ask.n, |len| len / u64::from(ask.arity()));
        }
        ask.n = self.n.unwrap_or(ask.n);
        if let Some(keep) = &self.keep {
            ask.keep = Keeping::Condition(keep.clone());
        }
        if let Some(mask) = &self.mask {
            ask.keep = Keeping::Mask(match mask.strip_prefix("values:") {
                Some(text) => Data::Typed(text.into()),
                None => data(&OsString::from(mask))?.0,
            });
        }
        Ok(ask)
    }

    /// Which of the families has the algorithm: that of the options that only one of them has.
    fn family(&self) -> Family {
        if self.compact || self.keep.is_some() || self.mask.is_some() || self.moves.is_some() {
            return Family::Compact;
        }
        let algorithm = self.algorithm.as_deref().unwrap_or("horn");
        let scan = Choice::parse(Family::Scan, algorithm).is_ok();
        let compact = Choice::parse(Family::Compact, algorithm).is_ok();
        if compact && !scan { Family::Compact } else { Family::Scan }
    }
}

fn data(input: &OsString) -> anyhow::Result<(Data, Option<u64>)> {
    let text = input.to_str().unwrap_or_default();
    if let Some(made) = Data::pattern(text).map_err(Usage)? {
        return Ok(made);
    }
    if let Some(settings) = text.strip_prefix("random:").or((text == "random").then_some("")) {
        // Of scans, too: their numbers may have gaps.
        let Random { n, seed, max, keep } = Random::parse(settings, Family::Compact).map_err(Usage)?;
        let max = u32::try_from(max)
            .map_err(|_| Usage(format!("random: max is at most {}, for the app", u32::MAX)))?;
        let counted = settings.split(',').any(|setting| setting.starts_with("n="));
        return Ok((Data::Random(numbers::Random { seed, max, keep }), counted.then_some(n)));
    }
    if text == "-" {
        bail!(Usage("the app reads no standard input: give a file, or --values".into()));
    }
    let path = PathBuf::from(input);
    std::fs::metadata(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((Data::File(path), None))
}
