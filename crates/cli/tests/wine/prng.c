// bcryptprimitives.dll for a Wine that lacks it: Rust's standard library takes its random numbers from there.
#include <stddef.h>

unsigned char __stdcall SystemFunction036(void *buffer, unsigned long size);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *data, size_t size)
{
    return SystemFunction036(data, (unsigned long)size);
}
