// Grundy values of Subtract a Prime by the local rule, and a witness for all that the rule takes
// for granted, on the lines of sieve.cu: a thread has 32 groups of 210 numbers (bit k for group
// k), a warp 31 words; lane 0 only serves as the past of lane 1. values.py makes the tables.
#ifndef EMULATED
typedef unsigned int u32;
typedef unsigned long long u64;
#endif
#define FULL 0xFFFFFFFFu
#define NUMBERS 6720
#define LISTS 10  // of a residue
#define TURNS 40u
#define KEPT 3    // words that are kept at either end of the range
// Results: how many even numbers have 4, 5, 6, 9, 11, how many odd ones 0, 1, 2, 3, 7, 8, 9, 10;
// the fingerprint; then counts of what went wrong.
#define COUNTS 13
#define NO_WITNESS 0
#define LONG_GAP 1
#define NOT_JOINED 2
#define OTHER_END 3
#define BEYOND 15  // in place of a value without a witness: the number's own is none of its class

struct Even { u32 v4, v5, v6, v9, v11; };
struct Odd { u32 v0, v1, v2, v3, v7, v8, v9, v10; };
#define CARRIED(X) X(even.v4) X(even.v5) X(even.v6) X(even.v11) X(odd.v0) X(odd.v1) X(odd.v2) \
    X(odd.v3) X(odd.v7) X(odd.v8) X(odd.v10)
struct Pair { Even even; Odd odd; };

struct Lists {
    const u32* c;       // this thread's word of the first line
    const uint2* items; // where n - e lies: words to go, bits to shift
    const u32* begin;

    // Bit k: is n - e composite?
    __device__ __forceinline__ u32 composite(u32 i) const {
        const uint2 item = items[i];
        const u32* at = c + (int)item.x;
        return __funnelshift_l(at[0], at[1], item.y);
    }
    // Bit k: is n - e prime for some e of the list?
    __device__ __forceinline__ u32 reached(u32 list) const {
        u32 none = FULL;
        for (u32 i = begin[list]; i < begin[list + 1]; i++) none &= composite(i);
        return ~none;
    }
    // What is left of `need` without those n for which n - e is prime for some e of the list.
    __device__ __forceinline__ u32 lacking(u32 need, u32 list) const {
        if (need)
            for (u32 i = begin[list], end = begin[list + 1]; i < end && need; i += 4)
                need &= composite(i) & composite(i + 1) & composite(i + 2) & composite(i + 3);
        return need;
    }
};

// The least value that is neither reached nor that of n - 2; `rest`: those with none of the class.
#define NEXT(v, reach) { const u32 has = reach; now.v = rest & ~has; rest &= has; }

// Even n = r mod 210: 0, 1, 2, 3, 7, 8, 10 are always reached. m is r mod 30.
__device__ __forceinline__ u32 value(Even& e, const Lists& lists, u32 r, u32 m, u32 five) {
    Even now;
    u32 rest = FULL;
    NEXT(v4, lists.reached(LISTS * r) | e.v4)
    NEXT(v5, lists.reached(LISTS * r + 1) | e.v5)
    NEXT(v6, lists.reached(LISTS * r + 2) | e.v6)
    NEXT(v9, m == 18 ? five | e.v9 : FULL)
    NEXT(v11, e.v11)
    e = now;
    return rest;
}

// Odd n: 4, 5, 6 are always reached.
__device__ __forceinline__ u32 value(Odd& o, const Lists& lists, u32 r, u32 m, u32 five) {
    Odd now;
    u32 rest = FULL;
    NEXT(v0, lists.reached(LISTS * r) | o.v0)
    NEXT(v1, lists.reached(LISTS * r + 1) | o.v1)
    NEXT(v2, lists.reached(LISTS * r + 2) | o.v2)
    NEXT(v3, lists.reached(LISTS * r + 3) | o.v3)
    NEXT(v7, lists.reached(LISTS * r + 4) | o.v7)
    NEXT(v8, o.v8)
    NEXT(v9, m == 13 ? o.v9 : m == 23 ? five | o.v9 : FULL)
    NEXT(v10, o.v10)
    o = now;
    return rest;
}

// Bits of the numbers r mod 210 of word W that lie in [A, B).
__device__ u32 within(u64 W, u32 r, u64 A, u64 B) {
    u32 found = 0;
    for (u32 b = 0; b < 32; b++) {
        u64 n = NUMBERS * W + 210 * b + r;
        if (n >= A && n < B) found |= 1u << b;
    }
    return found;
}

struct Report {
    u32* bad;
    u64* open;
    u32 room;
    u64 first;

    __device__ __forceinline__ void lacks(u32 need, u32 r, u32 value) const {
        for (; need; need &= need - 1) {
            u32 at = atomicAdd(bad + NO_WITNESS, 1u);
            if (at < room) open[at] = (first + 210 * (__ffs(need) - 1) + r) << 4 | value;
        }
    }
};

// kept: four bits of every value for the words K0, K0 + 1, K0 + 2, then K1, ...; ends: for each
// word the values that come in at its first bit and leave at its last.
extern "C" __global__ void __launch_bounds__(128)
values(const u32* __restrict__ comp, u32 nwords, u32 past, u64 W0, u64 A, u64 B,
       const uint2* __restrict__ items, const u32* __restrict__ table, u64* total, u32* bad,
       u64* open, u32 room, u32* ends, u32* kept, u64 K0, u64 K1) {
    const u32 tid = threadIdx.x, lane = tid & 31;
    const u32 w = past - 1 + (blockIdx.x * (blockDim.x / 32) + tid / 32) * 31 + lane;
    const Lists lists = {comp + (w < nwords ? w : nwords - 1), items, table};
    const u32* __restrict__ factors = table + 210 * LISTS + 1;
    const u64 W = W0 + w;
    const bool mine = lane && w < nwords;
    Pair in = {}, out;
    // What comes in at every k is what leaves k - 1: right for one more k after each turn, and for
    // all of them after two or three, as a gap between primes seldom holds a whole group.
    for (u32 again = 1, turn = 0; again; turn++) {
        u32 five = 0, differ = 0, x;
        out = in;
        for (u32 r = 0, m = 0; r < 210; r += 2, m = m == 28 ? 0 : m + 2) {
            value(out.even, lists, r, m, five);
            if (m == 18) five = out.even.v9;
            value(out.odd, lists, r + 1, m + 1, five);
            if (m == 12) five = out.odd.v9;
        }
#define X(v) x = __shfl_up_sync(FULL, out.v, 1) >> 31; x = out.v << 1 | (lane ? x : 0); \
        differ |= x ^ in.v; in.v = x;
        CARRIED(X)
#undef X
        again = __any_sync(FULL, differ != 0);
        if (turn > TURNS && mine) atomicAdd(bad + LONG_GAP, 1u);
        if (turn > TURNS) break;
    }
    const Pair came = in;
    const u64 low = NUMBERS * W, high = low + NUMBERS;
    const bool edge = low < A || high > B;
    const u32 whole = mine && high > A && low < B ? FULL : 0;
    const Report report = {bad, open, room, low};
    // A short range has the same words at both ends.
    u32* below = mine && W - K0 < KEPT ? kept + 840 * (W - K0) : 0;
    u32* above = mine && W - K1 < KEPT ? kept + 840 * (KEPT + W - K1) : 0;
    u32 count[COUNTS] = {}, five = 0;
    u64 sum = 0;
    for (u32 r = 0, m = 0; r < 210; r += 2, m = m == 28 ? 0 : m + 2) {
        u32 inside = whole && edge ? within(W, r, A, B) : whole;
        const Even before = in.even;
        report.lacks(value(in.even, lists, r, m, five) & inside, r, BEYOND);
        const Even e = in.even;
        if (m == 18) five = e.v9;
        const u32 rare = (e.v9 | e.v11) & inside, last = e.v11 & inside, list = LISTS * r;
        report.lacks(lists.lacking(inside, list + 3), r, 0);
        report.lacks(lists.lacking(inside, list + 4), r, 2);
        report.lacks(lists.lacking(inside, list + 5), r, 3);
        report.lacks(lists.lacking(rare, list + 6), r, 7);
        report.lacks(lists.lacking(rare, list + 7), r, 8);
        if (m != 18) report.lacks(lists.lacking(last & ~before.v9, list + 8), r, 9);
        report.lacks(lists.lacking(last, list + 9), r, 10);
#define SUM(r, b, bits) { const u32 x = bits; sum += (u64)(x & inside) * factors[4 * r + b]; \
        if (below) below[4 * r + b] = x; \
        if (above) above[4 * r + b] = x; }
        SUM(r, 0, e.v5 | e.v9 | e.v11);
        SUM(r, 1, e.v6 | e.v11);
        SUM(r, 2, e.v4 | e.v5 | e.v6);
        SUM(r, 3, e.v9 | e.v11);
        count[0] += __popc(e.v4 & inside); count[1] += __popc(e.v5 & inside);
        count[2] += __popc(e.v6 & inside); count[3] += __popc(e.v9 & inside);
        count[4] += __popc(e.v11 & inside);
        // the odd number after it
        const u32 q = r + 1;
        inside = whole && edge ? within(W, q, A, B) : whole;
        const u32 nine = in.odd.v9;
        report.lacks(value(in.odd, lists, q, m + 1, five) & inside, q, BEYOND);
        const Odd o = in.odd;
        if (m == 12) five = o.v9;
        const u32 large = (o.v7 | o.v8 | o.v9 | o.v10) & inside;
        report.lacks(lists.lacking(large, LISTS * q + 5), q, 4);
        report.lacks(lists.lacking(large, LISTS * q + 6), q, 5);
        report.lacks(lists.lacking(large, LISTS * q + 7), q, 6);
        if (m != 12 && m != 22)
            report.lacks(lists.lacking(o.v10 & inside & ~nine, LISTS * q + 8), q, 9);
        SUM(q, 0, o.v1 | o.v3 | o.v7 | o.v9);
        SUM(q, 1, o.v2 | o.v3 | o.v7 | o.v10);
        SUM(q, 2, o.v7);
        SUM(q, 3, o.v8 | o.v9 | o.v10);
        count[5] += __popc(o.v0 & inside); count[6] += __popc(o.v1 & inside);
        count[7] += __popc(o.v2 & inside); count[8] += __popc(o.v3 & inside);
        count[9] += __popc(o.v7 & inside); count[10] += __popc(o.v8 & inside);
        count[11] += __popc(o.v9 & inside); count[12] += __popc(o.v10 & inside);
    }
    sum *= 2 * W + 1;
    u32 enters = 0, leaves = 0, differ = 0;
#define X(v) enters = enters << 1 | (came.v & 1); leaves = leaves << 1 | in.v >> 31; \
    differ |= in.v ^ out.v;
    CARRIED(X)
#undef X
    if (mine) {
        ends[2 * w] = enters;
        ends[2 * w + 1] = leaves;
        if (differ) atomicAdd(bad + OTHER_END, 1u);
    }
#pragma unroll
    for (u32 i = 0; i < COUNTS; i++) {
        u32 many = __reduce_add_sync(FULL, count[i]);
        if (lane == 0 && many) atomicAdd(total + i, (u64)many);
    }
    if (!whole) sum = 0;
    // a warp adds 32-bit words only: 22, 21 and 21 bits, with room for the carries
    const u64 low22 = __reduce_add_sync(FULL, (u32)sum & 0x3FFFFFu);
    const u64 mid21 = __reduce_add_sync(FULL, (u32)(sum >> 22) & 0x1FFFFFu);
    const u64 high21 = __reduce_add_sync(FULL, (u32)(sum >> 43));
    if (lane == 0) atomicAdd(total + COUNTS, low22 + (mid21 << 22) + (high21 << 43));
}

// Does each word from `from` on enter as the one before it leaves, and the first of this step as
// the last of the step before?
extern "C" __global__ void joins(const u32* ends, u32 nwords, u32 past, u32 from,
                                 const u32* before, u32 last, u32* bad) {
    const u32 w = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= nwords) return;
    const u32 leaves = w > past ? ends[2 * w - 1] : before[2 * last + 1];
    if (leaves != ends[2 * w]) atomicAdd(bad + NOT_JOINED, 1u);
}
