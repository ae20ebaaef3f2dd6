//! Binaries of programs in the user's cache folder, one file for each.

use std::fs;
use std::path::PathBuf;

use rasterscan::gl::ProgramCache;

use crate::{document, output};

/// The most files. When there are more, the folder is emptied: a driver or a version that is gone leaves its own behind.
const MOST_FILES: usize = 1000;

/// The folder.
#[derive(Debug)]
pub struct ProgramFolder(pub PathBuf);

impl ProgramCache for ProgramFolder {
    fn find(&self, name: &str) -> Option<Vec<u8>> {
        document::bytes_of(&self.0.join(name)).ok()
    }

    fn keep(&self, name: &str, bytes: &[u8]) {
        if let Err(error) = self.try_keep(name, bytes) {
            tracing::info!("the binary of a program cannot be kept in {}: {error}", self.0.display());
        }
    }
}

impl ProgramFolder {
    fn try_keep(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        fs::create_dir_all(&self.0)?;
        let files: Vec<_> = fs::read_dir(&self.0)?.flatten().collect();
        if files.len() >= MOST_FILES {
            // Another process may be doing the same.
            files.iter().for_each(|file| drop(fs::remove_file(file.path())));
        }
        Ok(output::write(&self.0.join(name), bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_until_there_is_too_much() {
        let folder = tempfile::tempdir().unwrap();
        let programs = ProgramFolder(folder.path().join("programs"));
        assert_eq!(programs.find("a"), None);
        programs.keep("a", &[1, 2, 3]);
        programs.keep("a", &[4]);
        assert_eq!(programs.find("a"), Some(vec![4]));
        for number in 1..MOST_FILES {
            fs::write(programs.0.join(number.to_string()), []).unwrap();
        }
        programs.keep("b", &[5]);
        assert_eq!((programs.find("a"), programs.find("b")), (None, Some(vec![5])));
        assert_eq!(fs::read_dir(&programs.0).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), []).unwrap();
        let programs = ProgramFolder(folder.path().join("file/programs"));
        programs.keep("a", &[1]);
        assert_eq!(programs.find("a"), None);
    }
}
