"""`python -m pairhouse`."""

from pairhouse.cli import main

if __name__ == "__main__":
    main()
