//! The entropy-coded data of a scan, checked code by code.

use super::{Component, Frame, Tables};

/// The result of a check; an error is at [`Bits::at`].
type Walked<T = ()> = Result<T, &'static str>;

/// The largest magnitude of a coefficient: 1024 for 8-bit samples, but some encoders exceed black and white.
const MOST: i32 = 1536;

/// The longest codes of 8-bit samples: T.81, tables F.1 and F.2.
const MOST_DC: u8 = 11;
const MOST_AC: u8 = 10;

/// A Huffman table: the codes of each length are consecutive.
pub struct Huffman {
    /// For each length from 1 on: the first code, the number of codes, and the value of the first.
    lengths: [(u32, u32, usize); 16],
    values: Vec<u8>,
}

impl Huffman {
    /// A table from its counts by length and its values; `None` if there are more codes than the lengths allow.
    pub fn new(counts: &[u8], values: &[u8]) -> Option<Huffman> {
        let mut lengths = [(0, 0, 0); 16];
        let (mut code, mut value) = (0, 0);
        for (length, (entry, count)) in lengths.iter_mut().zip(counts).enumerate() {
            *entry = (code, u32::from(*count), value);
            code += u32::from(*count);
            value += usize::from(*count);
            if code > 2 << length {
                return None;
            }
            code <<= 1;
        }
        (value == values.len()).then(|| Huffman { lengths, values: values.to_vec() })
    }

    fn decode(&self, bits: &mut Bits<'_>) -> Walked<u8> {
        let mut code = 0;
        for (first, count, value) in self.lengths {
            code = code << 1 | bits.take(1)?;
            let offset = code.wrapping_sub(first);
            if offset < count {
                return self.values.get(value + offset as usize).copied().ok_or("a code has no value");
            }
        }
        Err("a code is in no Huffman table")
    }
}

/// The bits of a scan up to the next marker.
pub struct Bits<'t> {
    bytes: &'t [u8],
    at: usize,
    last: u8,
    left: u32,
}

impl<'t> Bits<'t> {
    /// The bits from byte `at` on.
    pub fn new(bytes: &'t [u8], at: usize) -> Bits<'t> {
        Bits { bytes, at, last: 0, left: 0 }
    }

    /// The index of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    fn take(&mut self, count: u32) -> Walked<u32> {
        let mut value = 0;
        for _ in 0..count {
            if self.left == 0 {
                self.last = self.byte()?;
                self.left = 8;
            }
            self.left -= 1;
            value = value << 1 | u32::from(self.last >> self.left & 1);
        }
        Ok(value)
    }

    fn byte(&mut self) -> Walked<u8> {
        let byte = *self.bytes.get(self.at).ok_or("the file ends within the image")?;
        if byte == 0xFF {
            match self.bytes.get(self.at + 1) {
                // In the data, a zero follows an FF.
                Some(0) => self.at += 1,
                Some(_) => return Err("a marker comes before the end of the image"),
                None => return Err("the file ends within the image"),
            }
        }
        self.at += 1;
        Ok(byte)
    }

    /// Skips the padding of the last byte; a marker must follow.
    fn pad(&mut self) -> Walked {
        self.left = 0;
        match self.bytes.get(self.at..) {
            Some([0xFF, 0, ..]) | Some([0..0xFF, ..]) => Err("more data follows than the image has"),
            Some([0xFF, ..]) => Ok(()),
            _ => Err("the file ends without an end marker"),
        }
    }

    /// Reads restart marker `number`.
    fn restart(&mut self, number: usize) -> Walked {
        self.pad()?;
        while self.bytes.get(self.at + 1) == Some(&0xFF) {
            self.at += 1;
        }
        if self.bytes.get(self.at + 1).copied() != Some(super::RST0 + (number % 8) as u8) {
            return Err("a restart marker is missing or out of order");
        }
        self.at += 2;
        Ok(())
    }
}

/// A component's part in a scan.
struct ScanComponent<'t> {
    component: usize,
    dc: Option<&'t Huffman>,
    ac: Option<&'t Huffman>,
    /// The quantization steps of its coefficients.
    steps: &'t [i32; 64],
    /// The value of the last block's first coefficient.
    prediction: i32,
}

/// The coefficients that a scan sends, in zigzag order.
struct Band {
    start: usize,
    end: usize,
    /// The lowest bit sent before, 0 for none, and the one sent now.
    high: u8,
    low: u8,
}

/// Checks the data after a scan's header, up to the next marker other than a restart.
pub fn walk(bits: &mut Bits<'_>, header: &[u8], frame: &mut Frame, tables: &Tables) -> Walked {
    let (mut parts, band) = read_header(header, frame, tables)?;
    let progressive = frame.shape.progressive;
    for part in &parts {
        send(&mut frame.components[part.component], &band, progressive)?;
    }
    let alone = parts.len() == 1;
    let (columns, rows) = match &parts[..] {
        [part] => (frame.components[part.component].columns, frame.components[part.component].rows),
        _ => frame.mcus,
    };
    let mut ends = 0;
    for mcu in 0..columns * rows {
        if tables.restart_interval > 0 && mcu > 0 && mcu % tables.restart_interval == 0 {
            if ends > 0 {
                return Err("an end of blocks reaches past a restart marker");
            }
            bits.restart(mcu / tables.restart_interval - 1)?;
            parts.iter_mut().for_each(|part| part.prediction = 0);
        }
        let (column, row) = (mcu % columns, mcu / columns);
        for part in &mut parts {
            let component = &mut frame.components[part.component];
            let (h, v) = if alone { (1, 1) } else { (component.h, component.v) };
            for block in 0..h * v {
                let (x, y) = (column * h + block % h, row * v + block / h);
                match (progressive, band.start, band.high) {
                    (false, ..) => sequential(bits, part)?,
                    (true, 0, 0) => first_coefficient(bits, part, band.low)?,
                    (true, 0, _) => drop(bits.take(1)?),
                    (true, ..) => {
                        let ac = part.ac.ok_or("a scan lacks its Huffman table")?;
                        let place = y * component.stride + x;
                        let nonzero =
                            component.nonzero.get_mut(place).ok_or("a block is outside the image")?;
                        match band.high {
                            0 => first_pass(bits, ac, part.steps, &band, &mut ends, nonzero)?,
                            _ => refinement(bits, ac, &band, &mut ends, nonzero)?,
                        }
                    }
                }
            }
        }
    }
    if ends > 0 {
        return Err("an end of blocks reaches past the image");
    }
    bits.pad()
}

fn read_header<'t>(
    header: &[u8],
    frame: &Frame,
    tables: &'t Tables,
) -> Walked<(Vec<ScanComponent<'t>>, Band)> {
    let count = header.first().map_or(0, |count| usize::from(*count));
    let (selectors, spectral) = match header.get(1..).and_then(|rest| rest.split_at_checked(2 * count)) {
        Some((selectors, &[start, end, bits])) if (1..=4).contains(&count) => (selectors, (start, end, bits)),
        _ => return Err("a scan header has the wrong length"),
    };
    let band = Band {
        start: spectral.0.into(),
        end: spectral.1.into(),
        high: spectral.2 >> 4,
        low: spectral.2 & 15,
    };
    let mut parts: Vec<ScanComponent<'_>> = Vec::new();
    for selector in selectors.chunks_exact(2) {
        let component = frame.components.iter().position(|component| component.id == selector[0]);
        let component = component.ok_or("a scan names an unknown component")?;
        if parts.iter().any(|part| part.component == component) {
            return Err("a scan has a component twice");
        }
        let table = |tables: &'t [Option<Huffman>], number: u8| tables.get(usize::from(number))?.as_ref();
        let (dc, ac) = (table(&tables.dc, selector[1] >> 4), table(&tables.ac, selector[1] & 15));
        let steps = tables.quantization.get(usize::from(frame.components[component].steps));
        let steps = steps.ok_or("a component has no quantization table")?;
        parts.push(ScanComponent { component, dc, ac, steps, prediction: 0 });
    }
    if frame.shape.progressive {
        let first = band.start == 0 && band.end == 0;
        let others = band.start > 0 && band.start <= band.end && band.end < 64 && parts.len() == 1;
        if !first && !others || band.low > 13 || band.high > 0 && band.high != band.low + 1 {
            return Err("a scan has an invalid range of coefficients");
        }
    }
    Ok((parts, band))
}

/// Notes the bits that a scan sends of a component; an error if they were sent before or are not next.
fn send(component: &mut Component, band: &Band, progressive: bool) -> Walked {
    let (band, low) = if progressive { (band.start..=band.end, band) } else { (0..=63, &ALL) };
    let before = (low.high > 0).then_some(low.high);
    if *band.start() > 0 && component.sent[0].is_none() {
        return Err("a scan of later coefficients comes before the first ones");
    }
    for sent in &mut component.sent[band] {
        if *sent != before {
            return Err("a scan is missing or repeated");
        }
        *sent = Some(low.low);
    }
    Ok(())
}

/// A block of a sequential scan.
const ALL: Band = Band { start: 0, end: 63, high: 0, low: 0 };

/// The first coefficient of a block, shifted by `low` bits.
fn first_coefficient(bits: &mut Bits<'_>, part: &mut ScanComponent<'_>, low: u8) -> Walked {
    let size = part.dc.ok_or("a scan lacks its Huffman table")?.decode(bits)?;
    if size > MOST_DC {
        return Err("a first coefficient is too large");
    }
    part.prediction += coefficient(bits, size.into())?;
    in_range(part.prediction << low, part.steps[0])
}

/// A number of `size` bits, half of whose values are negative.
fn coefficient(bits: &mut Bits<'_>, size: u32) -> Walked<i32> {
    let value = bits.take(size)? as i32;
    let negative = size > 0 && value >> (size - 1) == 0;
    Ok(if negative { value - (1 << size) + 1 } else { value })
}

fn in_range(value: i32, step: i32) -> Walked {
    match value.saturating_mul(step).saturating_abs() <= MOST + step {
        true => Ok(()),
        false => Err("a coefficient is out of the range of 8-bit samples"),
    }
}

fn sequential(bits: &mut Bits<'_>, part: &mut ScanComponent<'_>) -> Walked {
    first_coefficient(bits, part, 0)?;
    let ac = part.ac.ok_or("a scan lacks its Huffman table")?;
    let mut next = 1;
    while next < 64 {
        let (zeros, size) = run(bits, ac)?;
        if (zeros, size) == (0, 0) {
            break;
        }
        if size == 0 && zeros < 15 {
            return Err("a sequential scan has an end of blocks");
        }
        next += zeros + 1;
        if next > 64 {
            return Err("a block has more than 64 coefficients");
        }
        in_range(coefficient(bits, size)?, part.steps[next - 1])?;
    }
    Ok(())
}

/// The number of zeros before a coefficient, and its size.
fn run(bits: &mut Bits<'_>, ac: &Huffman) -> Walked<(usize, u32)> {
    let code = ac.decode(bits)?;
    match code & 15 {
        size if size > MOST_AC => Err("a coefficient is too large"),
        size => Ok(((code >> 4).into(), size.into())),
    }
}

/// The higher bits of coefficients, T.81 figure G.3. `ends` counts blocks without further coefficients.
fn first_pass(
    bits: &mut Bits<'_>,
    ac: &Huffman,
    steps: &[i32; 64],
    band: &Band,
    ends: &mut u32,
    nonzero: &mut u64,
) -> Walked {
    let mut next = band.start;
    while *ends == 0 && next <= band.end {
        let (zeros, size) = run(bits, ac)?;
        if size == 0 && zeros < 15 {
            *ends = (1 << zeros) + bits.take(zeros as u32)?;
            break;
        }
        next += zeros;
        if next > band.end {
            return Err("a block has more coefficients than the scan");
        }
        if size > 0 {
            in_range(coefficient(bits, size)? << band.low, steps[next])?;
            *nonzero |= 1 << next;
        }
        next += 1;
    }
    *ends = ends.saturating_sub(1);
    Ok(())
}

/// One more bit of each coefficient, T.81 figure G.7.
fn refinement(bits: &mut Bits<'_>, ac: &Huffman, band: &Band, ends: &mut u32, nonzero: &mut u64) -> Walked {
    let mut next = band.start;
    while *ends == 0 && next <= band.end {
        let (mut zeros, size) = run(bits, ac)?;
        match size {
            0 if zeros < 15 => {
                *ends = (1 << zeros) + bits.take(zeros as u32)?;
                break;
            }
            0 => {}
            // Its sign.
            1 => drop(bits.take(1)?),
            _ => return Err("a coefficient grows by more than a bit"),
        }
        // One more bit of the nonzero coefficients on the way.
        while next <= band.end && (*nonzero >> next & 1 == 1 || zeros > 0) {
            if *nonzero >> next & 1 == 1 {
                bits.take(1)?;
            } else {
                zeros -= 1;
            }
            next += 1;
        }
        if next > band.end {
            return Err("a block has more coefficients than the scan");
        }
        if size == 1 {
            *nonzero |= 1 << next;
        }
        next += 1;
    }
    if *ends > 0 {
        for place in next..=band.end {
            if *nonzero >> place & 1 == 1 {
                bits.take(1)?;
            }
        }
        *ends -= 1;
    }
    Ok(())
}
