//! The stops: their texts, their runs, and their questions.

use super::{Stop, questions};

/// All stops, in their order.
pub const STOPS: [Stop; 10] = [
    Stop {
        title: "What a scan is",
        text: &[
            "Take a row of numbers. In its scan, each place has the sum of all numbers up to it. It is also called a prefix \
             sum. An exclusive scan leaves the place's own number out.",
            "A loop does it with one addition a place: keep a running sum, add the next number, write it down. Each step \
             needs the one before. That looks as if it could not be done by many at a time, and yet it can. This tour \
             shows how graphics cards did it when all that they could do was draw.",
            "In the middle you see the input, as a texture: its numbers lie row by row. Texel is the word for one cell of it.",
        ],
        job: "scan random:n=8,seed=0,max=9,keep=0.9 -a horn",
        recorded: "horn",
        position: 0,
        answered: usize::MAX,
        beside: None,
        question: questions::running_sum,
    },
    Stop {
        title: "Horn's scan: everybody at a time",
        text: &[
            "A fragment shader is a small program that runs once for each texel that is drawn. It may read from any \
             texture, and it writes its own texel alone. It cannot write where it reads, so there are two textures that \
             take turns.",
            "Horn's scan draws the whole texture again and again. In the first pass each texel adds its left neighbour to \
             itself, in the second the one 2 places to the left, then 4, then 8. Each pass doubles how many numbers a sum \
             stands for: sixteen need four passes.",
            "Two passes have been made. Point at a texel to see what it read. Then say what the next pass will bring, and \
             press the right arrow to see it happen.",
        ],
        job: "scan random:n=16,seed=0,max=9,keep=0.9 -a horn",
        recorded: "horn",
        position: 2,
        answered: 3,
        beside: None,
        question: questions::horn_step,
    },
    Stop {
        title: "Wasted work",
        text: &[
            "Horn's scan takes few steps. But count the additions. In each pass every texel adds, but for the first few, \
             which are complete. So one pass makes nearly as many additions as the whole loop, and there are log n passes.",
            "Where there is a processor for every texel, that is free. Where there is not, they queue up: a million \
             numbers take nearly twenty times as many additions as a loop.",
            "All passes have been made now. The counters at the bottom know the answer, and you can find it by yourself: how \
             many texels stay as they are in each pass?",
        ],
        job: "scan random:n=16,seed=0,max=9,keep=0.9 -a horn",
        recorded: "horn",
        position: 4,
        answered: 5,
        beside: None,
        question: questions::wasted,
    },
    Stop {
        title: "Reduce and down-sweep",
        text: &[
            "There is a way that needs no more than two additions for each number, however many there are. Add up pairs, so that half as many numbers are left, and pairs of these, and \
             so on: that is the reduce. Scan what is left. Then come down again.",
            "On the way down each level is twice as long as the one above, whose sums are finished already. An odd place is \
             the end of a pair, so its sum is there: it is just copied. An even place adds its own number to the sum \
             of all pairs before it. One addition for every second place is all that a level needs.",
            "The reduce and the scan at the top are done, and one way down. The last pass brings the result.",
        ],
        job: "scan random:n=16,seed=0,max=9,keep=0.9 -a blelloch",
        recorded: "blelloch",
        position: 5,
        answered: 6,
        beside: None,
        question: questions::down_sweep,
    },
    Stop {
        title: "The hybrid",
        text: &[
            "Reducing saves work, but it takes two passes a level, one up and one down, where Horn's scan takes one. With few \
             numbers left most processors have nothing to do anyway. So stop reducing when there are few, and let \
             Horn's scan finish: that is the hybrid of Sengupta, Lefohn and Owens.",
            "Here one reduce has been made, and eight sums are left; Horn's steps come next. At its side is Horn's scan of \
             the same numbers. With sixteen numbers Horn's has fewer passes, 4 against 5. With a million the hybrid is \
             nearly five times as fast, on a GPU of today.",
        ],
        job: "scan random:n=16,seed=0,max=9,keep=0.9 -a hybrid:reduce=1",
        recorded: "hybrid:reduce=1",
        position: 1,
        answered: 2,
        beside: Some("horn"),
        question: questions::hybrid_step,
    },
    Stop {
        title: "Why the height is halved",
        text: &[
            "The numbers lie in a texture row by row. A pair of neighbours, 2i and 2i + 1, is always in one row, as rows have \
             even lengths. Two rows of pairs make one row of sums, so a texture of half the height has room for all.",
            "The shader then needs no division to find its pair. In the left half of a row it reads the row of twice its own \
             number, in the right half the row after that. So all levels have rows of the same length, and an index \
             becomes a row and a column in the same way on each. The reduce ends when one row is left.",
            "Nothing has been drawn yet. Think of the first reduce: rows and columns count from 0, row 0 is at the top.",
        ],
        job: "scan random:n=64,seed=0,max=9,keep=0.9 -a blelloch",
        recorded: "blelloch",
        position: 0,
        answered: 1,
        beside: None,
        question: questions::halved_height,
    },
    Stop {
        title: "Four to a texel",
        text: &[
            "A texel has room for four numbers: red, green, blue, alpha. The papers used one of them. If all four are used, a \
             fetch brings four numbers, and a quarter of the texels is drawn.",
            "The packed scan also takes larger steps. Its reduce makes one number of a whole block, here two texels with four \
             numbers each, in place of halving three times. What is left is scanned in blocks in the same way.",
            "The era did not take this step. With nothing but drawing, such a scan comes close to the time of a mere copy.",
        ],
        job: "scan random:n=64,seed=0,max=9,keep=0.9 -a packed:block=2",
        recorded: "packed:block=2",
        position: 0,
        answered: 1,
        beside: None,
        question: questions::packed_block,
    },
    Stop {
        title: "Compaction by search",
        text: &[
            "Often only some elements are wanted, and they are to stand side by side at the front. Here 0 is unwanted. The \
             scan tells where each element goes: if 3 before it are unwanted, it moves 3 places to the left.",
            "But a fragment cannot write to another place than its own. So the question is turned round: each place of the \
             result looks for the element that belongs there. For element j the number of wanted ones up to it never \
             falls as j grows, so it can search as one does in a dictionary, by halving.",
            "The flags are scanned: each number is how many are unwanted up to its place. Now each place searches.",
        ],
        job: "compact random:n=16,seed=0,max=9,keep=0.6 -a horn",
        recorded: "horn:scan=horn",
        position: 5,
        answered: 6,
        beside: None,
        question: questions::search,
    },
    Stop {
        title: "Blocks and lines",
        text: &[
            "Searching the whole stream is expensive. Roger, Assarsson and Holzschuch cut it into blocks, and compacted each alone. \
             Then each block has what it keeps at its front, and a gap after it.",
            "To close the gaps they drew lines. What a block keeps becomes a segment, as long as it has elements, \
             and begins where the block before it ends. A line needs only its two ends, computed by a vertex shader, and \
             the hardware fills in the texels between them; each reads its element as far to the right as there are \
             unwanted ones before the block.",
            "The blocks of 8 are compacted and their unwanted elements added up. The segments come next.",
        ],
        job: "compact random:n=40,seed=0,max=9,keep=0.6 -a blocks:size=8",
        recorded: "blocks:size=8,",
        position: 9,
        answered: 10,
        beside: None,
        question: questions::segment,
    },
    Stop {
        title: "The compute era, and its banks",
        text: &[
            "Compute shaders write where they like, and a group of invocations shares a small, fast memory. The tree of \
             sums can live there. But this memory consists of banks, and word a is in bank a modulo the number of \
             banks. A bank answers one address at a time: those who ask the same bank for different addresses wait.",
            "A tree that keeps its sums in place steps by 2, then 4, then 8. With powers of two, soon all ask the same bank. \
             Harris left places free between, so that steps get odd. Capannini put sums to the left or to the right, so that \
             neighbours never meet.",
            "This run has 16 banks and leaves no places free. Explain, above, opens the panel at the right: it shows each step, \
             who asks which bank, and what the K-model counts.",
        ],
        job: "scan random:n=64,seed=0,max=9,keep=0.9 -a capannini:pattern=no_padding,block=64,banks=16",
        recorded: "capannini:pattern=no_padding,block=64",
        position: 1,
        answered: 2,
        beside: None,
        question: questions::banks,
    },
];
