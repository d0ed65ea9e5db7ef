/* Blackjack as tight as C gets it, for comparison only: eight decks fresh each round, the dealer peeks and stands on all
   seventeens, any two cards may be doubled, also after a split; up to four hands, aces once with one card each; basic
   strategy from a table; 3 to 2. The generator is xoshiro256++, the shoe a partial Fisher-Yates that is never reset. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STAND = 1, HIT = 2, DOUBLE = 4, SPLIT = 8, CARDS = 416 };

static uint64_t s0, s1, s2, s3;
static uint8_t shoe[CARDS]; /* values 1 to 10 */
static uint8_t chart[4][64][16]; /* [two cards, may split][ace, hard total][up] */

static inline uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }
static inline uint64_t next(void) {
    uint64_t r = rotl(s0 + s3, 23) + s0, t = s1 << 17;
    s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t; s3 = rotl(s3, 45);
    return r;
}
static inline int draw(int *top) {
    uint32_t n = CARDS - *top;
    uint64_t m = (next() >> 32) * n;
    if ((uint32_t)m < n) /* Lemire's rejection */
        while ((uint32_t)m < (uint32_t)-n % n) m = (next() >> 32) * n;
    int j = *top + (int)(m >> 32), i = (*top)++;
    uint8_t card = shoe[j];
    shoe[j] = shoe[i];
    shoe[i] = card;
    return card;
}
/* hand: hard total in 5 bits, ace bit 32, number of cards from bit 6 */
static inline int add(int hand, int v) { return (hand + v + 64) | (v == 1 ? 32 : 0); }
static inline int hard(int hand) { return hand & 31; }
static inline int total(int hand) { return hard(hand) + ((hand & 32) && hard(hand) <= 11 ? 10 : 0); }

static int round_net(void) { /* in half units */
    int top = 0, first = draw(&top), up = draw(&top), second = draw(&top), hole = draw(&top);
    int player = add(add(0, first), second), dealer = add(add(0, up), hole);
    int natural = total(player) == 21;
    if (total(dealer) == 21) return natural ? 0 : -2;
    if (natural) return 3;
    int hands[4] = {player}, units[4] = {2}, fate[4], count = 1, live = 0, net = 0;
    for (int h = 0; h < count; h++) {
        if (hands[h] >> 6 == 1) hands[h] = add(hands[h], draw(&top));
        for (;;) {
            int hand = hands[h];
            if (total(hand) >= 21) break;
            int two = hand >> 6 == 2;
            if (count > 1 && first == 1) break;
            int pair = two && count < 4 && hard(hand) == 2 * first && first == second;
            int action = chart[two * 2 + pair][hand & 63][up];
            if (action == STAND) break;
            if (action == SPLIT) {
                for (int k = count; k > h + 1; k--) hands[k] = hands[k - 1], units[k] = units[k - 1];
                int one = add(0, first);
                hands[h + 1] = one;
                units[h + 1] = 2;
                hands[h] = add(one, draw(&top));
                count++;
                continue;
            }
            hands[h] = add(hand, draw(&top));
            if (action == DOUBLE) { units[h] = 4; break; }
        }
        fate[h] = hard(hands[h]) > 21;
        live += !fate[h];
    }
    if (live)
        while (total(dealer) < 17) dealer = add(dealer, draw(&top));
    int d = hard(dealer) > 21 ? 0 : total(dealer);
    for (int h = 0; h < count; h++) {
        int p = total(hands[h]);
        net += fate[h] ? -units[h] : p > d ? units[h] : p == d ? 0 : -units[h];
    }
    return net;
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 10000000;
    for (int i = 0; i < CARDS; i++) { int r = i % 13 + 1; shoe[i] = r > 10 ? 10 : r; }
    uint64_t z = 12345;
    uint64_t *state[] = {&s0, &s1, &s2, &s3};
    for (int i = 0; i < 4; i++) {
        z += 0x9E3779B97F4A7C15u;
        uint64_t x = z;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
        x = (x ^ x >> 27) * 0x94D049BB133111EBu;
        *state[i] = x ^ x >> 31;
    }
    if (fread(chart, 1, sizeof chart, stdin) != sizeof chart) return 1;
    static long counts[64];
    clock_t start = clock();
    for (long i = 0; i < rounds; i++) counts[round_net() + 32]++;
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC, sum = 0;
    for (int i = 0; i < 64; i++) sum += (i - 32) * 0.5 * counts[i];
    printf("%.9f %.6f\n", seconds, sum / rounds);
    return 0;
}
