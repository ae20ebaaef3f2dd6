//! The paper's figure 4 as SVG: T(n) of its four patterns on k banks, both axes logarithmic.

use rasterscan_lab::report::latency;

use super::banks;

/// The figure for k banks, from k elements on, beyond n and k².
pub fn figure(n: u64, k: u64) -> String {
    let log_k = k.trailing_zeros();
    // One element has nothing to add, and no position on a logarithmic axis.
    let first = log_k.max(1);
    let last = (4 * log_k).max(n.trailing_zeros()).clamp(first + 8, 20.max(first + 8));
    let title = format!("K-model: T(n), the latency of a scan's stores, on k = {}", banks(k));
    latency::figure(k, title, first..=last).svg()
}

#[cfg(test)]
mod tests {
    use rasterscan_kmodel::Pattern;

    use super::*;

    /// Checked for all sizes that the command takes.
    #[test]
    fn every_figure_names_its_lines_and_has_finite_numbers() {
        for q in 0..=10 {
            for n in [1 << q, 1 << 20] {
                let svg = figure(n, 1 << q);
                for pattern in Pattern::PAPER {
                    let name = format!(">{}</text>", pattern.label());
                    assert_eq!(svg.matches(&name).count(), 1, "{name}, k = 2^{q}, n = {n}");
                }
                assert!(!svg.contains("NaN") && !svg.contains("inf\""), "k = 2^{q}, n = {n}");
            }
        }
    }
}
