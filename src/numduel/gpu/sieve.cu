// Segmented sieve on the lines of the wheel 210: number 210 k + r is bit k of the line of r
// (48 lines), a set bit is a composite. One block sieves KW words of one line in shared memory.
// machine.py puts in front: KW (words), NT (threads of a block), NG (groups of small primes laid
// as patterns) and GROUPS, a list of X(index, period, offset).
#ifndef EMULATED
typedef unsigned int u32;
typedef unsigned long long u64;
#define SHARED(name) extern __shared__ __align__(16) u32 name[]
#define ADDRESS(sh) ((u32)__cvta_generic_to_shared(sh))
// The compiler never predicates an atomic but branches around it: so there is no conditional one
// here; a hit behind the end goes to a spare word (32 of them, one a lane) by a minimum.
__device__ __forceinline__ void set(u32 a, u32 mask) {
    asm volatile("red.shared.or.b32 [%0], %1;" ::"r"(a), "r"(mask));
}
__device__ __forceinline__ u32 ticket(u32 a) {
    u32 t;
    asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(t) : "r"(a));
    return t;
}
#endif
#define LINES 48
#define FULL 0xFFFFFFFFu
#define KBITS (32u * KW)
#define MAXSMALL 288
#define UNROLL 8

// A prime is packed as (p / 210) << 6 | class; tab[class] of a line holds m | d << 8 | b << 16:
// p = 210 a + b, p m = r mod 210, so the line's first multiple is bit a m + d (below p).
__device__ __forceinline__ u32 first_hit(u32 w, u32 base, const u32* tab, u32& p) {
    u32 t = tab[w & 63], a = w >> 6;
    p = a * 210 + (t >> 16);
    u32 c = a * (t & 255) + ((t >> 8) & 255);
    u32 s = c - base;
    return c < base ? s + p : s;
}

__device__ __forceinline__ u32 bit_of(u32 x) { return __funnelshift_l(0u, 1u, x); }

// base[j][i] = (first bit of segment j) mod primes[i]; phase = where each pattern starts.
extern "C" __global__ void prep(u32* base, const u32* primes, u32 n, u32 stride, u64 W0, u32 J,
                                u32* phase, const u32* home, u32* items) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) *items = 0;
    if (i < n)
        for (u32 j = 0; j < J; j++)
            base[(u64)j * stride + i] = (u32)((W0 + (u64)j * KW) * 32 % primes[i]);
    const u32 period[] = {
#define X(g, P, O) P,
        GROUPS
#undef X
    };
    if (i < J * LINES * NG) {
        u32 g = i % NG, l = i / NG % LINES, j = i / NG / LINES;
        phase[i] = (u32)((W0 + (u64)j * KW + home[l * NG + g]) % period[g]);
    }
}

extern "C" __global__ void __maxnreg__(32)
cross(u32* out, u32 pitch, const u32* __restrict__ pw, const u32* __restrict__ bases, u32 stride,
      u32 n1, u32 m0, u32 m1, u32 t0, u32 t1, const u32* __restrict__ phase,
      const u32* __restrict__ tables, const u32* __restrict__ tab, u32 tiles) {
    // One block an SM for all tiles: a grid with blocks still to come would keep the kernels of
    // the other stream off the SMs, which have room for them beside this block.
    SHARED(sh);
    u32* stab = sh + KW + 32;
    u32* ctr = stab + 64;
    u32* sp = ctr + 16;
    u32* ss = sp + MAXSMALL;
    const u32 tid = threadIdx.x, lane = tid & 31;
    for (u32 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const u32 l = tile % LINES, j = tile / LINES;
        const u32* __restrict__ base = bases + (u64)j * stride;
        const u32 sb = ADDRESS(sh), spare = 4 * (KW + lane);
        if (tid < LINES) stab[tid] = tab[l * LINES + tid];
        if (tid == 0) *ctr = 0;
        __syncthreads();
        if (tid < n1) ss[tid] = first_hit(pw[tid], base[tid], stab, sp[tid]);
        const u32* ph = phase + tile * NG;
#define X(g, P, O) u32 x##g = ph[g] + tid; x##g = min(x##g, x##g - P);
        GROUPS
#undef X
#pragma unroll 4
        for (u32 w = tid; w < KW; w += NT) {
            u32 v = 0;
#define X(g, P, O) v |= __ldg(tables + O + x##g); x##g += NT; x##g = min(x##g, x##g - P);
            GROUPS
#undef X
            sh[w] = v;
        }
        __syncthreads();
        const u32 b2 = n1 + (m1 - m0 + 31) / 32;
        const u32 b3 = b2 + (t1 - t0 + 32 * UNROLL - 1) / (32 * UNROLL);
        const u32 queue = ADDRESS(ctr);
        for (;;) {
            u32 t = 0;
            if (lane == 0) t = ticket(queue);
            t = __shfl_sync(FULL, t, 0);
            if (t < n1) {
                // Lane j takes the hits j mod 32: one mask, p words apart. It begins d steps late
                // and ends with the steps left out: the lanes stand in 32 different banks.
                u32 p = sp[t], x = ss[t] + lane * p, word = x >> 5, mask = bit_of(x);
                u32 d = ((3 * p) ^ 2) * (lane - word) & 31, T = KW / p, T32 = T & ~31u;
                u32 step = 4 * p, a = 4 * word + step * d;
                const u32 end = 4 * word + step * T32, span = step * T32;
#pragma unroll 1
                for (u32 n = T32 - 32; n; n -= 16) {
#pragma unroll
                    for (int u = 0; u < 16; u++) {
                        set(sb + a, mask);
                        a += step;
                    }
                }
#pragma unroll 1
                for (u32 n = 0; n < 4; n++) {
#pragma unroll
                    for (int u = 0; u < 8; u++) {
                        set(sb + a, mask);
                        a += step;
                        if (a >= end) a -= span;
                    }
                }
                a = end;
#pragma unroll 1
                for (int n = T - T32 + 1; n > 0; n -= 4) {
#pragma unroll
                    for (int u = 0; u < 4; u++) {
                        set(sb + min(a, spare), mask);
                        a += step;
                    }
                }
            } else if (t < b2) {
                // A warp for a prime, 32 primes prepared at once; lane j takes the hits j mod 32.
                const u32 i = m0 + (t - n1) * 32, many = min(32u, m1 - i);
                const u32 at = min(i + lane, m1 - 1);
                u32 p, s = first_hit(pw[at], base[at], stab, p);
                const u32 sure = KW / __shfl_sync(FULL, p, 31);
                const u32 more = KW / __shfl_sync(FULL, p, 0) + 1 - sure;
#pragma unroll 1
                for (u32 q = 0; q < many; q++) {
                    u32 pp = __shfl_sync(FULL, p, q), x = __shfl_sync(FULL, s, q) + lane * pp;
                    u32 mask = bit_of(x), a = (x >> 3) & ~3u, step = 4 * pp;
#pragma unroll 1
                    for (u32 n = sure >> 2; n; n--) {
#pragma unroll
                        for (int u = 0; u < 4; u++) {
                            set(sb + a, mask);
                            a += step;
                        }
                    }
                    if (sure & 2) {
                        set(sb + a, mask);
                        set(sb + a + step, mask);
                        a += 2 * step;
                    }
                    if (sure & 1) {
                        set(sb + a, mask);
                        a += step;
                    }
#pragma unroll 1
                    for (u32 n = more; n; n--) {
                        set(sb + min(a, spare), mask);
                        a += step;
                    }
                }
            } else if (t < b3) {
                // A lane for a prime. Neighbours have nearly as many hits: `sure` of them all have.
                const u32 i0 = t0 + (t - b2) * (32 * UNROLL);
                u32 w[UNROLL], b[UNROLL];
#pragma unroll
                for (int u = 0; u < UNROLL; u++) {
                    u32 at = min(i0 + lane + 32 * u, t1 - 1);
                    w[u] = pw[at];
                    b[u] = base[at];
                }
                const u32 first = __shfl_sync(FULL, w[0], 0) >> 6;
                const u32 last = __shfl_sync(FULL, w[UNROLL - 1], 31) >> 6;
                const u32 sure = KBITS / (210 * last + 210);
                const u32 more = KBITS / (210 * first) + 1 - sure;
#pragma unroll
                for (int u = 0; u < UNROLL; u++) {
                    u32 p, s = first_hit(w[u], b[u], stab, p);
#pragma unroll 1
                    for (u32 n = sure >> 2; n; n--) {
#pragma unroll
                        for (int v = 0; v < 4; v++) {
                            set(sb + ((s >> 3) & ~3u), bit_of(s));
                            s += p;
                        }
                    }
                    if (sure & 2) {
                        set(sb + ((s >> 3) & ~3u), bit_of(s));
                        s += p;
                        set(sb + ((s >> 3) & ~3u), bit_of(s));
                        s += p;
                    }
                    if (sure & 1) {
                        set(sb + ((s >> 3) & ~3u), bit_of(s));
                        s += p;
                    }
#pragma unroll 1
                    for (u32 n = more; n; n--) {
                        set(sb + min((s >> 3) & ~3u, spare), bit_of(s));
                        s += p;
                    }
                }
            } else
                break;
        }
        __syncthreads();
        uint4* to = (uint4*)(out + (u64)l * pitch + (u64)j * KW);
        const uint4* from = (const uint4*)sh;
        for (u32 w = tid; w < KW / 4; w += NT) to[w] = from[w];
        __syncthreads();
    }
}

// rough[i], bit b: 120 i + (offset of b) has no prime factor among the n primes (offsets: the 32
// numbers below 120 coprime to 30; slot: their bit by number, or 32). 120 * words < 2^32.
extern "C" __global__ void roughen(u32* rough, u32 words, const u32* __restrict__ primes, u32 n,
                                   const u32* __restrict__ slot) {
    SHARED(sh);
    for (u32 i = threadIdx.x; i < 120; i += blockDim.x) sh[i] = slot[i] < 32 ? 1u << slot[i] : 0;
    __syncthreads();
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words) return;
    u32 v = 0;
    for (u32 j = 0; j < n; j++) {
        u32 q = primes[j], o = 120 * i % q;
        for (o = o ? q - o : 0; o < 120; o += q) v |= sh[o];
    }
    rough[i] = ~v;
}

// Primes longer than a segment: their multiples p m in [N0, N0 + len), on all lines, by atomics on
// the words in L2. Only m without small factors: what has one is crossed off already.
extern "C" __global__ void __launch_bounds__(512)
distant(u32* out, u32 pitch, const u32* __restrict__ primes, u32 i0, u32 i1, u64 N0, u32 len,
        const u32* __restrict__ wheel, const u32* __restrict__ rough, u32 blocks, u32 words) {
    // wheel: 105 line numbers by r/2; the 32 offsets below 120; how many of them are below 0..119
    SHARED(sh);
    const u32 *line = sh, *offset = sh + 105, *below = offset + 32;
    for (u32 i = threadIdx.x; i < 257; i += blockDim.x)
        sh[i] = i < 105 ? wheel[i] * pitch : wheel[i];
    __syncthreads();
    // window after window (`blocks` blocks each), so that the words hit stay in L2
    const u32 window = blockIdx.x / blocks;
    N0 += (u64)window * len;
    out += (u64)window * words;
    u32 i = i0 + (blockIdx.x - window * blocks) * blockDim.x + threadIdx.x;
    if (i >= i1) return;
    const u32 p = primes[i];
    u64 m = (u64)((double)N0 / (double)p);
    long long n0 = (long long)(m * p - N0);
    if (n0 < 0) { m++; n0 += p; }
    if (n0 < 0) { m++; n0 += p; }
    if (n0 >= (long long)p) { m--; n0 -= p; }
    if (n0 >= len) return;
    u32 at = (u32)(m / 120), from = (u32)(m - 120ull * at);
    int end = (int)(from + (len - 1 - (u32)n0) / p + 1);  // m runs below 120 at + end
    u32 low = (u32)n0 - from * p;                       // mod 2^32: 120 at p - N0
    u32 v = rough[at] & FULL << below[from];
    for (;;) {
        while (v == 0) {
            end -= 120;
            if (end <= 0) return;
            v = rough[++at];
            low += 120 * p;
        }
        u32 o = offset[__ffs(v) - 1];
        v &= v - 1;
        if ((int)o >= end) return;
        u32 n = low + o * p, k = n / 210, r = n - 210 * k;
        atomicOr(out + line[r >> 1] + (k >> 5), bit_of(k));
    }
}
