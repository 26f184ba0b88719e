import json
import sys
from uuid import UUID

import generated
from generated.models import AgentMessage, ChatAnswer, ChatRequest

base_url, token, agent = sys.argv[1:]
client = generated.ApiClient(generated.Configuration(host=base_url, access_token=token))
chat = generated.ChatApi(client)
target = UUID(agent)

sent = chat.send_message(target, ChatRequest(message="one"))
request = ChatRequest(message="two", sync=True, conversation_id=sent.conversation_id, metadata={"order": 17})
answer = chat.send_message(target, request)
assert isinstance(answer, ChatAnswer), answer
page = generated.ConversationsApi(client).list_messages(answer.conversation_id, limit=10)
messages = [one.actual_instance for one in page.data]
try:
    chat.send_message(target, ChatRequest(message=""))
    code = "taken"
except generated.ApiException as refused:
    code = refused.data.code
print(
    json.dumps(
        {
            "acknowledged": sent.status,
            "response": answer.response,
            "order": answer.metadata["order"],
            "written": [
                one.responding_agent_name if isinstance(one, AgentMessage) else one.status for one in messages
            ],
            "next": page.next_cursor,
            "refused": code,
        }
    )
)
