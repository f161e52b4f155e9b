"""Uses a client in Python that was generated from the OpenAPI document: `use_generated.py FOLDER`.

Prints a line of JSON: what was tried, and why it failed if it did.
"""

import io
import json
import os
import sys

sys.path.insert(0, sys.argv[1])
URL, KEY = os.environ["SERVER"], os.environ["KEY"]


def work():
    from parlance_client import AuthenticatedClient, Client
    from parlance_client.api.core import (
        core_create_agent,
        core_delete_agent,
        core_get_agent,
        core_list_agents,
        core_patch_agent,
    )
    from parlance_client.api.documents import documents_get, documents_remove, documents_upload
    from parlance_client.models import AgentChange, DocumentsUploadRequest, Error, NewAgent
    from parlance_client.types import File

    client = AuthenticatedClient(base_url=URL, token=KEY)
    agent = core_create_agent.sync(
        client=client, body=NewAgent(name="Made in Python", temperature=0.5)
    )
    assert agent.name == "Made in Python" and agent.temperature == 0.5, agent
    found = core_list_agents.sync(client=client, query="made in python", limit=5)
    assert [one.id for one in found.items] == [agent.id], found
    change = AgentChange(description="Short")
    changed = core_patch_agent.sync(agent.id, client=client, body=change)
    assert changed.description == "Short" and changed.name == agent.name, changed

    text = File(payload=io.BytesIO(b"Words."), file_name="words.txt", mime_type="text/plain")
    sent = documents_upload.sync(client=client, body=DocumentsUploadRequest(file=text))
    document = documents_get.sync(sent.id, client=client)
    assert document.file_name == "words.txt", document
    documents_remove.sync_detailed(sent.id, client=client)

    core_delete_agent.sync_detailed(agent.id, client=client)
    gone = core_get_agent.sync(agent.id, client=client)
    assert isinstance(gone, Error) and gone.code == "agent_not_found", gone
    refused = core_list_agents.sync_detailed(client=Client(base_url=URL))
    assert refused.status_code == 401 and isinstance(refused.parsed, Error), refused


failure = None
try:
    work()
except Exception as error:  # any failure of the client is a result here
    failure = f"{type(error).__name__}: {error}"[:300]
what = "a client, which makes, finds, changes and uploads"
print(json.dumps({"client": "openapi-python-client", "what": what, "failure": failure}))
