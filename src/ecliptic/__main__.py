"""``python -m ecliptic`` is the console command."""

from ecliptic.cli import main

if __name__ == "__main__":
    main()
