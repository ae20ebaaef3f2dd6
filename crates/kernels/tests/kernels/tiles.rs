crate::tests![nothing_yet];

fn nothing_yet() {}
