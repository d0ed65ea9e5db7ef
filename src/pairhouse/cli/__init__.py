"""Every capability as a command: `pairhouse ...`."""
