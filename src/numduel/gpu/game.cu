// Who is lost, and has every even number a winning prime? A thread holds 32 groups of 210 numbers
// (bit k for group k), all its lost words in registers. A warp has 31 words; lane 0 only serves as
// the past of lane 1. game.py writes straight code for every residue in place of the marked names.
#ifndef EMULATED
typedef unsigned int u32;
typedef unsigned long long u64;
#define SHARED(name) extern __shared__ __align__(16) u32 name[]
#endif
#define FULL 0xFFFFFFFFu
#define ADD(a, b, c, s, k) s = a ^ b ^ c; k = (a & b) | (c & (a | b))
#define EDGE 15u
#define ITEMS ${items}u
#define OPEN ${open}u
// Results: how many are lost, their fingerprint; then counts of what went wrong.
#define NO_MOVE 0
#define LONG_GAP 1
#define OTHER_END 2
#define NO_ROOM 3

// 31 words a warp. Words that the short lists of primes leave open, and words at the edges of
// [A, B), are listed for `mend`: word << 4 | group of seven even residues, or EDGE.
extern "C" __global__ void __launch_bounds__($threads, 1)
game(const u32* __restrict__ comp, u32 pitch, u32 nwords, u64 W0, u64 A, u64 B, u64* total,
     u32* bad, u32* items) {
    const u32 tid = threadIdx.x, lane = tid & 31;
    const u32 w = (blockIdx.x * $warps + tid / 32) * 31 + lane;
    const u32* __restrict__ c = comp + (w < nwords ? w : nwords - 1);
    const u64 low = 6720 * (W0 + w), high = low + 6720;
    const bool mine = lane && w < nwords && high > A && low < B;
    $settled
    if (mine && l104 != out) atomicAdd(bad + OTHER_END, 1u);
    u64 sum = 0;
    $sums
    sum *= 2 * (W0 + w) + 1;
    $moved
    u32 open = 0;
    $groups
    if (mine && (low < A || high > B)) open |= 1u << EDGE;
    if (!mine || open >> EDGE) count = 0, sum = 0;
    if (!mine) open = 0;
    for (; open; open &= open - 1) {
        u32 at = atomicAdd(items, 1u);
        if (at < ITEMS) items[1 + at] = w << 4 | (__ffs(open) - 1);
        else atomicAdd(bad + NO_ROOM, 1u);
    }
    count = __reduce_add_sync(FULL, count);
    // a warp adds 32-bit words only: 22, 21 and 21 bits, with room for the carries
    const u64 low22 = __reduce_add_sync(FULL, (u32)sum & 0x3FFFFFu);
    const u64 mid21 = __reduce_add_sync(FULL, (u32)(sum >> 22) & 0x1FFFFFu);
    const u64 high21 = __reduce_add_sync(FULL, (u32)(sum >> 43));
    if (lane == 0) {
        atomicAdd(total, (u64)count);
        atomicAdd(total + 1, low22 + (mid21 << 22) + (high21 << 43));
    }
}

// A warp an item: all primes of the reserve, 32 at once, for one word and seven even residues.
extern "C" __global__ void __launch_bounds__(64, 1)
mend(const u32* __restrict__ comp, u32 pitch, u32 nwords, u64 W0, u64 A, u64 B, u64* total,
     u32* bad, const u32* items, u64* badlist, const u32* __restrict__ reserve, u32 nreserve) {
    SHARED(sh);
    const u32 factors[] = {$factors};
    const u32 lane = threadIdx.x & 31;
    u32* kept = sh + threadIdx.x / 32 * 210;
    const u32 many = items[0] < ITEMS ? items[0] : ITEMS;
    for (u32 item = blockIdx.x * 2 + threadIdx.x / 32; item < many; item += gridDim.x * 2) {
        const u32 word = items[1 + item] >> 4, group = items[1 + item] & 15, w = word - 1 + lane;
        const u32* __restrict__ c = comp + (w < nwords ? w : nwords - 1);
        const u64 W = W0 + word;
        $settled
        (void)count; (void)out;
        __syncwarp();
        $kept
        __syncwarp();
        if (group == EDGE) {
            u32 many = 0;
            for (u32 j = lane; j < 105; j += 32) {
                u32 inside = 0;
                for (u32 b = 0; b < 32; b++) {
                    u64 n = 210 * (32 * W + b) + 2 * j + 1;
                    if (n >= A && n < B) inside |= 1u << b;
                }
                inside &= kept[2 * j + 1];
                many += __popc(inside);
                atomicAdd(total + 1, (u64)inside * factors[j] * (2 * W + 1));
            }
            many = __reduce_add_sync(FULL, many);
            if (lane == 0) atomicAdd(total, (u64)many);
            continue;
        }
        for (u32 r = 14 * group; r < 14 * group + 14; r += 2) {
            u32 covered = 0;
            for (u32 i = 0; i < nreserve && covered != FULL; i += 32) {
                u32 y = 0;
                if (i + lane < nreserve) {
                    int d = (int)r - (int)reserve[i + lane], sh = 0;
                    while (d < 0) d += 210, sh++;
                    y = __funnelshift_l(kept[d - 1], kept[d], sh);
                }
                covered |= __reduce_or_sync(FULL, y);
            }
            u64 n = 210 * (32 * W + lane) + r;
            if (!(covered >> lane & 1) && n >= A && n < B) {
                u32 at = atomicAdd(bad + NO_MOVE, 1u);
                if (at < OPEN) badlist[at] = n;
            }
        }
    }
}
