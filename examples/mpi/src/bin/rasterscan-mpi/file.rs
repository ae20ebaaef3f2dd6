//! Files of u32, read and written by MPI-IO, which the crate `mpi` has as bindings to C alone.
//!
//! Each rank opens a file for itself: to open one together blocks until every rank has come, without a deadline.

use std::ffi::{CString, c_char};
use std::mem::{MaybeUninit, size_of_val};

use mpi::ffi;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Words that a call takes: counts have 32 bits.
const MOST: usize = 1 << 28;

/// An open file.
pub struct File {
    raw: ffi::MPI_File,
    path: String,
}

impl File {
    /// Opens a file to read it.
    pub fn input(path: &str) -> Result<File> {
        File::open(path, ffi::MPI_MODE_RDONLY)
    }

    /// Opens a file that exists to write it.
    pub fn output(path: &str) -> Result<File> {
        File::open(path, ffi::MPI_MODE_WRONLY)
    }

    fn open(path: &str, mode: u32) -> Result<File> {
        let name = CString::new(path)?;
        let mut raw = MaybeUninit::uninit();
        // SAFETY: the name ends with 0, and the call writes the file.
        let code = unsafe {
            ffi::MPI_File_open(
                ffi::RSMPI_COMM_SELF,
                name.as_ptr(),
                mode as i32,
                ffi::RSMPI_INFO_NULL,
                raw.as_mut_ptr(),
            )
        };
        check(code, path, "cannot be opened")?;
        // SAFETY: the call succeeded.
        Ok(File { raw: unsafe { raw.assume_init() }, path: path.into() })
    }

    pub fn bytes(&self) -> Result<u64> {
        let mut bytes = 0;
        // SAFETY: the file is open.
        check(unsafe { ffi::MPI_File_get_size(self.raw, &mut bytes) }, &self.path, "has no length")?;
        Ok(bytes as u64)
    }

    /// Reads words from the `first` on. Errors: those of the system, and an early end.
    pub fn read(&self, first: u64, words: &mut [u32]) -> Result<()> {
        for (number, words) in words.chunks_mut(MOST).enumerate() {
            let at = (first + (number * MOST) as u64) * 4;
            let mut status = MaybeUninit::uninit();
            // SAFETY: the file is open, and the buffer has that many words.
            let code = unsafe {
                ffi::MPI_File_read_at(
                    self.raw,
                    at as i64,
                    words.as_mut_ptr().cast(),
                    words.len() as i32,
                    ffi::RSMPI_UINT32_T,
                    status.as_mut_ptr(),
                )
            };
            check(code, &self.path, "cannot be read")?;
            // SAFETY: the call succeeded.
            self.check_count(unsafe { status.assume_init() }, at, words, "ends")?;
        }
        Ok(())
    }

    /// Writes words from the `first` on. Errors: those of the system, such as a full disk.
    pub fn write(&self, first: u64, words: &[u32]) -> Result<()> {
        for (number, words) in words.chunks(MOST).enumerate() {
            let at = (first + (number * MOST) as u64) * 4;
            let mut status = MaybeUninit::uninit();
            // SAFETY: the file is open, and the buffer has that many words.
            let code = unsafe {
                ffi::MPI_File_write_at(
                    self.raw,
                    at as i64,
                    words.as_ptr().cast(),
                    words.len() as i32,
                    ffi::RSMPI_UINT32_T,
                    status.as_mut_ptr(),
                )
            };
            check(code, &self.path, "cannot be written")?;
            // SAFETY: the call succeeded.
            self.check_count(unsafe { status.assume_init() }, at, words, "cannot be written")?;
        }
        Ok(())
    }

    /// Checks how many bytes a call has moved.
    fn check_count(&self, status: ffi::MPI_Status, at: u64, words: &[u32], what: &str) -> Result<()> {
        let mut moved = 0;
        // SAFETY: the status is that of a call that succeeded.
        unsafe { ffi::MPI_Get_count(&status, ffi::RSMPI_UINT8_T, &mut moved) };
        if moved as usize == size_of_val(words) {
            return Ok(());
        }
        let (got, expected) = (at + moved as u64, at + size_of_val(words) as u64);
        Err(format!("{}: {what} after {got} bytes, {expected} expected", self.path).into())
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&self) -> Result<()> {
        // SAFETY: the file is open.
        check(unsafe { ffi::MPI_File_sync(self.raw) }, &self.path, "cannot be written")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the file is open, and not used any more.
        unsafe { ffi::MPI_File_close(&mut self.raw) };
    }
}

/// The error of a call, in MPI's words and in the system's, which alone tell a full disk.
fn check(code: i32, path: &str, what: &str) -> Result<()> {
    if code == ffi::MPI_SUCCESS as i32 {
        return Ok(());
    }
    let system = std::io::Error::last_os_error();
    let mut text = [0u8; ffi::MPI_MAX_ERROR_STRING as usize];
    let mut len = 0;
    // SAFETY: the buffer is as long as MPI demands.
    unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr().cast::<c_char>(), &mut len) };
    Err(format!("{path}: {what}: {}; {system}", String::from_utf8_lossy(&text[..len as usize])).into())
}
