use super::super::chart::samples;
use super::*;

/// A page that has everything, with texts that are not HTML.
pub fn sample() -> Page {
    let compared = |what: &str, paper: &str, ours: &str, verdict| Compared {
        what: what.into(),
        paper: paper.into(),
        ours: ours.into(),
        interval: "1.25x to 1.40x".into(),
        reproduced: "1.36x to 1.56x".into(),
        opposite: "below 1.00x".into(),
        verdict,
        value: None,
        paper_value: None,
    };
    let claim = |text: &str, verdict| Claim {
        key: "a paper".into(),
        text: text.into(),
        source: "Section 4".into(),
        verdict,
        why: "The ratio of the two is within a fifth of the paper's at most sizes.".into(),
        points: vec![
            compared("at 2^16", "1.45x", "1.31x", verdict),
            compared("at 2^20", "2.0x", "-", Verdict::NotMeasured),
        ],
    };
    let section = |key: &str, title: &str, figures| Section {
        key: key.into(),
        title: title.into(),
        citation:
            "S. Sengupta, A. E. Lefohn and J. D. Owens: A Work-Efficient Step-Efficient Prefix Sum Algorithm."
                .into(),
        notes: vec![
            "Measured then on a GeForce 6800, whose texture units fetch four words at a time.".into(),
        ],
        claims: vec![
            claim("The hybrid is faster than either of its parts above 2^14 elements", Verdict::Reproduced),
            claim("Switching pays <most> at \"512\" & below", Verdict::Weaker),
            claim("Horn's search costs as much as the scan", Verdict::Opposite),
            claim("Geometry shaders keep the order", Verdict::NotOnThisDevice),
            claim("A million elements take 3.9 ms", Verdict::NotMeasured),
        ],
        figures,
        tables: vec![Table {
            title: "Times, ms".into(),
            header: ["algorithm", "2¹²", "2¹⁶", "2²⁰", "2²⁴"].map(String::from).to_vec(),
            rows: vec![
                ["hybrid", "0.041", "0.12", "1.31", "19.8"].map(String::from).to_vec(),
                ["blocks:inner=packed,search=for,ends=fetched,draw=lines", "0.044", "0.11", "1.20", "18.1"]
                    .map(String::from)
                    .to_vec(),
            ],
        }],
        errata: vec![("Algorithm 1, line 2".into(), "The condition is k >= 2^(d-1) & not <=.".into())],
    };
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Page {
        title: "What the papers said <and> what a GPU says now".into(),
        lead: vec![
            "Each paper's own figures, measured again with the same algorithms & the same sizes.".into(),
        ],
        facts: vec![
            fact("renderer", "llvmpipe (LLVM 15.0.6, 256 bits)"),
            fact("driver", "4.5 (Core Profile) Mesa 22.3.6"),
            fact("date", "22 November"),
            fact("elements", "2^10 to 2^24, u32"),
        ],
        sections: vec![
            section("sengupta2006", "Hybrid scan", vec![samples::measured(), samples::bars()]),
            section("horn2005", "Stream reduction", vec![samples::crowded()]),
            section("horn2005", "The same key again", vec![samples::empty()]),
            section("summary", "A key that is taken", Vec::new()),
        ],
        closing: vec![
            ("How it was measured".into(), vec!["Each time is the median of some runs.".into()]),
            ("Biases".into(), vec!["The clock of the GPU is not fixed.".into()]),
        ],
        data: Some("report.json".into()),
    }
}

#[test]
fn all_text_is_escaped() {
    let document = html(&sample());
    assert!(document.contains("What the papers said &lt;and&gt; what a GPU says now"));
    assert!(document.contains("Switching pays &lt;most&gt; at &quot;512&quot; &amp; below"));
    assert!(!document.contains("<and>") && !document.contains("<most>"));
}

#[test]
fn every_figure_is_in_the_page() {
    let page = sample();
    let document = html(&page);
    for figure in page.sections.iter().flat_map(|section| &section.figures) {
        assert!(document.contains(&figure.svg()), "{}", figure.title);
    }
}

fn attributes<'a>(document: &'a str, name: &str) -> Vec<&'a str> {
    document.split(&format!(" {name}=\"")).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    let document = html(&sample());
    let ids = attributes(&document, "id");
    assert!(ids.contains(&"sengupta2006") && ids.contains(&"horn2005-2") && ids.contains(&"summary-2"));
    for (i, id) in ids.iter().enumerate() {
        assert!(!ids[..i].contains(id), "{id}");
    }
    let links = attributes(&document, "href");
    assert!(links.len() > 25);
    // Files beside the page: the rows, the summary, the values of figures.
    let (own, files): (Vec<&str>, Vec<&str>) = links.into_iter().partition(|link| link.starts_with('#'));
    for link in own {
        assert!(ids.contains(&link.trim_start_matches('#')), "{link}");
    }
    let values = value_files(&sample());
    for file in files {
        let known =
            ["report.json", SUMMARY_FILE].contains(&file) || values.iter().any(|(name, _)| name == file);
        assert!(known, "{file}");
    }
}

#[test]
fn headings_are_in_order() {
    let document = html(&sample());
    let levels: Vec<u32> =
        document.split("<h").skip(1).filter_map(|rest| rest.chars().next()?.to_digit(10)).collect();
    assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1);
    assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
}

#[test]
fn the_page_needs_nothing_else() {
    let document = html(&sample());
    for outside in ["<script", "<link", " src=", "url(", "@import"] {
        assert!(!document.contains(outside), "{outside}");
    }
    let alone = html(&Page { data: None, ..sample() });
    assert!(attributes(&alone, "href").iter().all(|link| link.starts_with('#')));
}

#[test]
fn an_empty_page_is_a_page() {
    let document = html(&Page::default());
    assert!(!document.contains("Summary") && document.trim_end().ends_with("</html>"));
}
