"""The Python SDK's client: with an API token in each way to connect, then with nothing but the address (OAuth)."""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

url, token, cookie, organization_id = sys.argv[1:]
redirect_uri = "http://127.0.0.1:33418/callback"


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


answer = {}


async def consent(address: str) -> None:
    """What a member's browser does."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    async with httpx2.AsyncClient() as browser:
        sent = await browser.get(address)
        asked = {name: values[0] for name, values in parse_qs(urlsplit(sent.headers["location"]).query).items()}
        allowed = await browser.post(
            origin + "/console/api/mcp-grants",
            json={**asked, "organization_id": organization_id, "allow": True},
            headers={"cookie": cookie},
        )
        allowed.raise_for_status()
        answer.update(parse_qs(urlsplit(allowed.json()["redirect_to"]).query))


async def callback() -> AuthorizationCodeResult:
    return AuthorizationCodeResult(code=answer["code"][0], state=answer["state"][0], iss=answer["iss"][0])


async def use(http: httpx2.AsyncClient, mode: str):
    async with http, Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        tools = await client.list_tools()
        called = await client.call_tool("DOCS_GET_ABOUT_ME", {})
        return [client.protocol_version, len(tools.tools), called.is_error]


async def main():
    by_token = {"authorization": f"Bearer {token}"}
    written = [await use(httpx2.AsyncClient(headers=by_token), mode) for mode in ("auto", "legacy")]
    metadata = OAuthClientMetadata(client_name="Python", redirect_uris=[redirect_uri])
    oauth = OAuthClientProvider(url, metadata, Storage(), consent, callback)
    written.append(await use(httpx2.AsyncClient(auth=oauth), "auto"))
    print(json.dumps(written))


asyncio.run(main())
