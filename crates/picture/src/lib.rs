//! Pictures of recordings. A recording and a style are turned into shapes, which are plain data; painters draw the
//! shapes.
//!
//! | step | module |
//! | --- | --- |
//! | a recording, with what all its pictures need | [`subject`] |
//! | the streams of a pass: rows, columns, changes | [`block`] |
//! | their positions: beside each other, above, around | [`placing`] |
//! | the picture: cells, numbers, marks, arrows | [`picture`] |
//! | a single pass as tiles: cards, states, looks | [`tiles`] |
//! | shared memory of a work group, stage by stage | [`shared`] |
//! | a page for a file: picture, title, costs, legend | [`page`] |
//! | curves over axes | [`plot`], [`ruler`], [`spread`] |
//! | shapes, as plain data | [`drawing`], [`colour`], [`font`]; [`number`]s as text |
//! | painters | [`pixels`], [`svg`]; a window's is the window's own |
//!
//! The app and the exports draw the same shapes, so they agree. Nothing here opens a window, touches a file, or needs a
//! GPU.

#![deny(missing_docs, unsafe_code)]

pub mod bar;
pub mod block;
pub mod colour;
pub mod drawing;
pub mod font;
pub mod number;
pub mod page;
pub mod picture;
#[cfg(feature = "pixels")]
pub mod pixels;
pub mod placing;
pub mod plot;
pub mod ruler;
pub mod shared;
pub mod spread;
pub mod subject;
pub mod svg;
pub mod tiles;

mod arrows;

mod marks;
mod style;
mod texels;

pub use drawing::Drawing;
pub use page::Pages;
pub use picture::{Camera, Picture};
pub use style::{ACCENT, ColourRange, NumberFormat, Spot, Style, Theme};
pub use subject::Subject;
pub use tiles::TilesPicture;
