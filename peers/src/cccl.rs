//! Where CCCL's headers are: CUB's and Thrust's. CUDA's toolkit has some, and the Python package nvidia-cuda-cccl newer ones.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The variable that names a folder of headers, which are then taken whatever their version.
const FOLDER: &str = "RASTERSCAN_CCCL";

/// Lists the folders of all packages that python3 would find.
const IN_PACKAGES: &str = "import glob, sys
print(*(at for path in sys.path for at in glob.glob(path + '/nvidia/cu*/include/cccl')), sep='\\n')";

/// The folder to include before the compiler's own headers; `None` where none is newer than these.
pub fn folder(nvcc: &Path) -> Option<PathBuf> {
    if let Some(named) = env::var_os(FOLDER).filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let packages = Command::new("python3").args(["-c", IN_PACKAGES]).stdin(Stdio::null()).output();
    let packages =
        packages.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let toolkit = nvcc.parent().map(|bin| bin.join("../include"));
    newest(
        toolkit.iter().flat_map(|folder| [folder.join("cccl"), folder.clone()]),
        packages.lines().map(PathBuf::from),
    )
}

/// The newest of `found`, if it is newer than all of `own`.
fn newest(own: impl Iterator<Item = PathBuf>, found: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let least = own.filter_map(|folder| version(&folder)).max();
    let newer = found.filter_map(|folder| Some((version(&folder)?, folder)));
    newer.filter(|(version, _)| Some(*version) > least).max().map(|(_, folder)| folder)
}

/// A folder's version: 3005000 is 3.5.0.
fn version(folder: &Path) -> Option<u32> {
    let text = fs::read_to_string(folder.join("cuda/std/__cccl/version.h")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("#define CCCL_VERSION ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, text: &str| {
            let of = folder.path().join(name);
            fs::create_dir_all(of.join("cuda/std/__cccl")).unwrap();
            fs::write(of.join("cuda/std/__cccl/version.h"), text).unwrap();
            of
        };
        let old =
            of("old", "#define CCCL_VERSION 3000001\n#define CCCL_MAJOR_VERSION (CCCL_VERSION / 1000000)");
        let new = of("new", "#pragma once\n#define CCCL_VERSION 3005000\n");
        let newer = of("newer", "#define CCCL_VERSION 3010000\n");
        let none = of("none", "");
        let taken = |own: &[&PathBuf], found: &[&PathBuf]| {
            newest(own.iter().copied().cloned(), found.iter().copied().cloned())
        };
        assert_eq!(taken(&[&none, &old], &[&new, &newer, &none]), Some(newer.clone()));
        assert_eq!(taken(&[&newer], &[&new, &newer]), None);
        assert_eq!(taken(&[], &[&new]), Some(new));
        assert_eq!(taken(&[&old], &[]), None);
    }
}
