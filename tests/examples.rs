//! Every example runs headless, and its assertions hold.
#![cfg(feature = "headless")]

#[path = "../examples/05_compaction.rs"]
mod compaction;
#[path = "../examples/06_compute.rs"]
mod compute;
#[path = "../examples/10_delta_chunks.rs"]
mod delta_chunks;
#[path = "../examples/13_depth_sort.rs"]
mod depth_sort;
#[path = "../examples/04_own_algorithm.rs"]
mod own_algorithm;
#[path = "../examples/11_own_operator.rs"]
mod own_operator;
#[path = "../examples/09_particles.rs"]
mod particles;
#[path = "../examples/07_radix_sort.rs"]
mod radix_sort;
#[path = "../examples/01_scan.rs"]
mod scan;
#[path = "../examples/03_shared_context.rs"]
mod shared_context;
#[path = "../examples/12_sparse_matrix.rs"]
mod sparse_matrix;
#[path = "../examples/08_summed_area.rs"]
mod summed_area;
#[path = "../examples/02_trace.rs"]
mod trace;

#[test]
fn a_scan_in_ten_lines() {
    scan::main().unwrap();
}

#[test]
fn recording_a_trace() {
    trace::main().unwrap();
}

#[test]
fn sharing_a_context() {
    shared_context::main().unwrap();
}

#[test]
fn writing_an_own_algorithm() {
    own_algorithm::main().unwrap();
}

#[test]
fn going_on_with_what_is_kept() {
    compaction::main().unwrap();
}

#[test]
fn decoding_with_compute_shaders() {
    compute::main().unwrap();
}

#[test]
fn sorting_with_a_scan_for_each_bit() {
    radix_sort::main().unwrap();
}

#[test]
fn blurring_by_a_summed_area_table() {
    summed_area::main().unwrap();
}

#[test]
fn moving_particles_whose_number_stays_on_the_gpu() {
    particles::main().unwrap();
}

#[test]
fn decoding_differences_chunk_by_chunk() {
    delta_chunks::main().unwrap();
}

#[test]
fn solving_a_recurrence_with_an_own_operator() {
    own_operator::main().unwrap();
}

#[test]
fn multiplying_a_sparse_matrix_by_a_vector() {
    sparse_matrix::main().unwrap();
}

#[test]
fn drawing_splats_in_the_order_of_their_depths() {
    depth_sort::main().unwrap();
}

#[test]
fn no_example_is_left_out() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().join("Cargo.toml").exists() {
            assert!(entry.path().join("tests").exists(), "{name} has no tests");
            continue;
        }
        if entry.path().is_dir() {
            // Packages of their own, with tests of their own; that of the page has the browsers.
            let of_page = include_str!("../crates/site/tests/page/main.rs").contains("examples/hosts/page/");
            for host in std::fs::read_dir(entry.path()).unwrap() {
                let host = host.unwrap().path();
                let is_tested = host.join("tests/host.rs").exists() || of_page && host.ends_with("page");
                assert!(is_tested, "{} has no test", host.display());
            }
            continue;
        }
        let included = format!("#[path = \"../examples/{name}\"]");
        assert!(include_str!("examples.rs").contains(&included), "{name} has no test here");
    }
}
