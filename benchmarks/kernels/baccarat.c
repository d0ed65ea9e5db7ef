/* Baccarat as a plain scalar loop in C, for comparison only: eight decks fresh each round, every coup counted by winner,
   total, cards of the Banker and both pairs, which settles all wagers. xoshiro256++, partial Fisher-Yates. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 416 };
static uint64_t s0, s1, s2, s3;
static uint8_t shoe[CARDS]; /* ranks 0 to 12 */

static inline uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }
static inline uint64_t next(void) {
    uint64_t r = rotl(s0 + s3, 23) + s0, t = s1 << 17;
    s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t; s3 = rotl(s3, 45);
    return r;
}
static inline int draw(int *top) {
    uint32_t n = CARDS - *top;
    uint64_t m = (next() >> 32) * n;
    if ((uint32_t)m < n)
        while ((uint32_t)m < (uint32_t)-n % n) m = (next() >> 32) * n;
    int j = *top + (int)(m >> 32), i = (*top)++;
    uint8_t card = shoe[j];
    shoe[j] = shoe[i];
    shoe[i] = card;
    return card;
}
static inline int points(int rank) { return rank < 9 ? rank + 1 : 0; }

static int coup(void) {
    int top = 0, p1 = draw(&top), b1 = draw(&top), p2 = draw(&top), b2 = draw(&top);
    int p = (points(p1) + points(p2)) % 10, b = (points(b1) + points(b2)) % 10, three = 0;
    if (p < 8 && b < 8) {
        if (p <= 5) {
            int t = points(draw(&top));
            p = (p + t) % 10;
            int draws = b <= 2 || (b == 3 && t != 8) || (b == 4 && t >= 2 && t <= 7) || (b == 5 && t >= 4 && t <= 7)
                || (b == 6 && (t == 6 || t == 7));
            if (draws) b = (b + points(draw(&top))) % 10, three = 1;
        } else if (b <= 5) {
            b = (b + points(draw(&top))) % 10;
            three = 1;
        }
    }
    int winner = p == b ? 2 : p < b;
    return (((winner * 10 + (p > b ? p : b)) * 2 + three) * 2 + (p1 == p2)) * 2 + (b1 == b2);
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 10000000;
    for (int i = 0; i < CARDS; i++) shoe[i] = i % 13;
    s0 = 0x9E3779B97F4A7C15u, s1 = 0xBF58476D1CE4E5B9u, s2 = 0x94D049BB133111EBu, s3 = 12345;
    for (int i = 0; i < 64; i++) next();
    static long counts[240];
    clock_t start = clock();
    for (long i = 0; i < rounds; i++) counts[coup()]++;
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    long banker = 0, player = 0, six = 0;
    for (int i = 0; i < 240; i++) {
        if (i / 80 == 1) banker += counts[i];
        if (i / 80 == 0) player += counts[i];
        if (i / 80 == 1 && i / 8 % 10 == 6) six += counts[i];
    }
    printf("%.9f %.6f\n", seconds, (banker - 0.5 * six - player) / (double)rounds);
    return 0;
}
