/* Stops rank STOP_RANK before its STOP_AT-th call of STOP_IN, a function of MPI. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void before(const char *name) {
    static int calls;
    if (strcmp(name, getenv("STOP_IN")) || strcmp(getenv("OMPI_COMM_WORLD_RANK"), getenv("STOP_RANK"))) return;
    if (++calls == atoi(getenv("STOP_AT"))) raise(SIGSTOP);
}

#define CALL(name, parameters, arguments)                                                                  \
    int name parameters {                                                                                  \
        before(#name);                                                                                     \
        return P##name arguments;                                                                          \
    }

CALL(MPI_Init_thread, (int *count, char ***words, int needed, int *got), (count, words, needed, got))
CALL(MPI_Finalize, (void), ())
CALL(MPI_Comm_split_type, (MPI_Comm all, int type, int key, MPI_Info info, MPI_Comm *some), (all, type, key, info, some))
CALL(MPI_Comm_split, (MPI_Comm all, int color, int key, MPI_Comm *some), (all, color, key, some))
CALL(MPI_Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request))
CALL(MPI_Iexscan, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (from, to, count, type, op, comm, request))
CALL(MPI_Iallreduce, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
     (from, to, count, type, op, comm, request))
CALL(MPI_Iallgather,
     (const void *from, int sent, MPI_Datatype type, void *to, int got, MPI_Datatype as, MPI_Comm comm, MPI_Request *request),
     (from, sent, type, to, got, as, comm, request))
CALL(MPI_Ialltoall,
     (const void *from, int sent, MPI_Datatype type, void *to, int got, MPI_Datatype as, MPI_Comm comm, MPI_Request *request),
     (from, sent, type, to, got, as, comm, request))
CALL(MPI_Ialltoallv,
     (const void *from, const int *sent, const int *at, MPI_Datatype type, void *to, const int *got, const int *put,
      MPI_Datatype as, MPI_Comm comm, MPI_Request *request),
     (from, sent, at, type, to, got, put, as, comm, request))
CALL(MPI_File_read_at, (MPI_File file, MPI_Offset at, void *to, int count, MPI_Datatype type, MPI_Status *status),
     (file, at, to, count, type, status))
CALL(MPI_File_write_at, (MPI_File file, MPI_Offset at, const void *from, int count, MPI_Datatype type, MPI_Status *status),
     (file, at, from, count, type, status))
CALL(MPI_File_sync, (MPI_File file), (file))
