//! The memory of a slot: a texture, its planes side by side in each texel, or a buffer.

use rasterscan::plan::{Layout, Storage};

/// A texture or a buffer as words.
#[derive(Debug, Clone)]
pub struct Memory {
    /// The layout of its items.
    pub layout: Layout,
    /// Words from one texel, or item of a buffer, to the next.
    stride: usize,
    words: Vec<u32>,
}

impl Memory {
    /// Zeros.
    pub fn new(layout: Layout) -> Memory {
        let (stride, words) = match layout.storage {
            Storage::Texture => {
                let stride = (layout.format().words * layout.planes()) as usize;
                (stride, stride * layout.width as usize * layout.height as usize)
            }
            // Whole vectors of four words, as the engine of OpenGL allocates.
            Storage::Buffer => (layout.words_per_texel() as usize, (layout.bytes() / 4) as usize),
        };
        Memory { layout, stride, words: vec![0; words] }
    }

    /// Fills it with the words of its items, without padding; the rest is zero.
    pub fn fill(&mut self, items: &[u32]) {
        self.words.fill(0);
        let used = self.layout.words_per_texel() as usize;
        for (texel, words) in self.words.chunks_mut(self.stride).zip(items.chunks(used)) {
            texel[..words.len()].copy_from_slice(words);
        }
    }

    /// The words of its items, without padding.
    pub fn items(&self) -> Vec<u32> {
        let used = self.layout.words_per_texel() as usize;
        let texels = self.words.chunks(self.stride).flat_map(|texel| &texel[..used.min(texel.len())]);
        texels.take(self.layout.words() as usize).copied().collect()
    }

    /// Fills what lies past the end of a buffer.
    pub fn fill_padding(&mut self, word: u32) {
        if self.layout.storage == Storage::Buffer {
            let used = (self.layout.words() as usize).min(self.words.len());
            self.words[used..].fill(word);
        }
    }

    /// All words, padding included.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The same, to change.
    pub fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// The words of a texel or an item; `None` past the end.
    pub fn texel(&self, index: usize) -> Option<&[u32]> {
        self.words.get(index * self.stride..(index + 1) * self.stride)
    }

    /// The same, to change.
    pub fn texel_mut(&mut self, index: usize) -> Option<&mut [u32]> {
        self.words.get_mut(index * self.stride..(index + 1) * self.stride)
    }
}
