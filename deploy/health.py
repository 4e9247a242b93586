"""Health check of the container: exit with 0 if the app answers at its port and base path."""

import os
import sys
from urllib.request import urlopen

port = os.environ.get("STREAMLIT_SERVER_PORT", "8501")
base = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
try:
    with urlopen("/".join(filter(None, (f"http://127.0.0.1:{port}", base, "_stcore/health"))), timeout=4) as answer:
        sys.exit(answer.read() != b"ok")
except OSError as error:
    sys.exit(f"no answer: {error}")
