//! The chains timed by criterion, as its user guide has it: one `iter` per chain.

use chains::CHAINS;
use criterion::Criterion;
use std::time::Duration;

/// Of the budget: warming up and measuring share it.
const WARM_UP_SHARE: f64 = 0.1;

fn main() {
    let budget_ms: f64 = std::env::var("BUDGET_MS").map_or(100.0, |text| text.parse().unwrap());
    let budget = Duration::from_secs_f64(budget_ms / 1e3);
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(budget.mul_f64(WARM_UP_SHARE))
        .measurement_time(budget.mul_f64(1.0 - WARM_UP_SHARE))
        .nresamples(1000)
        .without_plots();
    for (name, chain) in CHAINS {
        criterion.bench_function(name, |bencher| bencher.iter(|| unsafe { chain() }));
    }
    criterion.final_summary();
}
