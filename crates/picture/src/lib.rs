//! Pictures of recordings. A recording and a style are turned into shapes, which are plain data of the crate
//! `rasterscan-drawing`; its painters draw them, or a window's.
//!
//! | step | module |
//! | --- | --- |
//! | a recording, with what all its pictures need | [`subject`] |
//! | the streams of a pass: rows, columns, changes | [`block`] |
//! | their positions: beside each other, above, around | [`placing`] |
//! | the picture: cells, numbers, marks, arrows, vertices | [`picture`] |
//! | a single pass as tiles: cards, states, looks | [`tiles`] |
//! | shared memory of a work group, stage by stage | [`shared`] |
//! | values on their way from source to target | [`travel`] |
//! | a page for a file: picture, title, costs, legend | [`page`] |
//!
//! The app and the exports draw the same shapes, so they agree. Nothing here opens a window, touches a file, or needs a
//! GPU.

#![deny(missing_docs, unsafe_code)]

pub mod bar;
pub mod block;
pub mod page;
pub mod picture;
pub mod placing;
pub mod shared;
pub mod subject;
pub mod tiles;
pub mod travel;

mod arrows;

mod marks;
mod style;
mod texels;
mod vertices;

pub use arrows::text_rect;
pub use page::Pages;
pub use picture::{Camera, Picture};
pub use style::{ColourRange, NumberFormat, Spot, Style};
pub use subject::Subject;
pub use tiles::TilesPicture;
pub use travel::Travel;
