"""A tool server by FastMCP: `fastmcp_server.py http|stateless|sse PORT`."""

import sys

from fastmcp import FastMCP

kind, port = sys.argv[1], int(sys.argv[2])
server = FastMCP("Repeats")


@server.tool
def repeat(message: str) -> str:
    """Repeats a message."""
    return f"You said {message}"


more = {"stateless_http": True} if kind == "stateless" else {}
transport = "sse" if kind == "sse" else "http"
server.run(transport=transport, port=port, show_banner=False, **more)
