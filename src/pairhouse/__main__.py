"""`python -m pairhouse`."""

from pairhouse.cli.main import main

if __name__ == "__main__":
    main()
