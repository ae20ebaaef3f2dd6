// Placed before a shader whose reads are recorded: the code after the shader calls its main function.
#include "common/record/reads.glsl"

#define main recorded_main
