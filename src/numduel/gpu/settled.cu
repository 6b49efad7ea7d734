// The lost words l0..l104 of word w (of lane 0 only the upper bits), from the 48 lines.
    $lines
    $before
    u32 x, o = 0, f = lane ? FULL : ~3u, count = 0;
    // What leaves residue 209 of every k, from the last residues alone if one of them wins.
    $tail
    if (f) {
        o = 0; f = lane ? FULL : ~3u;
        $walk
    }
    // f: all 105 odd numbers of k lie in one gap between primes (520 and longer): what leaves is
    // the opposite of what comes in. Rare; k after k of such until nothing changes.
    if (__any_sync(FULL, f != 0)) {
        for (u32 again = 1, turn = 0; again; turn++) {
            x = o << 1 | __shfl_up_sync(FULL, o, 1) >> 31;
            x = (o & ~f) | (~x & f);
            again = __any_sync(FULL, x != o);
            o = x;
            if (turn > 8 && w < nwords) atomicAdd(bad + LONG_GAP, 1u);  // a gap above 2,000
            if (turn > 8) break;
        }
    }
    const u32 out = o;
    x = __shfl_up_sync(FULL, o, 1);
    o = o << 1 | x >> 31;
    u32 s1, s2, s3, s4, k1, k2, k3, k4;
    $lost
