"""Entry point of ``python -m spice_core``."""

import sys

from spice_core.cli.main import main

sys.exit(main())
