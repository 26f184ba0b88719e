import json
import sys
import urllib.error
import urllib.request

import generated

base_url, token, agent = sys.argv[1:]


def call(path, body=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = body.model_dump_json(exclude_unset=True).encode() if body else None
    request = urllib.request.Request(base_url + path, data, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read()
    except urllib.error.HTTPError as refused:
        return refused.read()


sent = generated.Acknowledgement.model_validate_json(
    call(f"/chat/{agent}", generated.ChatRequest(message="one"))
)
request = generated.ChatRequest(
    message="two", sync=True, conversation_id=sent.conversation_id, metadata={"order": 17}
)
answer = generated.ChatAnswer.model_validate_json(call(f"/chat/{agent}", request))
page = generated.MessageList.model_validate_json(
    call(f"/conversations/{answer.conversation_id}/messages?limit=10")
)
messages = [getattr(one, "root", one) for one in page.data]
refused = generated.ErrorBody.model_validate_json(
    call(f"/chat/{agent}", generated.ChatRequest(message=""))
)
text = lambda value: getattr(value, "value", value)
metadata = getattr(answer.metadata, "root", answer.metadata)
print(
    json.dumps(
        {
            "acknowledged": text(sent.status),
            "response": answer.response,
            "order": metadata["order"],
            "written": [
                one.responding_agent_name if isinstance(one, generated.AgentMessage) else text(one.status)
                for one in messages
            ],
            "next": page.next_cursor,
            "refused": refused.code,
        }
    )
)
