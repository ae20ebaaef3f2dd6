// harris2007, listing 3: unused addresses before the n-th, so that the nodes of a tree lie in different banks. Unsigned,
// since a driver may not shift the number of an invocation as an int (rule 13 in src/plan/shader.rs).
#if PADDING == 2
#define CONFLICT_FREE_OFFSET(n) int((uint(n) >> LOG_NUM_BANKS) + (uint(n) >> (2 * LOG_NUM_BANKS)))
#elif PADDING == 1
#define CONFLICT_FREE_OFFSET(n) int(uint(n) >> LOG_NUM_BANKS)
#else
#define CONFLICT_FREE_OFFSET(n) 0
#endif
