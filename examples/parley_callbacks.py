"""Callbacks of Parley: their types, and how a body is read. Python 3.11, standard library only."""

import json
from typing import Any, Literal, NotRequired, TypedDict


class MessageCompleted(TypedDict):
    """An agent has answered."""

    event: Literal["message.completed"]
    agent_id: str
    success: Literal[True]
    conversation_id: str
    message_id: NotRequired[str]
    response: str
    model: NotRequired[str]
    credits_used: NotRequired[float]
    attachments_processed: NotRequired[int]
    responding_agent_name: str
    metadata: NotRequired[dict[str, Any]]
    timestamp: str
    pre_transfer: NotRequired[Literal[True]]
    followup: NotRequired[Literal[True]]
    followup_attempt: NotRequired[int]


class MessageError(TypedDict):
    """A run has failed for good."""

    event: Literal["message.error"]
    agent_id: str
    conversation_id: str
    error: str
    metadata: NotRequired[dict[str, Any]]
    timestamp: str


CallbackPayload = MessageCompleted | MessageError


def read_callback(body: bytes) -> CallbackPayload | None:
    """The callback in a request's body, or None where it is none: answer 400 then."""
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
    """What a receiver remembers to process a callback once: the message_id, where there is one."""
    if callback["event"] == "message.completed" and "message_id" in callback:
        return callback["message_id"]
    return f"{callback['event']}/{callback['conversation_id']}/{callback['timestamp']}"
