//! Every pass is at some line of the pseudo-code, and every line that can be lit is.

use std::collections::{BTreeMap, BTreeSet};

use rasterscan::Gpu;
use rasterscan::lesson::listing::{keys_of, listing, lit, marks};

use super::runs::{choices, record, request, values};

/// The keys of the bibliography.
fn keys() -> BTreeSet<String> {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/references.bib")).unwrap();
    let entries = text.lines().filter(|line| line.starts_with('@'));
    entries.filter_map(|line| Some(line.split_once('{')?.1.trim_end_matches(',').to_owned())).collect()
}

#[test]
fn every_pass_lights_a_line_and_every_mark_is_of_a_pass() {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    let cited = keys();
    assert!(cited.contains("roger2007"));
    // Of each listing, by its title, the marks that have not been met.
    let mut open: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut met: BTreeSet<String> = BTreeSet::new();
    for choice in choices() {
        for len in [1, 7, 300] {
            let family = choice.card.family;
            let mut requests = vec![request(family, len)];
            if let rasterscan::Request::Scan(spec) = requests[0] {
                requests.push(rasterscan::Request::Scan(spec.exclusive()));
            }
            for request in requests {
                let Some(recording) = record(&gpu, &choice, &request, &[&values(family, len, 3)]) else {
                    continue;
                };
                let listing = listing(&recording);
                assert!(!listing.sections.is_empty(), "no pseudo-code for {}", recording.algorithm);
                for section in &listing.sections {
                    assert!(!section.sources.is_empty() && !section.lines.is_empty(), "{}", section.title);
                    assert!(section.sources.iter().all(|key| cited.contains(*key)), "{:?}", section.sources);
                    let corrected = section.lines.iter().any(|line| line.corrected);
                    assert_eq!(
                        corrected,
                        !section.corrected.is_empty(),
                        "{}: what is corrected is said",
                        section.title
                    );
                }
                open.entry(format!("{choice}").split(':').next().unwrap().into())
                    .or_default()
                    .extend(marks(&listing));
                for pass in 0..recording.passes.len() {
                    let lit = lit(&recording, pass);
                    let phase = &recording.passes[pass].phase;
                    assert!(
                        !lit.is_empty(),
                        "{}: pass {} ({phase}) is at no line",
                        recording.algorithm,
                        pass + 1
                    );
                    assert!(lit.iter().all(|at| at.line < listing.sections[at.section].lines.len()));
                    met.extend(keys_of(&recording, pass));
                }
            }
        }
    }
    // A device without compute shaders meets none of theirs.
    if gpu.device().compute.is_some() {
        let unmet: BTreeSet<&str> =
            open.values().flatten().copied().filter(|mark| !met.contains(*mark)).collect();
        assert!(unmet.is_empty(), "lines that no pass is ever at: {unmet:?}");
    }
}

#[test]
fn an_unknown_algorithm_has_no_listing_and_does_no_harm() {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    let horn = super::runs::choice(rasterscan::registry::Family::Scan, "horn");
    let family = horn.card.family;
    let mut recording = record(&gpu, &horn, &request(family, 7), &[&values(family, 7, 3)]).unwrap();
    recording.algorithm = "sklansky:height=3".into();
    recording.passes[0].shaders.clear();
    assert!(listing(&recording).sections.is_empty());
    assert!(lit(&recording, 0).is_empty() && lit(&recording, 99).is_empty());
}
