//! Pictures and a page from plain data: nothing here measures, uses OpenGL or writes files.
//!
//! A [`Figure`](chart::Figure) is drawn as a list of shapes, which are then written as SVG or painted as PNG, so that
//! both are the same picture. [`page::html`] puts figures, claims and tables into one document that needs nothing else.

pub mod chart;
pub mod latency;
pub mod page;
