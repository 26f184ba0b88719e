"""What OpenAI's SDK for Python makes of /v1/openai: one JSON object. Arguments: base URL, token, agent."""

import asyncio
import json
import sys
import uuid

import openai

base_url, token, agent = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=token)
message = [{"role": "user", "content": "hello"}]


def code_of(**changed):
    caller = client.with_options(**changed.pop("client", {}))
    try:
        caller.chat.completions.create(**{"model": agent, "messages": message, **changed})
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code, error.param]


async def ask_async():
    answer = await openai.AsyncOpenAI(base_url=base_url, api_key=token).responses.create(model=agent, input="hello")
    return answer.output_text


key = {"Idempotency-Key": str(uuid.uuid4())}
whole = client.chat.completions.create(model=agent, messages=message, extra_headers=key)
repeated = client.chat.completions.create(model=agent, messages=message, extra_headers=key)
with client.chat.completions.stream(model=agent, messages=message, stream_options={"include_usage": True}) as stream:
    streamed = stream.until_done().get_final_completion()
with client.responses.stream(model=agent, input="hello") as events:
    response = events.until_done().get_final_response()
following = client.responses.create(model=agent, input="hello", previous_response_id=response.id)

print(
    json.dumps(
        {
            "models": [model.id for model in client.models.list() if model.id == agent],
            "whole": whole.choices[0].message.content,
            "usage": whole.usage.total_tokens,
            "repeated": repeated.id == whole.id,
            "streamed": streamed.choices[0].message.content,
            "finish": streamed.choices[0].finish_reason,
            "response": [response.status, response.output_text],
            "following": following.conversation.id == response.conversation.id,
            "asynchronous": asyncio.run(ask_async()),
            "errors": [
                code_of(client={"api_key": "sk-wrong"}),
                code_of(model="gpt-4o"),
                code_of(n=2),
            ],
        }
    )
)
