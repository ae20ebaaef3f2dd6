//! A shell for the app: a window of its own, and pictures without one.
