"""The job as a LangGraph graph: a model proposes a refund, a person approves it, the tool makes it.

The interrupt and the tool are one node, as LangGraph's documentation has it. HARNESS is the URL of the model and the tool.
"""

import os
from typing import TypedDict

import httpx
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

HARNESS = os.environ["HARNESS"]


class State(TypedDict, total=False):
    case: str
    call: dict
    result: str


async def post(path: str, body: dict) -> dict:
    async with httpx.AsyncClient(timeout=30) as client:
        answer = await client.post(f"{HARNESS}{path}", json=body)
        answer.raise_for_status()
        return answer.json()


async def model(state: State) -> State:
    return {"call": await post("/model", {"case": state["case"]})}


async def tool(state: State) -> State:
    decision = interrupt(state["call"])
    if decision != "approve":
        return {"result": "refused"}
    await post("/refund", state["call"])
    return {"result": "executed"}


builder = StateGraph(State)
builder.add_node("model", model)
builder.add_node("tool", tool)
builder.add_edge(START, "model")
builder.add_edge("model", "tool")
builder.add_edge("tool", END)
graph = builder.compile()
