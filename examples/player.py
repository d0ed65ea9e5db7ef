"""For players: deal a round, see what each choice is worth, and settle the same round again from its log."""

# %% A table and a seat at it. Stakes are in cents.
import pairhouse as ph

table = ph.game("blackjack-poker-pairs")
hand = table.deal(main=1000, pairs=500, seed=11)
print(hand)

# %% While the round asks something, look at what each choice is worth and take the best one.
while not hand.is_over:
    view = hand.view(seat=1)
    advice = table.best().advise_at(view)
    for action, value in advice.actions.items():
        print(f"  {action:12} {float(value):+.4f} per unit staked")
    hand = hand.choose(advice.best or hand.options[0])

print(hand)
print("net:", hand.net, "cents")

# %% The log is the round: whoever settles it gets the same result.
assert ph.settle(hand.log).net == hand.net
