// In a recorded run: the reads of a fragment or a vertex. There is room for seven; those from number u_record_first on
// are kept, and a pass is drawn as often as needed. A read is the number of its source in the upper 5 bits, and the
// index of the texel below.
#ifdef RECORDED
uniform int u_record_first;

int t_reads; // so far
uvec4 t_kept[2]; // the number of reads plus one, and the seven

// The engine stores a source's number above the height in its shape.
int source_of(ivec4 shape) {
    return shape.z >> 16;
}

void begin_recording() {
    t_reads = 0;
    t_kept[0] = uvec4(0u);
    t_kept[1] = uvec4(0u);
}

void record_read(int source, int index) {
    t_reads++;
    int place = t_reads - u_record_first;
    if (place > 0 && place < 8) {
        t_kept[place >> 2][place & 3] = uint(source) << 27 | (uint(index) & 0x7FFFFFFu);
    }
}

void end_recording() {
    t_kept[0].x = uint(t_reads + 1);
}
#endif
