//! The model of `docs/scaling.md`: the formula is what simulated ranks need, and the document has its tables.
//! `UPDATE_TABLES=1` writes them.

use std::fs;

use rasterscan_mpi::model::{Exchange, H200, bounds, formula, jitter, simulate, strong, thresholds};

#[test]
fn equal_ranks_need_what_the_formula_says() {
    for exchange in [Exchange::Chain, Exchange::Doubling] {
        for ranks in (1..40).chain([64, 100, 1024]) {
            for items in [1e6, 1e9, 1e13] {
                let sum: f64 = formula(&H200, items, ranks, exchange).iter().sum();
                let simulated = simulate(&H200, items, ranks, exchange, |_| 1.0);
                assert!(
                    (simulated / sum - 1.0).abs() < 1e-9,
                    "{exchange:?} {ranks} {items}: {simulated}, not {sum}"
                );
                // Slower ranks make it slower, by no more than the slowest.
                let slowest = (0..ranks).map(jitter).fold(1.0, f64::max);
                let unequal = simulate(&H200, items, ranks, exchange, jitter);
                assert!(
                    slowest <= 1.05 && (sum..=sum * slowest * (1.0 + 1e-9)).contains(&unequal),
                    "{exchange:?} {ranks}"
                );
            }
        }
    }
}

#[test]
fn the_document_has_the_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scaling.md");
    let text = fs::read_to_string(path).unwrap();
    let mut expected = text.clone();
    for (name, table) in
        [("bounds", bounds()), ("strong", strong(&H200, 1e13)), ("thresholds", thresholds(&H200))]
    {
        let mark = format!("<!-- table: {name} -->\n");
        let start = expected.find(&mark).unwrap_or_else(|| panic!("no {mark}")) + mark.len();
        let end = start + expected[start..].find("<!-- end -->").expect("an end");
        expected.replace_range(start..end, &format!("\n{table}\n"));
    }
    if std::env::var_os("UPDATE_TABLES").is_some() {
        fs::write(path, &expected).unwrap();
    } else {
        assert!(text == expected, "docs/scaling.md has other tables: UPDATE_TABLES=1 writes them");
    }
}
