"""Talks to an agent with OpenAI's SDK for Python: pip install openai."""

import os
import uuid

import openai

client = openai.OpenAI(base_url=f"{os.environ['PARLEY_URL']}/openai", api_key=os.environ["PARLEY_TOKEN"])
agent = os.environ["PARLEY_AGENT"]

try:
    # The SDK repeats a call after a broken connection. The key makes the repeat return the first call's answer.
    completion = client.chat.completions.create(
        model=agent,
        messages=[{"role": "user", "content": "Hello!"}],
        extra_headers={"Idempotency-Key": str(uuid.uuid4())},
    )
    print(completion.choices[0].message.content)
    place = completion.model_extra["parley"]
    again = client.chat.completions.create(
        model=agent,
        messages=[{"role": "user", "content": "And again"}],
        metadata={"conversation_id": place["conversation_id"]},
        stream=True,
    )
    for chunk in again:
        print(chunk.choices[0].delta.content or "", end="")
    print()
except openai.APIStatusError as error:
    raise SystemExit(f"{error.status_code} {error.code}: {error.message}")
