// A CUDA library's part of a case: reads files of bytes, and answers commands line by line, as numpy.py does.
//
//     nvcc -DELEMENT=u32 -DWIDTH=1 -DSCAN -DOPERATOR=add ...     WIDTH numbers are an item; SCAN, COMPACT, REDUCE, or
//                                                                SORT, with DESCENDING, and VALUES, INDICES or both
//          -DBY_THRUST, or -DBY_SAM -DORDER=1                    scans by Thrust, or sums by SAM's own code in sam.h; else CUB,
//                                                           with -DDETERMINISTIC by its scan of that name
//     ./cuda RENDERER KIND ORDER                                 reads the files input and identity
//     ./cuda RENDERER LOW HIGH                                   sorts by the bits from LOW to before HIGH
//
//     says at first    ready VERSION OF THE LIBRARY, with ",graph" if its runs are launched as one, and the device
//     run N            runs N times, and says how many nanoseconds they took together on the GPU
//     result           writes what the last run gave to the file result, and says: written
//
// What goes wrong is said in a line that begins with error, and ends the program. So does the end of the commands.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <cub/cub.cuh>
#include <cuda/std/functional>
#ifdef DETERMINISTIC
#if CCCL_VERSION < 3005000
#error CUB has a deterministic scan from CCCL 3.5 on: install the Python package nvidia-cuda-cccl, or set RASTERSCAN_CCCL
#endif
#include <cuda/execution>
#endif
#if defined(BY_THRUST)
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#elif defined(BY_SAM)
// CUDA 9 took this name away. SAM calls it where all lanes of a warp do.
#define __shfl_up(value, distance) __shfl_up_sync(0xffffffffu, value, distance)
#include "sam.h"
#endif

using u32 = std::uint32_t;
using i32 = std::int32_t;
using f32 = float;
using u64 = std::uint64_t;
using i64 = std::int64_t;

[[noreturn]] void fail(const std::string &reason) {
    std::cout << "error " << reason << std::endl;
    std::exit(0);
}

void check(cudaError_t error) {
    if (error != cudaSuccess) fail(cudaGetErrorString(error));
}

// The operators of scans and reductions. Signed integers wrap around, as unsigned ones do.
enum class Operator { add, mul, min, max, and_, or_, xor_, affine };
constexpr Operator OP = Operator::OPERATOR;

template <typename T> struct Wrapping { using type = std::make_unsigned_t<T>; };
template <> struct Wrapping<f32> { using type = f32; };
constexpr bool ORDERED = OP == Operator::min || OP == Operator::max;
using Number = std::conditional_t<ORDERED, ELEMENT, typename Wrapping<ELEMENT>::type>;

template <Operator> struct Known;
template <> struct Known<Operator::add> { using type = cuda::std::plus<>; };
template <> struct Known<Operator::mul> { using type = cuda::std::multiplies<>; };
template <> struct Known<Operator::min> { using type = cuda::minimum<>; };
template <> struct Known<Operator::max> { using type = cuda::maximum<>; };
template <> struct Known<Operator::and_> { using type = cuda::std::bit_and<>; };
template <> struct Known<Operator::or_> { using type = cuda::std::bit_or<>; };
template <> struct Known<Operator::xor_> { using type = cuda::std::bit_xor<>; };
// Takes pairs: see EachWithItsOwn.
template <> struct Known<Operator::affine> { using type = cuda::std::plus<>; };

// Several numbers that are combined each with its own.
template <int WIDTH_> struct Several { Number number[WIDTH_]; };

struct EachWithItsOwn {
    template <int W> __host__ __device__ Several<W> operator()(const Several<W> &a, const Several<W> &b) const {
        Several<W> both;
        if constexpr (OP == Operator::affine) {
            // First x -> a0 x + a1, then x -> b0 x + b1.
            both.number[0] = a.number[0] * b.number[0];
            both.number[1] = b.number[0] * a.number[1] + b.number[1];
        } else {
            for (int i = 0; i < W; ++i) both.number[i] = typename Known<OP>::type{}(a.number[i], b.number[i]);
        }
        return both;
    }
};

// What is one number is CUB's own type and operator, for which it is tuned.
template <bool ONE> struct Types { using Item = Number; using Combine = typename Known<OP>::type; };
template <> struct Types<false> { using Item = Several<WIDTH>; using Combine = EachWithItsOwn; };
using Item = Types<WIDTH == 1>::Item;
using Combine = Types<WIDTH == 1>::Combine;

struct IsKept {
    __host__ __device__ bool operator()(const Number &number) const { return number != Number(0); }
};

#ifdef BY_SAM
template <typename T> static __host__ __device__ T sum(T a, T b) { return a + b; }

// As SAM's installer tunes it: the numbers that a thread takes are those of the fastest of 20 kernels, here for this case.
template <int FACTOR> void sam(const ELEMENT *input, ELEMENT *output, int numbers) {
    rSAM<ELEMENT, FACTOR, WIDTH, ORDER, sum<ELEMENT>>(input, output, numbers);
}
using Sam = void (*)(const ELEMENT *, ELEMENT *, int);
constexpr Sam SAMS[] = {sam<1>,  sam<2>,  sam<3>,  sam<4>,  sam<5>,  sam<6>,  sam<7>,  sam<8>,  sam<9>,  sam<10>,
                        sam<11>, sam<12>, sam<13>, sam<14>, sam<15>, sam<16>, sam<17>, sam<18>, sam<19>, sam<20>};
#endif

#ifdef DETERMINISTIC
// The deterministic scan asks for its memory itself, and gets that of the run before.
struct SameMemory {
    static inline void *memory = nullptr;
    static inline std::size_t held = 0;
    void *allocate_sync(std::size_t bytes, std::size_t = 0) {
        if (bytes > held) {
            check(cudaFree(memory));
            check(cudaMalloc(&memory, held = bytes));
        }
        return memory;
    }
    void *allocate(cuda::stream_ref, std::size_t bytes, std::size_t = 0) { return allocate_sync(bytes); }
    void deallocate_sync(void *, std::size_t, std::size_t = 0) {}
    void deallocate(cuda::stream_ref, void *, std::size_t, std::size_t = 0) {}
    bool operator==(const SameMemory &) const { return true; }
    bool operator!=(const SameMemory &) const { return false; }
};
#endif

struct Case {
    int n = 0;
    // Of SAM: numbers for each thread.
    int factor = 1;
    bool exclusive = false;
    int order = 1;
    Item identity{};
    Item *input = nullptr, *output = nullptr;
    int *count = nullptr;
    // Of a sort: the bits, and the indices before and after.
    int low = 0, high = 0;
    u32 *indices = nullptr, *sorted = nullptr;

    // Runs once; without memory, says how much it takes.
    cudaError_t run(void *memory, std::size_t &bytes) const {
#if defined(BY_SAM)
        bytes = 0;
        if (memory)
            SAMS[factor - 1](reinterpret_cast<const ELEMENT *>(input), reinterpret_cast<ELEMENT *>(output), n * WIDTH);
        return cudaGetLastError();
#elif defined(BY_THRUST)
        bytes = 0;
        const Item *from = input;
        for (int number = 1; memory && number <= order; ++number, from = output) {
            if (exclusive && number == order)
                thrust::exclusive_scan(thrust::device, from, from + n, output, identity, Combine{});
            else
                thrust::inclusive_scan(thrust::device, from, from + n, output, Combine{});
        }
        return cudaGetLastError();
#elif defined(DETERMINISTIC)
        bytes = 0;
        const auto wishes = cuda::std::execution::env{
            cuda::execution::require(cuda::execution::determinism::run_to_run),
            cuda::std::execution::prop{cuda::mr::__get_memory_resource_t{}, SameMemory{}}};
        const Item *from = input;
        for (int number = 1; memory && number <= order; ++number, from = output) {
            const cudaError_t error = exclusive && number == order
                                          ? cub::DeviceScan::ExclusiveScan(from, output, Combine{}, identity, n, wishes)
                                          : cub::DeviceScan::InclusiveScan(from, output, Combine{}, n, wishes);
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
#elif defined(SCAN)
        const Item *from = input;
        for (int number = 1; number <= order; ++number) {
            const bool last = number == order;
            const cudaError_t error =
                exclusive && last ? cub::DeviceScan::ExclusiveScan(memory, bytes, from, output, Combine{}, identity, n)
                                  : cub::DeviceScan::InclusiveScan(memory, bytes, from, output, Combine{}, n);
            if (error != cudaSuccess || !memory) return error;
            from = output;
        }
        return cudaSuccess;
#elif defined(COMPACT)
        return cub::DeviceSelect::If(memory, bytes, input, output, count, n, IsKept{});
#elif defined(SORT) && defined(INDICES) && defined(DESCENDING)
        return cub::DeviceRadixSort::SortPairsDescending(memory, bytes, input, output, indices, sorted, n, low, high);
#elif defined(SORT) && defined(INDICES)
        return cub::DeviceRadixSort::SortPairs(memory, bytes, input, output, indices, sorted, n, low, high);
#elif defined(SORT) && defined(DESCENDING)
        return cub::DeviceRadixSort::SortKeysDescending(memory, bytes, input, output, n, low, high);
#elif defined(SORT)
        return cub::DeviceRadixSort::SortKeys(memory, bytes, input, output, n, low, high);
#else
        return cub::DeviceReduce::Reduce(memory, bytes, input, output, n, Combine{}, identity);
#endif
    }

    std::size_t results() const {
#if defined(SCAN)
        return n;
#elif defined(COMPACT)
        int kept = 0;
        check(cudaMemcpy(&kept, count, sizeof kept, cudaMemcpyDeviceToHost));
        return kept;
#elif defined(SORT)
        return n;
#else
        return 1;
#endif
    }
};

std::vector<char> file(const char *name) {
    std::FILE *stream = std::fopen(name, "rb");
    if (!stream) fail(std::string("no file ") + name);
    std::vector<char> bytes;
    std::fseek(stream, 0, SEEK_END);
    bytes.resize(std::ftell(stream));
    std::rewind(stream);
    if (std::fread(bytes.data(), 1, bytes.size(), stream) != bytes.size()) fail("a file cannot be read");
    std::fclose(stream);
    return bytes;
}

// Takes the device whose name is in that of OpenGL's renderer; the first if that is empty.
cudaDeviceProp device(const std::string &renderer) {
    int count = 0;
    check(cudaGetDeviceCount(&count));
    for (int number = 0; number < count; ++number) {
        cudaDeviceProp properties;
        check(cudaGetDeviceProperties(&properties, number));
        if (renderer.empty() || renderer.find(properties.name) != std::string::npos) {
            check(cudaSetDevice(number));
            return properties;
        }
    }
    fail("CUDA has no device " + renderer);
}

int main(int, char **arguments) {
    const cudaDeviceProp properties = device(arguments[1]);
    const std::vector<char> bytes = file("input");
    Case c;
    if (bytes.size() / sizeof(Item) > INT32_MAX) fail("the stream is longer than an int counts");
    c.n = static_cast<int>(bytes.size() / sizeof(Item));
    c.exclusive = !std::strcmp(arguments[2], "exclusive");
    c.order = std::atoi(arguments[3]);
    const std::vector<char> identity = file("identity");
    for (std::size_t at = 0; at < sizeof(Item); ++at)
        reinterpret_cast<char *>(&c.identity)[at] = identity[at % identity.size()];
    c.low = std::atoi(arguments[2]);
    c.high = std::atoi(arguments[3]);
    const std::size_t size = std::max(bytes.size(), sizeof(Item));
    check(cudaMalloc(&c.input, size));
    check(cudaMalloc(&c.output, size));
    check(cudaMalloc(&c.count, sizeof(int)));
    check(cudaMemset(c.count, 0, sizeof(int)));
    check(cudaMemcpy(c.input, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
#ifdef INDICES
    std::vector<u32> indices(c.n);
    for (int i = 0; i < c.n; ++i) indices[i] = i;
    const std::size_t length = std::max<std::size_t>(c.n, 1) * sizeof(u32);
    check(cudaMalloc(&c.indices, length));
    check(cudaMalloc(&c.sorted, length));
    check(cudaMemcpy(c.indices, indices.data(), c.n * sizeof(u32), cudaMemcpyHostToDevice));
#endif
    std::size_t room = 0;
    void *memory = nullptr;
    check(c.run(nullptr, room));
    check(cudaMalloc(&memory, std::max<std::size_t>(room, 1)));
    const auto once = [&] { check(c.run(memory, room)); };
    // An idle device takes a while to reach its full speed.
    const auto busy = [&](std::chrono::milliseconds time) {
        const auto start = std::chrono::steady_clock::now();
        do {
            for (int i = 0; i < 8; ++i) once();
            check(cudaDeviceSynchronize());
        } while (std::chrono::steady_clock::now() - start < time);
    };
#ifdef BY_SAM
    // Its groups wait for each other, so all must run at once.
    if (properties.multiProcessorCount < SMs) fail("it needs a device of " + std::to_string(SMs) + " multiprocessors");
#endif
    busy(std::chrono::milliseconds(300));
    cudaEvent_t start, end;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    // So many runs as one graph, or null if the library waits for the device itself. Run by run, the CPU takes longer to launch
    // a short run than the GPU to do it, and that would be timed.
    const auto recorded = [&](int runs) {
        cudaGraphExec_t all = nullptr;
#ifndef BY_THRUST
        cudaGraph_t graph = nullptr;
        if (cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal) == cudaSuccess) {
            bool whole = true;
            for (int i = 0; i < runs; ++i) whole = c.run(memory, room) == cudaSuccess && whole;
            whole = cudaStreamEndCapture(cudaStreamPerThread, &graph) == cudaSuccess && whole;
            if (!whole || cudaGraphInstantiate(&all, graph, 0) != cudaSuccess) all = nullptr;
        }
        if (graph) cudaGraphDestroy(graph);
        cudaGetLastError(); // what was refused here is run without a graph
#endif
        return all;
    };
    std::map<int, cudaGraphExec_t> graphs;
    const auto forget = [&] {
        for (const auto &[runs, graph] : graphs)
            if (graph) check(cudaGraphExecDestroy(graph));
        graphs.clear();
    };
    const auto launch = [&](int runs) {
        const auto [known, is_new] = graphs.try_emplace(runs, nullptr);
        if (is_new) known->second = recorded(runs);
        if (known->second)
            check(cudaGraphLaunch(known->second, cudaStreamPerThread));
        else
            for (int i = 0; i < runs; ++i) once();
        return known->second != nullptr;
    };
    // The clock starts behind as many runs, so that launching is not in the time.
    const auto timed = [&](int runs) {
        launch(runs);
        check(cudaEventRecord(start));
        launch(runs);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start, end));
        return milliseconds;
    };
#ifdef BY_SAM
    const auto of = [&](int factor) {
        c.factor = factor;
        forget();
        launch(8);
        return timed(8);
    };
    float least = of(1);
    int best = 1;
    for (int factor = 2; factor <= static_cast<int>(std::size(SAMS)); ++factor) {
        const float milliseconds = of(factor);
        if (milliseconds < least) {
            least = milliseconds;
            best = factor;
        }
    }
    c.factor = best;
    forget();
    std::cout << "ready 1.1,SMs=" << SMs << ",factor=" << best;
#else
    std::cout << "ready " << CCCL_MAJOR_VERSION << '.' << CCCL_MINOR_VERSION << '.' << CCCL_PATCH_VERSION;
#endif
    std::cout << (launch(1) ? ",graph " : " ") << properties.name << std::endl;
    std::string command;
    while (std::getline(std::cin, command)) {
        if (command.rfind("run ", 0) == 0) {
            const int runs = std::atoi(command.c_str() + 4);
            if (graphs.find(runs) == graphs.end()) launch(runs); // a graph is made before it is timed
            busy(std::chrono::milliseconds(1));
            std::cout << static_cast<long long>(timed(runs) * 1e6) << std::endl;
        } else {
            std::vector<char> result;
#if !defined(SORT) || defined(VALUES)
            result.resize(c.results() * sizeof(Item));
            check(cudaMemcpy(result.data(), c.output, result.size(), cudaMemcpyDeviceToHost));
#endif
#ifdef INDICES
            // As wide as a key, so that the file is an array of them.
            check(cudaMemcpy(indices.data(), c.sorted, c.n * sizeof(u32), cudaMemcpyDeviceToHost));
            for (const u64 index : indices) {
                const char *const word = reinterpret_cast<const char *>(&index);
                result.insert(result.end(), word, word + sizeof(Item));
            }
#endif
            std::FILE *stream = std::fopen("result", "wb");
            if (!stream || std::fwrite(result.data(), 1, result.size(), stream) != result.size() || std::fclose(stream))
                fail("the result cannot be written");
            std::cout << "written" << std::endl;
        }
    }
}
