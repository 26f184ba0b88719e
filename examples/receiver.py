"""Receives callbacks and processes each one once, even after repeats, a crash or a restart.

Parley attempts a callback once, but a proxy that retries, a queue of your own or a manual replay can still repeat
it. Python 3.11, standard library only.
"""

import hmac
import os
import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from parley_callbacks import CallbackPayload, callback_key, read_callback

FILE = os.environ.get("RECEIVER_FILE", ".data/callbacks.sqlite")
SECRET = os.environ.get("RECEIVER_SECRET") or sys.exit("Set RECEIVER_SECRET; examples/README.md says how.")
LARGEST_BODY = 4 * 1024 * 1024


def open_inbox() -> sqlite3.Connection:
    db = sqlite3.connect(FILE, timeout=10, isolation_level=None)
    db.execute("pragma synchronous = full")
    return db


def process(callback: CallbackPayload) -> bool:
    """Returns False if the callback was processed before. Its key and its effects are written in one transaction."""
    db = open_inbox()
    try:
        db.execute("begin immediate")
        key = db.execute("insert into processed (key) values (?) on conflict do nothing", (callback_key(callback),))
        is_new = key.rowcount == 1
        # Your work goes here, in the same database. A crash can lose or repeat work outside it, such as an email:
        # store a row for that work here, and do it later from the row.
        if is_new:
            failed = callback["event"] == "message.error"
            text = callback["error"] if callback["event"] == "message.error" else callback["response"]
            row = (callback["conversation_id"], text, failed)
            db.execute("insert into answers (conversation_id, text, failed) values (?, ?, ?)", row)
        db.execute("commit")
        return is_new
    finally:
        db.close()  # rolls back an open transaction


class Receiver(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return self.answer(413)
        body = self.rfile.read(int(length))
        # Callbacks are not signed: the secret in the path is the only proof.
        given = self.path.removeprefix("/callbacks/").encode()
        if not self.path.startswith("/callbacks/") or not hmac.compare_digest(given, SECRET.encode()):
            return self.answer(404)
        callback = read_callback(body)
        if callback is None:
            return self.answer(400)
        try:
            is_new = process(callback)
        except sqlite3.Error as error:
            # Nothing was stored, and Parley does not retry: `reconcile.ts` reads the answer from the history.
            print(error, file=sys.stderr)
            return self.answer(500)
        print(f"{'processed' if is_new else 'known already'}: {callback_key(callback)}", flush=True)
        self.answer(200)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Logs nothing, because the path contains the secret."""


if __name__ == "__main__":
    os.makedirs(os.path.dirname(FILE) or ".", exist_ok=True)
    inbox = open_inbox()
    inbox.execute("pragma journal_mode = wal")
    inbox.execute("create table if not exists processed (key text primary key) strict")
    inbox.execute("create table if not exists answers (conversation_id text, text text, failed integer) strict")
    inbox.close()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"listening: http://127.0.0.1:{server.server_port}/callbacks/<RECEIVER_SECRET>", flush=True)
    server.serve_forever()
