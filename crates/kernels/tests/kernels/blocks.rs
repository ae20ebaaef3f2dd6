//! Scans of blocks in shared memory: harris and capannini.
crate::tests![nothing_yet];

fn nothing_yet() {}
