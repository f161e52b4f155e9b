"""Public clients of MCP on PyPI, unchanged and with their defaults, against a running server:
`tool_clients.py NAME…`.

Prints a line of JSON for each: what was tried, and why it failed if it did.
"""

import asyncio
import json
import os
import sys

ADDRESS = f"{os.environ['SERVER']}/mcp"
KEY = os.environ["KEY"]
HEADERS = {"Authorization": f"Bearer {KEY}"}
ECHO = {"message": "hello"}


def tried(client, what, work):
    failure = None
    try:
        answer = asyncio.run(work())
        if "hello" not in str(answer):
            failure = f"answered {answer!r}"[:200]
    except BaseException as error:  # any failure of a client is a result here
        failure = f"{type(error).__name__}: {error}"[:200]
    print(json.dumps({"client": client, "what": what, "failure": failure}), flush=True)


async def sdk():
    import httpx
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx.AsyncClient(headers=HEADERS, timeout=60) as http,
        streamable_http_client(ADDRESS, http_client=http) as (reads, writes, *_),
        ClientSession(reads, writes) as session,
    ):
        await session.initialize()
        return (await session.call_tool("echo", ECHO)).content


async def fastmcp():
    from fastmcp import Client

    async with Client(ADDRESS, auth=KEY) as client:
        return (await client.call_tool("echo", ECHO)).content


async def adapters():
    from langchain_mcp_adapters.client import MultiServerMCPClient

    server = {"url": ADDRESS, "transport": "streamable_http", "headers": HEADERS}
    tools = await MultiServerMCPClient({"parlance": server}).get_tools()
    echo = next(tool for tool in tools if tool.name == "echo")
    return await echo.ainvoke(ECHO)


CLIENTS = {"mcp (PyPI)": sdk, "fastmcp": fastmcp, "langchain-mcp-adapters": adapters}
for name in sys.argv[1:]:
    tried(name, "a tool", CLIENTS[name])
