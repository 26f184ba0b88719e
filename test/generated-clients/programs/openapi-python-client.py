import json
import sys
from uuid import UUID

from generated import AuthenticatedClient
from generated.api.chat import send_message
from generated.api.conversations import list_messages
from generated.models import (
    Acknowledgement,
    AgentMessage,
    ChatAnswer,
    ChatRequest,
    ErrorBody,
    MessageList,
    Metadata,
)

base_url, token, agent = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=token, timeout=60)
target = UUID(agent)

sent = send_message.sync(target, client=client, body=ChatRequest(message="one"))
assert isinstance(sent, Acknowledgement), sent
body = ChatRequest(
    message="two",
    sync=True,
    conversation_id=sent.conversation_id,
    metadata=Metadata.from_dict({"order": 17}),
)
answer = send_message.sync(target, client=client, body=body)
assert isinstance(answer, ChatAnswer), answer
page = list_messages.sync(answer.conversation_id, client=client, limit=10)
assert isinstance(page, MessageList), page
refused = send_message.sync(target, client=client, body=ChatRequest(message=""))
assert isinstance(refused, ErrorBody), refused
print(
    json.dumps(
        {
            "acknowledged": sent.status,
            "response": answer.response,
            "order": answer.metadata["order"],
            "written": [
                one.responding_agent_name if isinstance(one, AgentMessage) else one.status for one in page.data
            ],
            "next": page.next_cursor,
            "refused": refused.code,
        }
    )
)
