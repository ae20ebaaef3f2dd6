//! Drawings as plain data, and what paints them: charts, pictures and reports are made of the same shapes.
//!
//! | step | module |
//! | --- | --- |
//! | lines, polygons, circles and text | [`shape`] |
//! | their colours, and the widths of their letters | [`colour`], [`theme`], [`font`] |
//! | curves over axes | [`chart`], [`ruler`], [`spread`] |
//! | numbers as text | [`number`] |
//! | painters | [`pixels`], [`svg`]; a window's is the window's own |
//!
//! Nothing here knows scans, opens a window, or touches a file.

#![deny(missing_docs, unsafe_code)]

pub mod chart;
pub mod colour;
pub mod font;
pub mod number;
#[cfg(feature = "pixels")]
pub mod pixels;
pub mod ruler;
pub mod shape;
pub mod spread;
pub mod svg;
pub mod theme;
