"""The exact tally of any variant, as its method counts it."""

from collections.abc import Sequence

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import Card
from pairhouse.core.game import Variant


def counted(variant: Variant, shoe: Sequence[Card] | None = None) -> Counted:
    """Every story of a variant with its number of deals, from its fresh pack or from these cards."""
    return method_of(variant).tally(shoe)
