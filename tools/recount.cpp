// Lost numbers of Subtract a Prime in [start, stop), counted with primes from primesieve.
//
//     g++ -O3 -march=native -o recount tools/recount.cpp -lprimesieve
//     recount START STOP          primes, losses and fingerprint of the range, on stderr;
//     recount START STOP bits     and one bit for every number, 1 for lost, on stdout
//
// It shares no code and no data with numduel. What lies below is taken as the certificates take
// it: the even losses are the five. An odd number is won if one of them is a prime away, and
// otherwise lost exactly when the one two below is won. Every even number above 310 must have a
// prime that leads to a lost number; if one has none among the primes up to REACH, it is named
// and the exit status is 1. With bits, START is a multiple of 8.

#include <primesieve.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using u64 = std::uint64_t;

constexpr u64 EVEN[] = {0, 10, 34, 100, 310};
constexpr u64 REACH = 4000;
constexpr u64 BACK = 2 * REACH;  // odd numbers kept from the segment before
constexpr u64 SIZE = 1 << 15;    // odd numbers settled at a time

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const u64 start = std::strtoull(arguments[1], nullptr, 10);
  const u64 stop = std::strtoull(arguments[2], nullptr, 10);
  const bool bits = count > 3;

  std::vector<u64> small;
  primesieve::generate_primes(3, REACH, &small);
  std::vector<u64> factor(105);
  u64 power = 1;
  for (u64& one : factor) one = power = power * 2654435769u & 0xffffffffu;

  // Place BACK + i of the window is the odd number low + 2 i + 1.
  std::vector<std::uint8_t> prime(BACK + SIZE), lost(BACK + SIZE), won(SIZE);
  u64 low = start < 2 * BACK ? 0 : (start - 2 * BACK) & ~7ull;  // the walk begins below the range
  primesieve::iterator primes(low, stop);
  u64 next = primes.next_prime();
  if (next == 2) next = primes.next_prime();
  u64 seen = start == 0, losses = 0, fingerprint = 0;

  for (; low < stop; low += 2 * SIZE) {
    std::memset(&prime[BACK], 0, SIZE);
    for (; next < low + 2 * SIZE; next = primes.next_prime()) {
      prime[BACK + (next - low) / 2] = 1;
      seen += next >= start && next < stop;
    }
    std::memset(won.data(), 0, SIZE);
    for (u64 e : EVEN)
      for (u64 i = 0; i < SIZE; i++) won[i] |= prime[BACK + i - e / 2];
    for (u64 i = 0; i < SIZE; i++) lost[BACK + i] = !(won[i] | lost[BACK + i - 1]);

    // The even number low + 2 i goes by p to the odd number at place BACK + i - (p + 1) / 2.
    std::memset(won.data(), 0, SIZE);
    for (std::size_t j = 0; j < 48; j++)
      for (u64 i = 0, back = (small[j] + 1) / 2; i < SIZE; i++) won[i] |= lost[BACK + i - back];
    for (u64 i = 0; i < SIZE; i++) {
      const u64 n = low + 2 * i;
      if (n + 1 < start || n >= stop) continue;
      for (std::size_t j = 48; !won[i] && j < small.size(); j++)
        won[i] = lost[BACK + i - (small[j] + 1) / 2];
      for (u64 e : EVEN) won[i] = n == e ? 2 : won[i] | (n == e + 2);
      if (!won[i]) {
        std::fprintf(stderr, "no prime up to %llu wins from %llu\n", (unsigned long long)REACH,
                     (unsigned long long)n);
        return 1;
      }
      for (u64 m = n; m < n + 2; m++) {
        if (m < start || m >= stop || (m % 2 ? !lost[BACK + i] : won[i] != 2)) continue;
        const u64 k = m / 210;
        losses++;
        fingerprint += ((1 + 2 * (k / 32)) * factor[m % 210 / 2]) << k % 32;
      }
    }
    if (bits)
      for (u64 i = 0; i < SIZE; i += 4) {
        int byte = 0;
        for (u64 j = 0; j < 4; j++)
          byte |= ((won[i + j] == 2) | lost[BACK + i + j] << 1) << 2 * j;
        const u64 n = low + 2 * i;
        if (n >= start && n < stop) std::putchar(byte);
      }
    std::memmove(lost.data(), &lost[SIZE], BACK);
    std::memmove(prime.data(), &prime[SIZE], BACK);
  }
  std::fprintf(stderr, "%llu %llu %016llx\n", (unsigned long long)seen,
               (unsigned long long)losses, (unsigned long long)fingerprint);
}
