//! Libraries of CUDA, in a program that nvcc builds of `cuda.cu` for a library and a case's element and operator.
//!
//! - CUB, of <https://github.com/NVIDIA/cccl>: scans are `DeviceScan`, higher orders by repetition, tuples and pairs as items
//!   of several numbers; compactions `DeviceSelect::If`, reductions `DeviceReduce::Reduce`, sorts `DeviceRadixSort::SortKeys`, or
//!   `SortPairs` where indices are moved. Its headers are the newest that are found (`cccl.rs`). From 3.5 on it has a scan that
//!   gives sums of floats the same bits in every run.
//! - Thrust, of the same project: `inclusive_scan` and `exclusive_scan` with `thrust::device`, which allocate in each call.
//! - SAM 1.1, the code of maleki2016's authors: <https://userweb.cs.txstate.edu/~burtscher/research/SAM/>. Its licence lets
//!   only its authors hand it on, so `RASTERSCAN_SAM` names the file `sam_pre1.1.h`. It runs on [`MULTIPROCESSORS`] at most.
//!
//! The clock is the GPU's, by events around as many runs as are asked for, after a millisecond of the same work.
//!
//! To build takes some 15 seconds. The program is kept in the folder for caches, under a name that depends on its text, its
//! definitions, the compiler and the device.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rasterscan::tools::problem::{COMPACT, REDUCE, SORT};
use rasterscan::{
    Element, ElementType, ReduceSpec, ScanKind, ScanSpec, SortSpec, device::Clock, tools::Request,
};
use rasterscan_lab::case::Case;

use crate::cccl;
use crate::peer::PeersWanted;
use crate::process::Process;

const SOURCE: &str = include_str!("cuda.cu");

/// The variable that names SAM's header.
const SAM_HEADER: &str = "RASTERSCAN_SAM";

/// The most multiprocessors that SAM 1.1 can use: its installer refuses more, because a warp looks back at two groups a lane.
const MULTIPROCESSORS: u32 = 32;

/// A library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// NVIDIA's library.
    Cub,
    /// CUB's scan whose sums of floats have the same bits in every run.
    CubDeterministic,
    /// NVIDIA's library above CUB.
    Thrust,
    /// The code of maleki2016's authors, where the user has it.
    Sam,
}

impl Library {
    /// Its name in messages.
    fn program(self) -> &'static str {
        match self {
            Library::Cub | Library::CubDeterministic => "CUB's program",
            Library::Thrust => "Thrust's program",
            Library::Sam => "SAM's program",
        }
    }

    /// The reason why it cannot run a request, if there is one.
    fn refuses(self, request: &Request) -> Option<&'static str> {
        let scan = request.get::<ScanSpec>();
        let index =
            scan.map(|spec| spec.has_index).or(request.get::<ReduceSpec>().map(|spec| spec.has_index));
        let adds = |spec: &ScanSpec| spec.operator.name() == "add";
        let sums = |spec: &ScanSpec| adds(spec) && spec.kind == ScanKind::Inclusive;
        let floats = request.element() == ElementType::F32;
        match self {
            _ if index == Some(true) => Some("its program has no argmin and argmax"),
            Library::Thrust if scan.is_none() => Some("its program has scans alone"),
            Library::CubDeterministic
                if !floats || !scan.is_some_and(|spec| adds(spec) && spec.tuple == 1) =>
            {
                Some(
                    "its program has sums of floats alone; the bits of all others are the same in every run of CUB's",
                )
            }
            Library::Sam if !scan.is_some_and(sums) => Some("its program has inclusive sums alone"),
            _ => None,
        }
    }
}

/// Builds the program with the nvcc that is found, unless it is kept.
///
/// Errors: the reason why the library is left out.
fn build(library: Library, case: &Case, wanted: &PeersWanted) -> Result<(Request, Built), String> {
    let request = case.request().map_err(|error| error.to_string())?;
    if wanted.software {
        return Err("it needs a GPU of NVIDIA's, and this device is software".into());
    }
    if let Some(reason) = library.refuses(&request) {
        return Err(reason.into());
    }
    let header = match library {
        Library::Sam => Some(sam_header()?),
        Library::Cub | Library::CubDeterministic | Library::Thrust => None,
    };
    let defines = defines(library, case, &request);
    let built = Program { nvcc: &nvcc()?, defines: &defines, header: header.as_deref(), wanted }.build()?;
    Ok((request, built))
}

/// Builds the program of a case, to be kept for later.
///
/// Errors: the reason why the library will be left out.
pub fn prepare(library: Library, case: &Case, wanted: &PeersWanted) -> Result<(), String> {
    build(library, case, wanted).map(drop)
}

/// Builds the program, starts it, and waits until it has the numbers.
///
/// Errors: the reason why the library is left out.
pub fn start<T: Element>(
    library: Library,
    case: &Case,
    wanted: &PeersWanted,
    numbers: &[T],
) -> Result<Process, String> {
    let (request, program) = build(library, case, wanted)?;
    let mut command = Command::new(&program.path);
    let command = command.arg(&wanted.renderer).args(arguments(&request));
    let (process, ready) = Process::start((library.program(), Clock::Gpu), command, &request, numbers)?;
    let of = if library == Library::Sam { "sam" } else { "cccl" };
    match ready.split_once(' ') {
        Some((version, device)) => Ok(process.with(vec![(of, version.into()), ("device", device.into())])),
        None => Err(process.nonsense(&format!("ready {ready}"))),
    }
}

/// SAM's header, for as many multiprocessors as it can use.
///
/// Errors: it is not named, cannot be read, or is another file.
fn sam_header() -> Result<String, String> {
    let path = env::var_os(SAM_HEADER).filter(|path| !path.is_empty()).ok_or_else(|| {
        format!(
            "{SAM_HEADER} does not name its file sam_pre1.1.h, which is for you to fetch from its authors"
        )
    })?;
    let path = PathBuf::from(path);
    let text =
        fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let number = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count();
    match text.split_once("int SMs = ") {
        Some((before, rest)) if number(rest) > 0 && text.contains("kSAM") => {
            Ok(format!("{before}int SMs = {MULTIPROCESSORS}{}", &rest[number(rest)..]))
        }
        _ => Err(format!("{} is not SAM's sam_pre1.1.h", path.display())),
    }
}

/// The program's arguments: the kind of the scan, and its order; or the bits of the sort.
fn arguments(request: &Request) -> [String; 2] {
    if let Some(spec) = request.get::<SortSpec>() {
        return spec.bits.map(|bit| bit.to_string());
    }
    let spec = request.get::<ScanSpec>();
    let kind = spec.map_or(ScanKind::Inclusive, |spec| spec.kind);
    [kind.name().into(), spec.map_or(1, |spec| spec.order).to_string()]
}

/// The definitions for the program's text.
fn defines(library: Library, case: &Case, request: &Request) -> Vec<String> {
    let (operator, tuple) = match (request.get::<ScanSpec>(), request.get::<ReduceSpec>()) {
        (Some(spec), _) => (Some(&spec.operator), spec.tuple),
        (None, Some(spec)) => (Some(&spec.operator), spec.tuple),
        (None, None) => (None, 1),
    };
    let problem = match case.problem() {
        problem if problem == COMPACT => "COMPACT",
        problem if problem == REDUCE => "REDUCE",
        problem if problem == SORT => "SORT",
        _ => "SCAN",
    };
    // C++ reserves some of the names.
    let sort = request.get::<SortSpec>();
    // The least of signed keys is a signed one: CUB sorts numbers of the element's own type.
    let unused = if sort.is_some() { "min" } else { "add" };
    let name = match operator.map_or(unused, |operator| operator.name()) {
        name @ ("and" | "or" | "xor") => format!("{name}_"),
        name => name.to_owned(),
    };
    let width = tuple * operator.map_or(1, |operator| operator.arity());
    let of_sort = sort.into_iter().flat_map(|spec| {
        let [values, indices] = [spec.moves.values(), spec.moves.indices()];
        let all = [("DESCENDING", spec.descending), ("VALUES", values), ("INDICES", indices)];
        all.into_iter().filter(|(_, wanted)| *wanted).map(|(name, _)| name.to_owned())
    });
    let of_all = [
        format!("ELEMENT={}", case.element().name()),
        format!("WIDTH={width}"),
        format!("OPERATOR={name}"),
        problem.into(),
    ];
    let of_library = match library {
        Library::Cub => Vec::new(),
        Library::CubDeterministic => vec!["DETERMINISTIC".into()],
        Library::Thrust => vec!["BY_THRUST".into()],
        Library::Sam => {
            vec!["BY_SAM".into(), format!("ORDER={}", request.get::<ScanSpec>().map_or(1, |spec| spec.order))]
        }
    };
    of_all.into_iter().chain(of_sort).chain(of_library).collect()
}

/// Finds nvcc: on the path, in CUDA's folder as the environment names it, or in the usual one.
///
/// Errors: there is none; the text says what to do.
fn nvcc() -> Result<PathBuf, String> {
    let name = format!("nvcc{}", env::consts::EXE_SUFFIX);
    let paths = env::var_os("PATH").unwrap_or_default();
    let folders = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let folders = folders.chain([PathBuf::from("/usr/local/cuda")]).map(|folder| folder.join("bin"));
    let mut all = env::split_paths(&paths).chain(folders).map(|folder| folder.join(&name));
    all.find(|nvcc| nvcc.is_file()).ok_or_else(|| {
        "there is no nvcc, which builds it; install CUDA's toolkit, or set CUDA_HOME to its folder".into()
    })
}

/// The program of a case.
struct Program<'a> {
    nvcc: &'a Path,
    defines: &'a [String],
    /// What `cuda.cu` includes as `sam.h`.
    header: Option<&'a str>,
    wanted: &'a PeersWanted,
}

/// A built program: kept, or in a folder that is deleted when this is dropped.
struct Built {
    path: PathBuf,
    _folder: Option<tempfile::TempDir>,
}

impl Program<'_> {
    fn build(&self) -> Result<Built, String> {
        let failed = |error: io::Error| format!("nvcc cannot be started: {error}");
        let version =
            Command::new(self.nvcc).arg("--version").stdin(Stdio::null()).output().map_err(failed)?;
        let cccl = cccl::folder(self.nvcc);
        let mut hasher = DefaultHasher::new();
        (SOURCE, self.defines, self.header, &version.stdout, &cccl, &self.wanted.renderer).hash(&mut hasher);
        let name = format!("cuda-{:016x}{}", hasher.finish(), env::consts::EXE_SUFFIX);
        let kept = self.wanted.cache.as_ref().map(|folder| folder.join(&name));
        if let Some(kept) = kept.as_ref().filter(|kept| kept.is_file()) {
            return Ok(Built { path: kept.clone(), _folder: None });
        }
        let no_folder = |error: io::Error| format!("there is no room to build it: {error}");
        let folder = match &self.wanted.cache {
            Some(cache) => fs::create_dir_all(cache).and_then(|()| tempfile::tempdir_in(cache)),
            None => tempfile::tempdir(),
        };
        let folder = folder.map_err(no_folder)?;
        let source = folder.path().join("cuda.cu");
        fs::write(&source, SOURCE).map_err(no_folder)?;
        if let Some(header) = self.header {
            fs::write(folder.path().join("sam.h"), header).map_err(no_folder)?;
        }
        let built = folder.path().join(&name);
        let mut command = Command::new(self.nvcc);
        // The stream of a thread can be captured in a graph; the default one cannot.
        command.args(["-std=c++17", "-O3", "-arch=native", "--default-stream", "per-thread"]);
        command
            .args(cccl.iter().flat_map(|folder| ["-I".as_ref(), folder.as_os_str()]))
            .args(self.defines.iter().map(|define| format!("-D{define}")))
            .arg("-o")
            .arg(&built)
            .arg(&source);
        let output = command.stdin(Stdio::null()).output().map_err(failed)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned()
                + &String::from_utf8_lossy(&output.stdout);
            let first = said.lines().find(|line| line.contains("error") || line.contains("fatal"));
            let first: String = first.or(said.lines().next()).unwrap_or_default().chars().take(200).collect();
            return Err(format!("nvcc failed ({}): {first}", output.status));
        }
        // Another process may have kept the same program meanwhile.
        Ok(match kept {
            Some(kept) if fs::rename(&built, &kept).is_ok() => Built { path: kept, _folder: None },
            _ => Built { path: built, _folder: Some(folder) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(case: &Case) -> String {
        defines(Library::Cub, case, &case.request().unwrap()).join(" ")
    }

    #[test]
    fn a_case_has_its_text() {
        let scan = Case::scan(12);
        assert_eq!(defined(&scan), "ELEMENT=u32 WIDTH=1 OPERATOR=add SCAN");
        assert_eq!(
            defined(&scan.clone().tuple(3).with("op", "xor").unwrap()),
            "ELEMENT=u32 WIDTH=3 OPERATOR=xor_ SCAN"
        );
        assert_eq!(
            defined(&scan.clone().with("op", "affine").unwrap()),
            "ELEMENT=u32 WIDTH=2 OPERATOR=affine SCAN"
        );
        assert_eq!(defined(&Case::compact(8, 0.5)), "ELEMENT=u32 WIDTH=1 OPERATOR=add COMPACT");
        assert_eq!(
            defined(&Case::new(REDUCE, 8).with("op", "max").unwrap()),
            "ELEMENT=u32 WIDTH=1 OPERATOR=max REDUCE"
        );
        let sort = Case::new(SORT, 8).with("moves", "both").unwrap().with("bits", "3..9").unwrap();
        assert_eq!(defined(&sort), "ELEMENT=u32 WIDTH=1 OPERATOR=min SORT VALUES INDICES");
        assert_eq!(arguments(&sort.request().unwrap()), ["3", "9"]);
        let higher = scan.order(3).exclusive();
        let request = higher.request().unwrap();
        assert_eq!(arguments(&request), ["exclusive", "3"]);
        assert!(defines(Library::Thrust, &higher, &request).ends_with(&["BY_THRUST".into()]));
        assert!(defines(Library::CubDeterministic, &higher, &request).ends_with(&["DETERMINISTIC".into()]));
        assert!(defines(Library::Sam, &higher, &request).ends_with(&["BY_SAM".into(), "ORDER=3".into()]));
    }

    #[test]
    fn software_is_a_reason() {
        let wanted = PeersWanted { software: true, ..PeersWanted::default() };
        let reason = start::<u32>(Library::Cub, &Case::scan(1), &wanted, &[1]).unwrap_err();
        assert_eq!(reason, "it needs a GPU of NVIDIA's, and this device is software");
    }

    #[test]
    fn a_library_says_what_it_cannot_do() {
        let refuses = |library: Library, case: &Case| library.refuses(&case.request().unwrap());
        let (scan, compact) = (Case::scan(8), Case::compact(8, 0.5));
        for library in [Library::Cub, Library::Thrust, Library::Sam] {
            assert_eq!(refuses(library, &scan), None);
        }
        assert_eq!(refuses(Library::Thrust, &compact), Some("its program has scans alone"));
        let floats = scan.clone().of(ElementType::F32);
        assert_eq!(refuses(Library::CubDeterministic, &floats.clone().order(2).exclusive()), None);
        for other in [&scan, &compact, &floats.clone().tuple(2), &floats.with("op", "max").unwrap()] {
            let refused = refuses(Library::CubDeterministic, other).unwrap();
            assert!(refused.starts_with("its program has sums of floats alone"), "{refused}");
        }
        assert_eq!(
            refuses(Library::Sam, &scan.clone().exclusive()),
            Some("its program has inclusive sums alone")
        );
        assert_eq!(
            refuses(Library::Sam, &scan.with("op", "max").unwrap()),
            Some("its program has inclusive sums alone")
        );
    }

    #[cfg(unix)]
    mod fake {
        use super::*;
        use crate::process::write_script;

        /// A fake nvcc: a shell script that finds what it is to build in `$built`.
        fn nvcc(folder: &Path, script: &str) -> PathBuf {
            let path = folder.join("nvcc");
            let find = "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && built=$2; shift; done";
            write_script(&path, &format!("[ \"$1\" = --version ] && exit\n{find}\n{script}"));
            path
        }

        #[test]
        fn a_program_is_built_once() {
            let folder = tempfile::tempdir().unwrap();
            let cache = folder.path().join("cache");
            let log = folder.path().join("log");
            let nvcc = nvcc(folder.path(), &format!("echo built >>{}; echo >$built", log.display()));
            let wanted = PeersWanted { cache: Some(cache.clone()), ..PeersWanted::default() };
            let of = |defines: &[&str]| {
                let defines: Vec<String> = defines.iter().map(|&define| define.into()).collect();
                Program { nvcc: &nvcc, defines: &defines, header: None, wanted: &wanted }
                    .build()
                    .unwrap()
                    .path
            };
            let first = of(&["SCAN"]);
            assert_eq!(of(&["SCAN"]), first);
            assert_ne!(of(&["COMPACT"]), first);
            assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 2);
            assert_eq!(fs::read_dir(&cache).unwrap().count(), 2, "nothing else is left there");
            // Without a cache it is built each time.
            let alone = PeersWanted::default();
            let built = Program { nvcc: &nvcc, defines: &[], header: None, wanted: &alone }.build().unwrap();
            let path = built.path.clone();
            assert!(path.is_file());
            drop(built);
            assert!(!path.exists());
        }

        #[test]
        fn what_nvcc_says_is_the_reason() {
            let folder = tempfile::tempdir().unwrap();
            let nvcc = nvcc(
                folder.path(),
                "echo 'cuda.cu(3): a warning' >&2; echo 'cuda.cu(7): error: no' >&2; exit 2",
            );
            let wanted = PeersWanted::default();
            let reason =
                Program { nvcc: &nvcc, defines: &[], header: None, wanted: &wanted }.build().err().unwrap();
            assert_eq!(reason, "nvcc failed (exit status: 2): cuda.cu(7): error: no");
        }
    }
}
