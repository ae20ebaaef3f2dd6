//! A folder of files: all of them appear, or none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Content, FileOutput, OutputError, Place, aside, check_folder, folder_of, write_all};

/// A folder that takes files, under the name that the user gave it.
#[derive(Debug, Clone)]
pub struct OutputFolder {
    path: PathBuf,
    /// The name that symbolic links lead to.
    target: PathBuf,
    /// True if it must hold no other files.
    alone: bool,
}

impl OutputFolder {
    /// Checks, before any work is done, that the folder exists or can be created, and takes files of these names.
    pub fn new(path: impl Into<PathBuf>, names: &[&str]) -> Result<OutputFolder, OutputError> {
        let path = path.into();
        let folder = match find(&path) {
            Ok(target) => OutputFolder { path, target, alone: false },
            Err(error) => return Err(OutputError { path, error }),
        };
        folder.outputs(names).map(|_| folder)
    }

    /// The files with these names. A read-only file must not be replaced.
    fn outputs(&self, names: &[impl AsRef<str>]) -> Result<Vec<FileOutput>, OutputError> {
        names.iter().map(|name| FileOutput::unprobed(self.path.join(name.as_ref()))).collect()
    }

    /// As [`Self::new`], for a folder that must hold no other files.
    pub fn new_or_empty(path: impl Into<PathBuf>) -> Result<OutputFolder, OutputError> {
        let folder = OutputFolder { alone: true, ..OutputFolder::new(path, &[])? };
        folder.check_alone().map_err(|error| folder.failed(error))?;
        Ok(folder)
    }

    /// Errors if it must hold no other files, and holds some. What other processes have not finished does not count.
    fn check_alone(&self) -> io::Result<()> {
        let mut entries = match fs::read_dir(&self.target) {
            Ok(entries) => entries.flatten(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        match self.alone && entries.any(|entry| !aside::is_ours(&entry.file_name())) {
            true => Err(io::Error::other("expected a new directory, or an empty one")),
            false => Ok(()),
        }
    }

    /// The folder, as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all files: as a new folder, or into an existing one, replacing files of these names.
    pub fn write(&self, files: &[(impl AsRef<str>, Vec<u8>)]) -> Result<(), OutputError> {
        // On other systems a folder cannot be renamed while it is open.
        #[cfg(unix)]
        if !self.target.exists() {
            return self.write_new(files).map_err(|error| self.failed(error));
        }
        fs::create_dir_all(&self.target).map_err(|error| self.failed(error))?;
        // Two processes may have found it empty: one at a time writes into it. It is held until the files are there.
        #[cfg(unix)]
        let held = fs::File::open(&self.target).map_err(|error| self.failed(error))?;
        #[cfg(unix)]
        let _ = held.lock();
        self.check_alone().map_err(|error| self.failed(error))?;
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_ref()).collect();
        let outputs = self.outputs(&names)?;
        let contents: Vec<_> =
            files.iter().map(|(_, bytes)| move |out: &mut dyn io::Write| out.write_all(bytes)).collect();
        let pairs: Vec<(&FileOutput, Content)> =
            outputs.iter().zip(&contents).map(|(output, content)| (output, content as Content)).collect();
        write_all(&pairs)
    }

    #[cfg(unix)]
    fn write_new(&self, files: &[(impl AsRef<str>, Vec<u8>)]) -> io::Result<()> {
        use std::io::Write;
        let mut folder = aside::Aside::folder(folder_of(&self.target))?;
        for (name, bytes) in files {
            // Not while a signal handler removes the folder, which would find it not empty.
            let held = aside::hold();
            let mut file = fs::File::create_new(folder.path().join(name.as_ref()))?;
            drop(held);
            file.write_all(bytes)?;
            super::sync(&file)?;
        }
        folder.rename(&self.target, &mut aside::hold()).map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
                io::Error::other("another process has written it meanwhile")
            }
            _ => error,
        })
    }

    fn failed(&self, error: io::Error) -> OutputError {
        OutputError { path: self.path.clone(), error }
    }
}

/// The folder that links lead to, if files can be written into it.
fn find(path: &Path) -> io::Result<PathBuf> {
    if path.is_dir() {
        aside::probe(path)?;
        return Ok(path.to_owned());
    }
    match Place::of(path)? {
        Place::File(target) if !target.exists() => {
            let parent = folder_of(&target);
            check_folder(parent)?;
            aside::probe(parent)?;
            Ok(target)
        }
        _ => Err(io::Error::other("it is not a directory")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both found nothing there, or an empty folder, before they began to work.
    #[test]
    fn of_two_that_write_one_folder_the_first_succeeds_and_the_second_says_why_not() {
        let parent = tempfile::tempdir().unwrap();
        fs::create_dir(parent.path().join("there")).unwrap();
        for name in ["new", "there"] {
            let [one, other] =
                [(); 2].map(|()| OutputFolder::new_or_empty(parent.path().join(name)).unwrap());
            one.write(&[("a.png", b"one".to_vec())]).unwrap();
            let error = other.write(&[("a.png", b"other".to_vec()), ("b.png", Vec::new())]).unwrap_err();
            assert!(error.to_string().ends_with("expected a new directory, or an empty one"), "{error}");
            let found: Vec<_> =
                fs::read_dir(one.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(found, ["a.png"]);
            assert_eq!(fs::read(one.path().join("a.png")).unwrap(), b"one");
        }
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 2);
    }

    /// The other one was faster between a look and the renaming.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_appears_meanwhile_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let folder = OutputFolder::new_or_empty(parent.path().join("new")).unwrap();
        fs::create_dir(folder.path()).unwrap();
        fs::write(folder.path().join("a.png"), "one").unwrap();
        let error = folder.write_new(&[("a.png", Vec::new())]).unwrap_err().to_string();
        assert_eq!(error, "another process has written it meanwhile");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
