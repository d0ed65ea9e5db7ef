"""`python -m pairhouse.server.processes.solver_process MEMORY_BYTES`: works out advice and prices, a question a line.

A line of standard input is a question as JSON, a line of standard output its answer. It ends when its input ends, which
is when its parent ends, and when its memory is used up.
"""

import os
import sys
from typing import BinaryIO

import msgspec

from pairhouse.analysis.protect.shoe_prices import shoe_prices
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find, load_named_modules
from pairhouse.server.pricing.advice import advice_for
from pairhouse.server.pricing.solver import Answer, AnyQuestion, PriceQuestion
from pairhouse.server.processes.resource_limits import limit_memory

OUT_OF_MEMORY = 4  # the exit status of a solver that asked for more than it may have


def answer_to(question: AnyQuestion) -> Answer:
    """What was asked for, or the refusal of the rules."""
    try:
        variant = find(question.game).variant(question.options)
        if isinstance(question, PriceQuestion):
            prices = [shoe_prices(variant).exact(cards) for cards in question.lots]
            found: object = [{wager: str(price) for wager, price in lot.items()} for lot in prices]
        else:
            found = advice_for(variant, question.view)
        return Answer(msgspec.Raw(msgspec.json.encode(found)))
    except Refused as refused:
        return Answer(code=refused.code, error=str(refused))


def answer_all(questions: BinaryIO, answers: BinaryIO) -> None:
    """One after another, for as long as there are questions."""
    decode, encode = msgspec.json.Decoder(AnyQuestion).decode, msgspec.json.Encoder().encode
    for line in questions:
        answers.write(encode(answer_to(decode(line))) + b"\n")
        answers.flush()


def main() -> None:
    """Stand behind all other processes, within a limit on memory."""
    if hasattr(os, "nice"):
        os.nice(10)
    limit_memory(int(sys.argv[1]))
    try:
        load_named_modules()
        answer_all(sys.stdin.buffer, sys.stdout.buffer)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main()
