// Placed after a fragment shader whose reads are recorded: they go into two further targets.
#undef main

layout(location = RECORD_LOW) out uvec4 o_reads_low;
layout(location = RECORD_HIGH) out uvec4 o_reads_high;

void main() {
    begin_recording();
    recorded_main();
    end_recording();
    o_reads_low = t_kept[0];
    o_reads_high = t_kept[1];
}
