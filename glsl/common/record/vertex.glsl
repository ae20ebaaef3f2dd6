// Placed after a vertex shader whose reads are recorded: they are captured.
#undef main

flat out uvec4 v_reads_low;
flat out uvec4 v_reads_high;

void main() {
    begin_recording();
    recorded_main();
    end_recording();
    v_reads_low = t_kept[0];
    v_reads_high = t_kept[1];
}
