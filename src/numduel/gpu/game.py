"""Write the kernels of the game: who is lost, and has every even number a winning prime?

Straight code for the 105 odd and 105 even residues mod 210: a thread holds 32 groups of 210
numbers (bit k for group k), all its lost words in registers. A warp has 31 words; lane 0 only
serves as the past of lane 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from numduel.gpu.fingerprint import FACTORS, MODULUS
from numduel.gpu.sieve import ITEMS, LINES
from numduel.known.prime_values import EVEN_LOSSES

ODD: Final = tuple(range(1, MODULUS, 2))
TAIL: Final = 48
"""The last residues, tried alone: one of them wins in nearly every group."""
OPEN: Final = 1024
"""Room for even numbers that stay open, in one range."""
HEAD: Final = f"""
#ifndef EMULATED
typedef unsigned int u32;
typedef unsigned long long u64;
#define SHARED(name) extern __shared__ __align__(16) u32 name[]
#endif
#define FULL 0xFFFFFFFFu
#define ADD(a, b, c, s, k) s = a ^ b ^ c; k = (a & b) | (c & (a | b))
#define EDGE 15u
#define ITEMS {ITEMS}u
#define OPEN {OPEN}u
// Results: how many are lost, their fingerprint; then counts of what went wrong.
#define NO_MOVE 0
#define LONG_GAP 1
#define OTHER_END 2
#define NO_ROOM 3
"""


def source(cover: Sequence[Iterable[int]], threads: int) -> str:
    """The kernels `game`, with blocks of this many threads, and `mend`."""
    moved, groups = _covered(cover)
    sums = _lines(f"sum += (u64)l{j} * {factor}u;" for j, factor in enumerate(FACTORS))
    factors = ", ".join(f"{factor}u" for factor in FACTORS)
    kept = _lines(f"if (lane < 2) kept[{2 * j} + lane] = l{j};" for j in range(len(ODD)))
    return f"""{HEAD}
// 31 words a warp. Words that the short lists of primes leave open, and words at the edges of
// [A, B), are listed for `mend`: word << 4 | group of seven even residues, or EDGE.
extern "C" __global__ void __launch_bounds__({threads}, 1)
game(const u32* __restrict__ comp, u32 pitch, u32 nwords, u64 W0, u64 A, u64 B, u64* total,
     u32* bad, u32* items) {{
    const u32 tid = threadIdx.x, lane = tid & 31;
    const u32 w = (blockIdx.x * {threads // 32} + tid / 32) * 31 + lane;
    const u32* __restrict__ c = comp + (w < nwords ? w : nwords - 1);
    const u64 low = {32 * MODULUS} * (W0 + w), high = low + {32 * MODULUS};
    const bool mine = lane && w < nwords && high > A && low < B;
    {_settled()}
    if (mine && l104 != out) atomicAdd(bad + OTHER_END, 1u);
    u64 sum = 0;
    {sums}
    sum *= 2 * (W0 + w) + 1;
    {moved}
    u32 open = 0;
    {groups}
    if (mine && (low < A || high > B)) open |= 1u << EDGE;
    if (!mine || open >> EDGE) count = 0, sum = 0;
    if (!mine) open = 0;
    for (; open; open &= open - 1) {{
        u32 at = atomicAdd(items, 1u);
        if (at < ITEMS) items[1 + at] = w << 4 | (__ffs(open) - 1);
        else atomicAdd(bad + NO_ROOM, 1u);
    }}
    count = __reduce_add_sync(FULL, count);
    // a warp adds 32-bit words only: 22, 21 and 21 bits, with room for the carries
    const u64 low22 = __reduce_add_sync(FULL, (u32)sum & 0x3FFFFFu);
    const u64 mid21 = __reduce_add_sync(FULL, (u32)(sum >> 22) & 0x1FFFFFu);
    const u64 high21 = __reduce_add_sync(FULL, (u32)(sum >> 43));
    if (lane == 0) {{
        atomicAdd(total, (u64)count);
        atomicAdd(total + 1, low22 + (mid21 << 22) + (high21 << 43));
    }}
}}

// A warp an item: all primes of the reserve, 32 at once, for one word and seven even residues.
extern "C" __global__ void __launch_bounds__(64, 1)
mend(const u32* __restrict__ comp, u32 pitch, u32 nwords, u64 W0, u64 A, u64 B, u64* total,
     u32* bad, const u32* items, u64* badlist, const u32* __restrict__ reserve, u32 nreserve) {{
    SHARED(sh);
    const u32 factors[] = {{{factors}}};
    const u32 lane = threadIdx.x & 31;
    u32* kept = sh + threadIdx.x / 32 * {2 * len(ODD)};
    const u32 many = items[0] < ITEMS ? items[0] : ITEMS;
    for (u32 item = blockIdx.x * 2 + threadIdx.x / 32; item < many; item += gridDim.x * 2) {{
        const u32 word = items[1 + item] >> 4, group = items[1 + item] & 15, w = word - 1 + lane;
        const u32* __restrict__ c = comp + (w < nwords ? w : nwords - 1);
        const u64 W = W0 + word;
        {_settled()}
        (void)count; (void)out;
        __syncwarp();
        {kept}
        __syncwarp();
        if (group == EDGE) {{
            u32 many = 0;
            for (u32 j = lane; j < {len(ODD)}; j += 32) {{
                u32 inside = 0;
                for (u32 b = 0; b < 32; b++) {{
                    u64 n = {MODULUS} * (32 * W + b) + 2 * j + 1;
                    if (n >= A && n < B) inside |= 1u << b;
                }}
                inside &= kept[2 * j + 1];
                many += __popc(inside);
                atomicAdd(total + 1, (u64)inside * factors[j] * (2 * W + 1));
            }}
            many = __reduce_add_sync(FULL, many);
            if (lane == 0) atomicAdd(total, (u64)many);
            continue;
        }}
        for (u32 r = 14 * group; r < 14 * group + 14; r += 2) {{
            u32 covered = 0;
            for (u32 i = 0; i < nreserve && covered != FULL; i += 32) {{
                u32 y = 0;
                if (i + lane < nreserve) {{
                    int d = (int)r - (int)reserve[i + lane], sh = 0;
                    while (d < 0) d += {MODULUS}, sh++;
                    y = __funnelshift_l(kept[d - 1], kept[d], sh);
                }}
                covered |= __reduce_or_sync(FULL, y);
            }}
            u64 n = {MODULUS} * (32 * W + lane) + r;
            if (!(covered >> lane & 1) && n >= A && n < B) {{
                u32 at = atomicAdd(bad + NO_MOVE, 1u);
                if (at < OPEN) badlist[at] = n;
            }}
        }}
    }}
}}
"""


def _lines(statements: Iterable[str]) -> str:
    return "\n    ".join(statements)


def _no_prime(r: int) -> str:
    """Bit k is set when no n - e is prime, n = 210 k + r and e one of the five even losses."""
    terms = []
    for e in EVEN_LOSSES:
        groups, there = divmod(r - e, MODULUS)
        if there in LINES:
            i = LINES.index(there)
            terms.append(f"__funnelshift_l(p{i}, c{i}, {-groups})" if groups else f"c{i}")
    return " & ".join(terms) or "FULL"


def _walk(residues: Iterable[int]) -> str:
    return _lines(f"x = {_no_prime(r)}; o = x & ~o; f &= x;" for r in residues)


def _lost() -> str:
    """The walk with every word kept, and counted: seven words into ones, twos and fours."""
    code, before = [], "o"
    for j, r in enumerate(ODD):
        code.append(f"const u32 l{j} = ({_no_prime(r)}) & ~{before};")
        before = f"l{j}"
        if j % 7 == 6:
            a, b, c, d, e, f, g = (f"l{i}" for i in range(j - 6, j + 1))
            code += [
                f"ADD({a}, {b}, {c}, s1, k1); ADD({d}, {e}, {f}, s2, k2);",
                f"ADD(s1, s2, {g}, s3, k3); ADD(k1, k2, k3, s4, k4);",
                "count += __popc(s3) + 2 * __popc(s4) + 4 * __popc(k4);",
            ]
    return _lines(code)


def _settled() -> str:
    """The lost words l0..l104 of word w (of lane 0 only the upper bits), from the 48 lines."""
    return f"""
    {_lines(f"const u32 c{i} = __ldg(c + {i} * (u64)pitch);" for i in range(len(LINES)))}
    {_lines(f"const u32 p{i} = __shfl_up_sync(FULL, c{i}, 1);" for i in range(len(LINES)))}
    u32 x, o = 0, f = lane ? FULL : ~3u, count = 0;
    // What leaves residue 209 of every k, from the last residues alone if one of them wins.
    {_walk(ODD[-TAIL:])}
    if (f) {{
        o = 0; f = lane ? FULL : ~3u;
        {_walk(ODD)}
    }}
    // f: all 105 odd numbers of k lie in one gap between primes (520 and longer): what leaves is
    // the opposite of what comes in. Rare; k after k of such until nothing changes.
    if (__any_sync(FULL, f != 0)) {{
        for (u32 again = 1, turn = 0; again; turn++) {{
            x = o << 1 | __shfl_up_sync(FULL, o, 1) >> 31;
            x = (o & ~f) | (~x & f);
            again = __any_sync(FULL, x != o);
            o = x;
            if (turn > 8 && w < nwords) atomicAdd(bad + LONG_GAP, 1u);  // a gap above 2,000
            if (turn > 8) break;
        }}
    }}
    const u32 out = o;
    x = __shfl_up_sync(FULL, o, 1);
    o = o << 1 | x >> 31;
    u32 s1, s2, s3, s4, k1, k2, k3, k4;
    {_lost()}
"""


def _covered(cover: Sequence[Iterable[int]]) -> tuple[str, str]:
    """Code for the lost words moved by whole groups, and for the test of seven even residues."""
    moved, groups = {}, []
    for start in range(0, len(ODD), 7):
        words = []
        for r in range(2 * start, 2 * start + 14, 2):
            terms = []
            for p in cover[r // 2]:
                back, there = divmod(r - p, MODULUS)
                j = there // 2
                if back:
                    past = f"__shfl_up_sync(FULL, l{j}, 1)"
                    moved[j, -back] = (
                        f"const u32 m{j}_{-back} = __funnelshift_l({past}, l{j}, {-back});"
                    )
                terms.append(f"m{j}_{-back}" if back else f"l{j}")
            words.append("(" + " | ".join(terms) + ")")
        groups.append(f"if (({' & '.join(words)}) != FULL) open |= 1u << {start // 7};")
    return _lines(moved.values()), _lines(groups)
