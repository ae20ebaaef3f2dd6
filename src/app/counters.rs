//! What the passes so far have cost, against the sequential algorithm.
