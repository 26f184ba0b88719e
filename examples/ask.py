"""Sends a message and gets its answer in the same call. Python 3, standard library only."""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


def ask(agent: str, message: str, tries: int = 4) -> dict:
    """Retries after 429, 503 and a broken connection. One Idempotency-Key for all attempts makes the retries safe."""
    request = urllib.request.Request(
        f"{os.environ['PARLEY_URL']}/chat/{agent}",
        data=json.dumps({"message": message, "sync": True}).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['PARLEY_TOKEN']}",
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for attempt in range(1, tries + 1):
        seconds = 0.25 * 2**attempt
        try:
            with urllib.request.urlopen(request, timeout=150) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == tries:
                raise
            seconds = float(error.headers.get("Retry-After", seconds))
        except OSError:
            if attempt == tries:
                raise
        time.sleep(seconds)
    raise AssertionError


try:
    said = ask(os.environ["PARLEY_AGENT"], "Hello!")
    print(f"{said['responding_agent_name']}: {said['response']}")
except KeyError as missing:
    sys.exit(f"Set {missing}; examples/README.md says how.")
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code} {error.read().decode()}")
