"""A LangGraph graph that answers behind Parley, as an agent that runs elsewhere (docs/external-agents.md).

The graph keeps its own state by conversation, so it reads the last message alone. Python 3.11, after
`pip install langgraph`.
"""

import hmac
import json
import os
import re
import sys
import threading
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

KEY = os.environ.get("AGENT_KEY") or sys.exit("Set AGENT_KEY; examples/README.md says how.")
LARGEST_BODY = 4 * 1024 * 1024


class State(TypedDict, total=False):
    message: str
    order: str  # kept from earlier messages of the conversation
    answer: str


def find_order(state: State) -> State:
    found = re.search(r"\border (\d+)", state["message"])
    return {"order": found[1]} if found else {}


def ask_for_order(state: State) -> State:
    return {"answer": "Which order is it?"}


def answer(state: State) -> State:
    # Your model goes here.
    return {"answer": f"Order {state['order']} arrives tomorrow."}


graph = StateGraph(State)
graph.add_node("find_order", find_order)
graph.add_node("ask_for_order", ask_for_order)
graph.add_node("answer", answer)
graph.add_edge(START, "find_order")
graph.add_conditional_edges("find_order", lambda state: "answer" if state.get("order") else "ask_for_order")
graph.add_edge("ask_for_order", END)
graph.add_edge("answer", END)
# In production: a checkpointer with a database, such as PostgresSaver.
agent = graph.compile(checkpointer=InMemorySaver())

# Parley repeats a request with the same key after a broken connection: the graph must not run twice. In production,
# keep the answers where they outlive the process, as the graph's own state.
answers: dict[str, "Future[str]"] = {}
lock = threading.Lock()


def respond(request: dict) -> dict:
    key = request["idempotency_key"]
    with lock:
        is_first = key not in answers
        future = answers.setdefault(key, Future())
    if is_first:
        try:
            message = next(one["text"] for one in reversed(request["messages"]) if one["role"] == "user")
            thread = {"configurable": {"thread_id": request["conversation_id"]}}
            future.set_result(agent.invoke({"message": message}, thread)["answer"])
        except Exception as error:
            with lock:
                del answers[key]
            future.set_exception(error)
    return {"text": future.result()}


class Endpoint(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self) -> None:
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), KEY.encode()):
            return self.answer(401, {"error": "wrong key"})
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return self.answer(413, {"error": "too large"})
        try:
            self.answer(200, respond(json.loads(self.rfile.read(int(length)))))
        except Exception as error:
            print(f"failed: {error!r}", file=sys.stderr, flush=True)
            self.answer(500, {"error": "The graph failed."})

    def answer(self, status: int, body: dict) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4100"))), Endpoint)
    print(f"listening: http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
