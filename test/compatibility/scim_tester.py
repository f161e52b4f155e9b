"""Runs all tests of scim2-tester against SERVER with SCIM_TOKEN, and prints what it found."""

import json
import os

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

http = httpx2.Client(
    base_url=f"{os.environ['SERVER']}/scim/v2",
    headers={"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"},
    timeout=60,
)
client = SyncSCIMClient(http)
client.discover()
results = check_server(client)
bad = [one for one in results if one.status not in (Status.SUCCESS, Status.SKIPPED)]
words = "; ".join(f"{one.title}: {one.status.name}: {one.reason}" for one in bad)
print(
    json.dumps(
        {
            "client": "scim2-tester",
            "what": f"its {len(results)} tests",
            "failure": words[:500] or None,
        }
    )
)
