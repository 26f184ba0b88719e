"""Types of Parley's callbacks, and functions that read them. Python 3.11, standard library only."""

import json
from typing import Any, Literal, NotRequired, TypedDict


class MessageCompleted(TypedDict):
    """An agent, or a person who has taken over, has answered."""

    event: Literal["message.completed"]
    agent_id: str
    success: Literal[True]
    conversation_id: str
    message_id: NotRequired[str]
    response: str
    output: NotRequired[dict[str, Any]]
    model: NotRequired[str]
    credits_used: NotRequired[float]
    attachments_processed: NotRequired[int]
    responding_agent_name: str
    metadata: NotRequired[dict[str, Any]]
    timestamp: str
    pre_transfer: NotRequired[Literal[True]]
    followup: NotRequired[Literal[True]]
    followup_attempt: NotRequired[int]
    by_person: NotRequired[Literal[True]]


class MessageError(TypedDict):
    """A run has failed permanently."""

    event: Literal["message.error"]
    agent_id: str
    conversation_id: str
    error: str
    code: NotRequired[Literal["credit_cap_reached", "output_invalid"]]
    metadata: NotRequired[dict[str, Any]]
    timestamp: str


CallbackPayload = MessageCompleted | MessageError


def read_callback(body: bytes) -> CallbackPayload | None:
    """Returns the callback in a request's body; None if it is not a callback: then respond with 400."""
    try:
        value = json.loads(body)
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("conversation_id"), str):
        return None
    if value.get("event") == "message.error":
        return value
    if value.get("event") != "message.completed" or not isinstance(value.get("message_id", ""), str):
        return None
    return value


def callback_key(callback: CallbackPayload) -> str:
    """Returns the key by which a receiver processes a callback once: the message_id or, without one, other fields."""
    if callback["event"] == "message.completed" and "message_id" in callback:
        return callback["message_id"]
    return f"{callback['event']}/{callback['conversation_id']}/{callback['timestamp']}"
