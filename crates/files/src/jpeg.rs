//! The check that a JPEG is complete: every block of every component, and nothing else.
//!
//! Decoders show as much as they can of a damaged picture and fill in the rest. Here, sums of made-up pixels would be
//! wrong numbers. So the entropy-coded data is checked before it is decoded: each scan must have a valid code for each
//! of its blocks, restart markers must be where the header says and count up, each scan must end in less than a byte of
//! padding, every component must be sent to its last bit, and the file must reach its end marker.
//!
//! Source: ITU-T T.81, annexes B (segments), F (sequential) and G (progressive). Cost: one pass over the bytes.
//!
//! Decoders alone (zune-jpeg 0.5.15 in its strict mode, jpeg-decoder 0.3) refuse so many; the other files they show, nearly
//! all with wrong pixels:
//!
//! ```text
//! damage                                        files   this check   zune-jpeg   jpeg-decoder
//! a photo, cut off, with an end marker             29           29           0              0
//! a photo, 16 to 4096 bytes missing or other      261          199           2              2
//! the corpus, cut off, with an end marker        3474         3474        1934           2616
//! the corpus, one bit of the data flipped       17232        10261        5200           6411
//! the corpus, 1 to 16 bytes missing              6192         5363        2505           3291
//! restart markers missing or out of order          15           15           5             14
//! ```
//!
//! A JPEG has no checksum: damage that turns codes into other valid codes for the same number of blocks is not
//! detected.

mod scan;

use rasterscan::{Error, tools::memory};

use scan::{Bits, Huffman};

/// A reason why a JPEG cannot be read: damage, or an unsupported part of the standard.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JpegError {
    /// Missing or misplaced data.
    #[error("the JPEG is damaged at byte {at}: {what}")]
    Damaged {
        /// The byte at which it was found, counted from 0.
        at: usize,
        /// The damage.
        what: String,
    },
    /// An unsupported part of the standard.
    #[error("the JPEG cannot be read: {0}; expected Huffman-coded baseline or progressive, of 8 bits")]
    Unsupported(String),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] Error),
}

/// The shape of the image, from its frame header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimensions {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The number of components: 1 for grey, 3 for colour.
    pub components: u32,
    /// True if the image is progressive, false if it is sequential.
    pub progressive: bool,
}

impl Dimensions {
    /// An upper bound on the memory of a decoder besides the pixels: two bytes per sample, of some rows or of the whole
    /// image, in whole MCUs.
    pub fn work_bytes(&self) -> usize {
        let row = (self.width as usize + 64) * self.components as usize * 2;
        row * (self.height as usize + 64) + (1 << 20)
    }
}

/// The first bytes of a JPEG.
pub(crate) const MAGIC: &[u8] = &[0xFF, SOI];

const TEM: u8 = 0x01;
const SOF0: u8 = 0xC0;
const SOF1: u8 = 0xC1;
const SOF2: u8 = 0xC2;
const DHT: u8 = 0xC4;
const DAC: u8 = 0xCC;
const RST0: u8 = 0xD0;
const RST7: u8 = 0xD7;
const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;
const DQT: u8 = 0xDB;
const DRI: u8 = 0xDD;

type Checked<T = ()> = Result<T, JpegError>;

/// The shape in the frame header; nothing after that header is read.
pub fn shape(bytes: &[u8]) -> Checked<Dimensions> {
    let mut jpeg = Jpeg::new(bytes)?;
    while jpeg.frame.is_none() {
        let marker = jpeg.marker()?;
        if matches!(marker, SOS | EOI) {
            return Err(jpeg.damaged("no frame header precedes the data"));
        }
        jpeg.segment(marker)?;
    }
    jpeg.frame.as_ref().map(|frame| frame.shape).ok_or_else(|| jpeg.damaged("it has no frame header"))
}

/// Checks the whole file.
///
/// Errors: the first damage, with the byte at which it was found.
pub fn check(bytes: &[u8]) -> Checked {
    let mut jpeg = Jpeg::new(bytes)?;
    loop {
        match jpeg.marker()? {
            EOI => return jpeg.all_is_sent(),
            SOS => jpeg.scan()?,
            marker => jpeg.segment(marker)?,
        }
    }
}

/// A file, and how far it was read.
struct Jpeg<'t> {
    bytes: &'t [u8],
    at: usize,
    frame: Option<Frame>,
    tables: Tables,
}

/// The settings that segments make for later scans.
struct Tables {
    dc: [Option<Huffman>; 4],
    ac: [Option<Huffman>; 4],
    /// The quantization steps of coefficients, in zigzag order.
    quantization: [[i32; 64]; 4],
    /// MCUs between restart markers; 0 without such markers.
    restart_interval: usize,
}

struct Frame {
    shape: Dimensions,
    components: Vec<Component>,
    /// MCUs in a scan of several components.
    mcus: (usize, usize),
}

impl Tables {
    fn new() -> Tables {
        let none = || [None, None, None, None];
        Tables { dc: none(), ac: none(), quantization: [[0; 64]; 4], restart_interval: 0 }
    }
}

/// A component, and the bits that scans have sent so far.
struct Component {
    id: u8,
    h: usize,
    v: usize,
    /// Its quantization table.
    steps: u8,
    /// Blocks that hold samples of the image.
    columns: usize,
    rows: usize,
    /// Blocks in a row, including those that fill up the last MCU.
    stride: usize,
    /// The lowest bit sent of each coefficient, in zigzag order.
    sent: [Option<u8>; 64],
    /// For each block of a progressive image, one bit for each nonzero coefficient.
    nonzero: Vec<u64>,
}

impl<'t> Jpeg<'t> {
    fn new(bytes: &'t [u8]) -> Checked<Jpeg<'t>> {
        let mut jpeg = Jpeg { bytes, at: 0, frame: None, tables: Tables::new() };
        if !bytes.starts_with(&[0xFF, SOI]) {
            return Err(jpeg.damaged("expected a JPEG, which begins with FF D8"));
        }
        jpeg.at = 2;
        Ok(jpeg)
    }

    fn damaged(&self, what: impl Into<String>) -> JpegError {
        JpegError::Damaged { at: self.at, what: what.into() }
    }

    fn byte(&mut self) -> Checked<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or_else(|| self.damaged("the file ends here"))?;
        self.at += 1;
        Ok(byte)
    }

    /// The marker at this position, after any number of fill bytes.
    fn marker(&mut self) -> Checked<u8> {
        let first = self.byte()?;
        if first != 0xFF {
            self.at -= 1;
            return Err(self.damaged(format!("expected a marker, found the byte {first:02X}")));
        }
        loop {
            match self.byte()? {
                0xFF => {}
                0 => return Err(self.damaged("expected a marker, found data")),
                marker => return Ok(marker),
            }
        }
    }

    /// The bytes of a segment, after its length.
    fn content(&mut self) -> Checked<&'t [u8]> {
        let length = usize::from(u16::from_be_bytes([self.byte()?, self.byte()?]));
        let end = self.at + length.saturating_sub(2);
        if length < 2 {
            return Err(self.damaged(format!("a segment has {length} bytes; expected at least two")));
        }
        let content = self.bytes.get(self.at..end);
        let content = content
            .ok_or_else(|| self.damaged(format!("the file ends within a segment of {length} bytes")))?;
        self.at = end;
        Ok(content)
    }

    /// Reads a segment of any kind except a scan.
    fn segment(&mut self, marker: u8) -> Checked {
        match marker {
            SOF0 | SOF1 | SOF2 => self.frame_header(marker == SOF2),
            DHT => self.huffman_tables(),
            DQT => self.quantization_tables(),
            DRI => match *self.content()? {
                [high, low] => {
                    self.tables.restart_interval = usize::from(u16::from_be_bytes([high, low]));
                    Ok(())
                }
                _ => Err(self.damaged("a restart interval does not have two bytes")),
            },
            0xC3 | 0xC5..=0xC7 | 0xC8..=0xCB | 0xCD..=0xCF | DAC => {
                Err(JpegError::Unsupported(format!("it uses the coding of marker FF {marker:02X}")))
            }
            TEM | RST0..=RST7 | SOI | EOI | 0x02..=0xBF => {
                Err(self.damaged(format!("the marker FF {marker:02X} does not belong here")))
            }
            _ => self.content().map(drop),
        }
    }

    fn frame_header(&mut self, progressive: bool) -> Checked {
        let content = self.content()?;
        let header =
            content.split_first_chunk::<6>().filter(|(head, rest)| rest.len() == 3 * usize::from(head[5]));
        let (&[precision, y1, y0, x1, x0, count], rest) =
            header.ok_or_else(|| self.damaged("the frame header has the wrong length"))?;
        if self.frame.is_some() {
            return Err(self.damaged("there is a second frame header"));
        }
        if precision != 8 {
            return Err(JpegError::Unsupported(format!("its samples have {precision} bits")));
        }
        let [height, width] = [[y1, y0], [x1, x0]].map(|two| usize::from(u16::from_be_bytes(two)));
        if width == 0 || height == 0 || !(1..=4).contains(&count) {
            return Err(self.damaged(format!("an image of {width} x {height} pixels and {count} components")));
        }
        let factors = |component: &[u8]| (usize::from(component[1] >> 4), usize::from(component[1] & 15));
        let all = || rest.chunks_exact(3);
        if !all().map(factors).all(|(h, v)| (1..=4).contains(&h) && (1..=4).contains(&v)) {
            return Err(self.damaged("a sampling factor is not 1 to 4"));
        }
        let h_max = all().map(|component| factors(component).0).max().unwrap_or(1);
        let v_max = all().map(|component| factors(component).1).max().unwrap_or(1);
        let mcus = (width.div_ceil(8 * h_max), height.div_ceil(8 * v_max));
        let mut components = Vec::new();
        for component in all() {
            let (h, v) = factors(component);
            components.push(Component {
                id: component[0],
                h,
                v,
                steps: component[2],
                columns: (width * h).div_ceil(8 * h_max),
                rows: (height * v).div_ceil(8 * v_max),
                stride: mcus.0 * h,
                sent: [None; 64],
                nonzero: Vec::new(),
            });
        }
        let shape =
            Dimensions { width: width as u32, height: height as u32, components: count.into(), progressive };
        self.frame = Some(Frame { shape, components, mcus });
        Ok(())
    }

    fn huffman_tables(&mut self) -> Checked {
        let mut content = self.content()?;
        while !content.is_empty() {
            let table = content.split_first_chunk::<17>().and_then(|(head, rest)| {
                let codes = head[1..].iter().map(|count| usize::from(*count)).sum();
                rest.split_at_checked(codes).map(|(values, rest)| (head, values, rest))
            });
            let (head, values, rest) = table.ok_or_else(|| self.damaged("a Huffman table is cut off"))?;
            let (class, number) = (head[0] >> 4, usize::from(head[0] & 15));
            let huffman = Huffman::new(&head[1..], values);
            let huffman = huffman.ok_or_else(|| self.damaged("a Huffman table has too many codes"))?;
            let tables = if class == 0 { &mut self.tables.dc } else { &mut self.tables.ac };
            match tables.get_mut(number).filter(|_| class <= 1) {
                Some(table) => *table = Some(huffman),
                None => return Err(self.damaged(format!("there is no Huffman table {class}, {number}"))),
            }
            content = rest;
        }
        Ok(())
    }

    fn quantization_tables(&mut self) -> Checked {
        let mut content = self.content()?;
        while let [head, rest @ ..] = content {
            let bytes = if head >> 4 == 0 { 1 } else { 2 };
            let cut = rest.split_at_checked(64 * bytes).filter(|_| head >> 4 <= 1);
            let table = self.tables.quantization.get_mut(usize::from(head & 15));
            let (Some((values, rest)), Some(table)) = (cut, table) else {
                return Err(self.damaged("a quantization table is cut off or invalid"));
            };
            for (step, value) in table.iter_mut().zip(values.chunks_exact(bytes)) {
                *step = value.iter().fold(0, |step, byte| step << 8 | i32::from(*byte));
            }
            content = rest;
        }
        Ok(())
    }

    /// Checks a scan: its header, and all of its data.
    fn scan(&mut self) -> Checked {
        let header = self.content()?;
        let Some(frame) = &mut self.frame else {
            return Err(self.damaged("no frame header precedes the data"));
        };
        if frame.shape.progressive {
            let rows = frame.mcus.1;
            for component in frame.components.iter_mut().filter(|component| component.nonzero.is_empty()) {
                component.nonzero =
                    memory::filled(0, component.stride * rows * component.v, "the blocks of a JPEG")?;
            }
        }
        let mut bits = Bits::new(self.bytes, self.at);
        let walked = scan::walk(&mut bits, header, frame, &self.tables);
        self.at = bits.at();
        walked.map_err(|what| self.damaged(what))
    }

    /// Checks that every component was sent to its last bit.
    fn all_is_sent(&self) -> Checked {
        let frame = self.frame.as_ref().ok_or_else(|| self.damaged("the file has no image"))?;
        let whole = |component: &Component| {
            component.sent[0] == Some(0) && component.sent.iter().all(|low| low.is_none_or(|low| low == 0))
        };
        match frame.components.iter().all(whole) {
            true => Ok(()),
            false => Err(self.damaged("the image ends before its last scan")),
        }
    }
}
