// The stream that a dispatch reads, LOAD words at a time: 1, 2 or 4.
#include "common/group.glsl"

#if LOAD == 4
#define Loaded uvec4
#define LOADED_WORD(loaded, word) loaded[word]
#elif LOAD == 2
#define Loaded uvec2
#define LOADED_WORD(loaded, word) loaded[word]
#else
#define Loaded uint
#define LOADED_WORD(loaded, word) loaded
#endif

#include "common/loads.glsl"
