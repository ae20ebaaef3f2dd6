//! Sorted runs in temporary files, merged: a sort of more numbers than memory holds.
//!
//! Source: Knuth, *The Art of Computer Programming* 3, section 5.4.1: a merge by a heap of the runs' first numbers. Of equal
//! keys the earlier run's comes first, so the sort is stable. The files have no names, so whatever ends the program, nothing
//! stays; unless it is to go on with them the next time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use rasterscan::tools::{Numbers, for_element, memory};
use rasterscan::{Element, SortSpec};

use super::journal;

/// Bytes of each run that are read at a time, at least: a disk that seeks is as fast as one that does not.
const LEAST: usize = 1 << 16;

/// The context of errors.
const UNWRITTEN: &str = "cannot write a temporary file";

/// Runs, one after the other.
pub struct Runs {
    spec: SortSpec,
    keys: File,
    indices: Option<File>,
    /// The names of the files, if they stay.
    kept: Vec<PathBuf>,
    /// The numbers in each run.
    lens: Vec<u64>,
}

/// A run that is being merged.
struct Cursor<T> {
    /// The next number that is not read yet, and the end.
    next: u64,
    end: u64,
    keys: Vec<T>,
    indices: Vec<u32>,
    /// The first number in `keys` that is not merged yet.
    at: usize,
}

impl Runs {
    /// Temporary files in a folder.
    ///
    /// Errors: they cannot be made.
    pub fn new(spec: &SortSpec, folder: &Path, has_indices: bool) -> anyhow::Result<Runs> {
        let file = || {
            let made = tempfile::tempfile_in(folder);
            made.with_context(|| format!("cannot make a temporary file in {}", folder.display()))
        };
        let indices = has_indices.then(file).transpose()?;
        Ok(Runs { spec: *spec, keys: file()?, indices, kept: Vec::new(), lens: Vec::new() })
    }

    /// Files beside OUT, which stay until they are [removed](Self::remove), with what an interrupted run has left there.
    ///
    /// Errors: they cannot be opened.
    pub fn keep(spec: &SortSpec, out: &Path, has_indices: bool) -> anyhow::Result<Runs> {
        let mut kept = vec![journal::beside(out, ".runs")];
        kept.extend(has_indices.then(|| journal::beside(out, ".indices.runs")));
        let keys = journal::open_kept(&kept[0])?;
        let indices = kept.get(1).map(|path| journal::open_kept(path)).transpose()?;
        Ok(Runs { spec: *spec, keys, indices, kept, lens: Vec::new() })
    }

    fn files(&self) -> impl Iterator<Item = &File> {
        [&self.keys].into_iter().chain(&self.indices)
    }

    /// Returns true if so many bytes of an interrupted run are in each file.
    pub fn has(&self, written: &[[u64; 2]]) -> bool {
        let has =
            |(file, [_, bytes]): (&File, &[u64; 2])| file.metadata().is_ok_and(|found| found.len() >= *bytes);
        self.files().zip(written).all(has)
    }

    /// Begins with the runs of these lengths, which are in the files.
    ///
    /// Errors: the rest of a file cannot be removed.
    pub fn begin(&mut self, lens: Vec<u64>, written: &[[u64; 2]]) -> anyhow::Result<()> {
        for (number, mut file) in self.files().enumerate() {
            let bytes = written.get(number).map_or(0, |[_, bytes]| *bytes);
            let begun = file.set_len(bytes).and_then(|()| file.seek(SeekFrom::Start(bytes)));
            begun.context(UNWRITTEN)?;
        }
        self.lens = lens;
        Ok(())
    }

    /// Waits until all runs are stored. Returns the numbers and the bytes of each file.
    ///
    /// Errors: a full disk.
    pub fn stored(&self) -> anyhow::Result<Vec<[u64; 2]>> {
        let stored = |mut file: &File| {
            let bytes = file.sync_data().and_then(|()| file.stream_position()).context(UNWRITTEN)?;
            Ok([self.lens.iter().sum(), bytes])
        };
        self.files().map(stored).collect()
    }

    /// Removes files that stay.
    pub fn remove(self) {
        for path in &self.kept {
            let _ = fs::remove_file(path);
        }
    }

    /// Adds a run: sorted keys, and their indices.
    ///
    /// Errors: a full disk.
    pub fn add(&mut self, streams: &[Numbers]) -> anyhow::Result<()> {
        for (mut file, numbers) in self.files().zip(streams) {
            // In this machine's order: no other reads them.
            file.write_all(bytemuck::cast_slice(numbers.words())).context(UNWRITTEN)?;
        }
        self.lens.push(streams.first().map_or(0, Numbers::len) as u64);
        Ok(())
    }

    /// Merges all runs: `write` gets the keys and indices in order, block by block. Blocks and buffers have `bytes` in all.
    ///
    /// Errors: those of `write`, and files that cannot be read.
    pub fn merge(
        &self,
        bytes: u64,
        mut write: impl FnMut(Numbers, Option<Numbers>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for_element!(self.spec.element, T => self.merge_of::<T>(bytes, &mut write))
    }

    fn merge_of<T: Element>(
        &self,
        bytes: u64,
        write: &mut dyn FnMut(Numbers, Option<Numbers>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()>
    where
        Numbers: From<Vec<T>>,
    {
        const WHAT: &str = "the numbers of a merge";
        let block = (bytes as usize / (self.lens.len() + 2)).max(LEAST) / (size_of::<T>() + size_of::<u32>());
        let mut end = 0;
        let mut runs: Vec<Cursor<T>> = Vec::new();
        for len in &self.lens {
            let next = end;
            end += len;
            runs.push(Cursor { next, end, keys: Vec::new(), indices: Vec::new(), at: 0 });
        }
        let mut heap = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            if self.fill(run, block)? {
                heap.push(Reverse((self.spec.rank(run.keys[0]), number)));
            }
        }
        let mut keys: Vec<T> = memory::room(block, WHAT)?;
        let mut indices: Vec<u32> = Vec::new();
        let mut last = 0;
        while let Some(mut least) = heap.peek_mut() {
            let Reverse((rank, number)) = *least;
            ensure!(rank >= last, "a temporary file has other numbers than were written");
            last = rank;
            let run = &mut runs[number];
            keys.push(run.keys[run.at]);
            if self.indices.is_some() {
                indices.push(run.indices[run.at]);
            }
            run.at += 1;
            if run.at == run.keys.len() && !self.fill(run, block)? {
                PeekMut::pop(least);
            } else {
                *least = Reverse((self.spec.rank(run.keys[run.at]), number));
            }
            if keys.len() == block {
                let full = mem::replace(&mut keys, memory::room(block, WHAT)?);
                write(full.into(), self.indices.is_some().then(|| mem::take(&mut indices).into()))?;
            }
        }
        write(keys.into(), self.indices.is_some().then(|| indices.into()))
    }

    /// Reads the next numbers of a run. Returns false at its end.
    fn fill<T: Element>(&self, run: &mut Cursor<T>, block: usize) -> anyhow::Result<bool> {
        let count = (run.end - run.next).min(block as u64) as usize;
        run.keys.resize(count, T::ZERO);
        run.indices.resize(if self.indices.is_some() { count } else { 0 }, 0);
        let read = |mut file: &File, at: u64, bytes: &mut [u8]| {
            file.seek(SeekFrom::Start(at))
                .and_then(|_| file.read_exact(bytes))
                .context("cannot read a temporary file")
        };
        read(&self.keys, run.next * size_of::<T>() as u64, bytemuck::cast_slice_mut(&mut run.keys))?;
        if let Some(file) = &self.indices {
            read(file, run.next * size_of::<u32>() as u64, bytemuck::cast_slice_mut(&mut run.indices))?;
        }
        run.next += count as u64;
        run.at = 0;
        Ok(count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rasterscan::tools::random::Random;

    #[test]
    fn runs_become_one_stable_sort() {
        let folder = tempfile::tempdir().unwrap();
        let numbers: Vec<i32> =
            Random { seed: 7, max: 50, keep: None }.values().take(10_000).map(|n| n as i32 - 25).collect();
        for spec in [
            SortSpec::new::<i32>(0),
            SortSpec::new::<i32>(0).descending(),
            SortSpec::new::<i32>(0).bits(2..31),
        ] {
            let mut runs = Runs::new(&spec, folder.path(), true).unwrap();
            // One of them is empty.
            for range in [0..4000, 4000..4000, 4000..9999, 9999..10_000] {
                let mut places: Vec<u32> = range.map(|place| place as u32).collect();
                places.sort_by_key(|place| spec.rank(numbers[*place as usize]));
                let keys: Vec<i32> = places.iter().map(|place| numbers[*place as usize]).collect();
                runs.add(&[keys.into(), places.into()]).unwrap();
            }
            let (mut keys, mut places) = (Vec::new(), Vec::new());
            runs.merge(0, |some, indices| {
                keys.extend_from_slice(some.get::<i32>()?);
                places.extend_from_slice(indices.unwrap().words());
                Ok(())
            })
            .unwrap();
            let mut expected: Vec<u32> = (0..10_000).collect();
            expected.sort_by_key(|place| spec.rank(numbers[*place as usize]));
            assert_eq!(places, expected);
            assert!(keys.iter().eq(expected.iter().map(|place| &numbers[*place as usize])));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
