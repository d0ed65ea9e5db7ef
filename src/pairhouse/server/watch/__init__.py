"""The live watch: a process beside the bookkeeper weighs results against prices, and stakes against cards."""
