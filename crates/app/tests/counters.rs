//! The counters below the picture: what was recorded, or the most that is possible.

use rasterscan::Gpu;
use rasterscan::tools::Job;
use rasterscan::tools::registry;
use rasterscan::trace::{Recording, Work};
use rasterscan_lesson::work::{Moved, moved};

fn recorded(words: &str) -> Recording {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    rasterscan::tools::record::record_job(&gpu, &Job::parse(words.split(' ')).unwrap()).unwrap()
}

fn whole(recording: &Recording) -> Moved {
    (0..recording.passes.len()).map(|pass| moved(recording, pass)).sum()
}

#[test]
fn a_search_counts_the_reads_that_were_recorded() {
    let recording = recorded("compact random:n=16,seed=7,max=9,keep=0.5 -a horn");
    let search = recording.passes.iter().position(|pass| pass.phase == "search").unwrap();
    let (pass, moved) = (&recording.passes[search], moved(&recording, search));
    let reads: u64 = pass.reads.iter().map(|reads| reads.total()).sum();
    assert_eq!(moved.texels_read, reads);
    assert!(reads < pass.cost.texels_read && !moved.at_most, "{moved:?} {:?}", pass.cost);
    assert_eq!(Some(moved.texels_written), recording.kept());
    assert_eq!(moved.words, moved.texels_read + moved.texels_written, "a number to a texel");
}

#[test]
fn what_was_not_recorded_is_stated_as_the_most() {
    let mut recording = recorded("compact random:n=16,seed=7,max=9,keep=0.5 -a horn");
    let stated = recording.cost_before(recording.passes.len());
    recording.passes.iter_mut().for_each(|pass| pass.reads.clear());
    let sum = whole(&recording);
    assert!(sum.at_most);
    assert_eq!((sum.texels_read, sum.words), (stated.texels_read, stated.words_moved()));
}

/// The cost of a scan or a reduction does not depend on the numbers: what is stated is what happens.
#[test]
fn scans_by_textures_move_what_they_state() {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    let mut tried = 0;
    for card in registry::all().filter(|card| card.problem.name != "compact" && card.name != "sequential") {
        let job = rasterscan_app::job::usual(card);
        let Ok(recording) = rasterscan::tools::record::record_job(&gpu, &job) else { continue };
        if recording.passes.iter().any(|pass| matches!(pass.work, Work::Dispatch { .. })) {
            continue;
        }
        let (sum, stated) = (whole(&recording), recording.cost_before(recording.passes.len()));
        assert!(!sum.at_most, "{job}");
        let counts = (sum.texels_read, sum.texels_written, sum.words);
        assert_eq!(counts, (stated.texels_read, stated.texels_written, stated.words_moved()), "{job}");
        tried += 1;
    }
    assert!(tried > 4, "{tried}");
}
