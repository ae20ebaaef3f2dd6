//! Every argument that names a file: the program's own tests compare this list with its grammar, and `outputs.rs` tries
//! each output with every kind of file.

/// An argument that names a file.
#[allow(dead_code, reason = "the grammar's test reads the names, and the outputs' test the rest")]
pub struct FileArgument {
    /// Subcommands, with spaces between them.
    pub command: &'static str,
    /// The option, such as `--csv`, or `INPUT` for an argument without a name.
    pub name: &'static str,
    pub is: Is,
}

/// The use of the file.
#[allow(dead_code, reason = "as above")]
pub enum Is {
    Read,
    /// Written by this command, with the file's name in the place of `{}`.
    Written(&'static str),
    /// A folder that is written into, likewise.
    Folder(&'static str),
}

const fn read(command: &'static str, name: &'static str) -> FileArgument {
    FileArgument { command, name, is: Is::Read }
}

const fn written(command: &'static str, name: &'static str, run: &'static str) -> FileArgument {
    FileArgument { command, name, is: Is::Written(run) }
}

const fn folder(command: &'static str, name: &'static str, run: &'static str) -> FileArgument {
    FileArgument { command, name, is: Is::Folder(run) }
}

pub const FILE_ARGUMENTS: &[FileArgument] = &[
    read("scan", "INPUT"),
    read("scan", "--segments"),
    read("scan", "--offsets"),
    read("scan", "--keys"),
    read("reduce", "INPUT"),
    read("reduce", "--segments"),
    read("reduce", "--offsets"),
    read("reduce", "--keys"),
    read("sort", "INPUT"),
    read("sort", "--segments"),
    read("sort", "--offsets"),
    read("sort", "--payload"),
    written("sort", "--out", "sort random:n=9 -a sequential -o {}.npy"),
    written("sort", "--indices", "sort random:n=9 -a sequential --indices={}.npy -o beside.npy"),
    written(
        "sort",
        "--payload-out",
        "sort random:n=9 -a sequential --payload ramp:n=9 --payload-out {}.npy -o beside.npy",
    ),
    read("histogram", "INPUT"),
    read("histogram", "--edges"),
    written("histogram", "--out", "histogram random:n=9 -a sequential -o {}.npy"),
    written("reduce", "--out", "reduce random:n=9 -a sequential -o {}.npy"),
    written("scan", "--out", "scan random:n=9 -a sequential -o {}.npy"),
    read("compact", "INPUT"),
    read("compact", "--mask"),
    written("compact", "--out", "compact random:n=9 -a sequential -o {}.npy"),
    written("compact", "--indices", "compact random:n=9 -a sequential --indices={}.npy -o beside.npy"),
    read("trace scan", "INPUT"),
    read("trace scan", "--segments"),
    read("trace scan", "--offsets"),
    read("trace scan", "--keys"),
    written("trace scan", "--out", "trace scan random:n=4 -a horn -o {}.json"),
    read("trace compact", "INPUT"),
    read("trace compact", "--mask"),
    read("trace compact", "--indices"),
    written("trace compact", "--out", "trace compact random:n=4 -a horn -o {}.json"),
    read("trace reduce", "INPUT"),
    read("trace reduce", "--segments"),
    read("trace reduce", "--offsets"),
    read("trace reduce", "--keys"),
    written("trace reduce", "--out", "trace reduce random:n=4 -a pairs -o {}.json"),
    read("trace sort", "INPUT"),
    read("trace sort", "--segments"),
    read("trace sort", "--offsets"),
    read("trace sort", "--payload"),
    read("trace sort", "--payload-out"),
    read("trace sort", "--indices"),
    written("trace sort", "--out", "trace sort random:n=4 -a radix -o {}.json"),
    read("trace histogram", "INPUT"),
    read("trace histogram", "--edges"),
    written("trace histogram", "--out", "trace histogram random:n=4 -a sorted -o {}.json"),
    read("trace show", "FILE"),
    written("trace show", "--out", "trace show saved.trace -o {}.apng"),
    written("compare", "--csv", "compare scan -a sequential --sizes 4 --seconds 0 --csv {}.csv"),
    written("compare", "--json", "compare scan -a sequential --sizes 4 --seconds 0 --json {}.json"),
    written("compare", "--svg", "compare scan -a sequential --sizes 4 --seconds 0 --svg {}.svg"),
    written("compare", "--png", "compare scan -a sequential --sizes 4 --seconds 0 --png {}.png"),
    read("compare", "--against"),
    read("compare", "--segments"),
    read("compare", "--edges"),
    read("results", "FILES"),
    written("results", "--out", "results saved.comparison -o {}.md"),
    folder("demo", "--out", "demo --out {}"),
    read("reproduce", "--judge"),
    read("reproduce", "--diff"),
    read("reproduce", "--verdicts"),
    folder("reproduce", "--out", "reproduce harris2007 --quick --seconds 0 --out {}"),
    written("kmodel", "--svg", "kmodel --n 16 --k 4 --svg {}.svg"),
    read("app", "WORDS"),
    read("app", "--mask"),
    read("app", "--segments"),
    read("app", "--offsets"),
    read("app", "--keys"),
    read("app", "--edges"),
    read("app", "--payload"),
    read("app", "--trace"),
    read("app", "--lesson"),
    read("app", "--language"),
    read("grade", "LESSON"),
    read("grade", "FILES"),
    written("gallery", "--out", "gallery lexer -o {}.png"),
    written("grade", "--csv", "grade puzzles saved.answers --csv {}.csv"),
    written("grade", "--html", "grade puzzles saved.answers --html {}.html"),
    read("lesson check", "LESSON"),
    read("lesson print", "LESSON"),
    written("lesson print", "--out", "lesson print puzzles -o {}.html"),
    written("app", "--screenshot", "app values:1,2 --size 64x64 --screenshot {}.png"),
];
