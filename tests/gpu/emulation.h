// Runs CUDA kernels on a CPU, to test their logic without a GPU. Every CUDA thread is a fibre of
// one OS thread: it runs until it waits for the others of its warp or block, then the next one
// does. So a run is always the same.
#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <ucontext.h>
#include <vector>
#define EMULATED
typedef unsigned int u32;
typedef unsigned long long u64;
using std::min;
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define SHARED(name) u32* name = shared_words
#define ADDRESS(p) ((u32)((char*)(p) - (char*)shared_words))
struct Dim { u32 x; };
struct uint2 { u32 x, y; };
struct uint4 { u32 x, y, z, w; };
static u32* shared_words;
static Dim threadIdx, blockIdx, blockDim, gridDim;

typedef void (*Kernel)(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
                       u64);
struct Fibre {
    jmp_buf at;
    ucontext_t first;
    std::vector<char> stack;
    bool begun, done;
};
static std::vector<Fibre> fibres;
static jmp_buf scheduler;
static Kernel kernel;
static u64* arguments;

static void body() {
    u64* a = arguments;
    kernel(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13],
           a[14], a[15]);
    fibres[threadIdx.x].done = true;
    _longjmp(scheduler, 1);
}

static void next_thread() {
    u32 mine = threadIdx.x;
    if (!_setjmp(fibres[mine].at)) _longjmp(scheduler, 1);
}

struct Barrier { u32 here, turn; };
static Barrier whole, warps[32];
static u32 lanes[32][32];

static void meet(Barrier& barrier, u32 all) {
    u32 turn = barrier.turn;
    if (++barrier.here == all) {
        barrier.here = 0;
        barrier.turn++;
    }
    while (barrier.turn == turn) next_thread();
}

static inline void __syncthreads() { meet(whole, blockDim.x); }
static inline void __syncwarp() { meet(warps[threadIdx.x / 32], 32); }
static inline const u32* share(u32 v) {
    u32 w = threadIdx.x / 32;
    lanes[w][threadIdx.x % 32] = v;
    __syncwarp();
    return lanes[w];
}
static inline u32 __shfl_sync(u32, u32 v, u32 from) {
    u32 found = share(v)[from];
    __syncwarp();
    return found;
}
static inline u32 __shfl_up_sync(u32, u32 v, u32 by) {
    u32 lane = threadIdx.x % 32;
    return __shfl_sync(0, v, lane >= by ? lane - by : lane);
}
static inline u32 __reduce_add_sync(u32, u32 v) {
    u32 found = 0;
    const u32* all = share(v);
    for (int i = 0; i < 32; i++) found += all[i];
    __syncwarp();
    return found;
}
static inline u32 __reduce_or_sync(u32, u32 v) {
    u32 found = 0;
    const u32* all = share(v);
    for (int i = 0; i < 32; i++) found |= all[i];
    __syncwarp();
    return found;
}
static inline bool __any_sync(u32, bool v) { return __reduce_or_sync(0, v); }
static inline u32 __funnelshift_l(u32 low, u32 high, u32 by) {
    by &= 31;
    return by ? high << by | low >> (32 - by) : high;
}
static inline int __popc(u32 x) { return __builtin_popcount(x); }
static inline int __ffs(u32 x) { return __builtin_ffs(x); }
static inline u32 __ldg(const u32* p) { return *p; }
template <class T> static inline T atomicAdd(T* p, T v) {
    T before = *p;
    *p += v;
    return before;
}
static inline void atomicOr(u32* p, u32 v) { *p |= v; }
static inline void set(u32 a, u32 mask) { *(u32*)((char*)shared_words + a) |= mask; }
static inline u32 ticket(u32 a) { return atomicAdd((u32*)((char*)shared_words + a), 1u); }

extern "C" void launch(void* which, u32 grid, u32 block, u64 shared, u64* given) {
    kernel = (Kernel)which;
    arguments = given;
    std::vector<u32> words(shared / 4 + 64);
    shared_words = words.data();
    blockDim.x = block;
    gridDim.x = grid;
    if (fibres.size() < block) fibres.resize(block);
    for (u32 b = 0; b < grid; b++) {
        blockIdx.x = b;
        for (u32 t = 0; t < block; t++) fibres[t].begun = fibres[t].done = false;
        for (u32 left = block; left;) {
            left = 0;
            for (u32 t = 0; t < block; t++) {
                Fibre& fibre = fibres[t];
                if (fibre.done) continue;
                threadIdx.x = t;
                if (!_setjmp(scheduler)) {
                    if (fibre.begun) _longjmp(fibre.at, 1);
                    fibre.begun = true;
                    fibre.stack.resize(1 << 17);
                    getcontext(&fibre.first);
                    fibre.first.uc_stack.ss_sp = fibre.stack.data();
                    fibre.first.uc_stack.ss_size = fibre.stack.size();
                    fibre.first.uc_link = nullptr;
                    makecontext(&fibre.first, body, 0);
                    setcontext(&fibre.first);
                }
                if (!fibres[threadIdx.x].done) left++;
            }
        }
    }
}
