// Placed before a shader whose reads are recorded: the code behind it calls its main function.
#include "common/record/reads.glsl"

#define main recorded_main
