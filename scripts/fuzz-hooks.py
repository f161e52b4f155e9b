"""Credentials for scripts/fuzz."""

import base64
import json
import os
import urllib.parse
import urllib.request
import zlib

import jsonschema_rs
import schemathesis

URL = os.environ["FUZZ_URL"]
# Only services ask for replies of models there.
COMPLETIONS = "/api/v1/completions"
COMPLETION_SECRET = os.environ["FUZZ_COMPLETION_SECRET"]
ADMIN = {"email": os.environ["FUZZ_EMAIL"], "password": os.environ["FUZZ_PASSWORD"]}
# They end their caller's session or count wrong passwords: another user's, not the administrator's.
ENDS_SESSION = ("/api/v1/auth/logout", "/api/v1/auth/password", "/api/v1/auth/session")
NOBODY = "00000000-0000-7000-8000-000000000000"
OTHER_CREDENTIALS = ("x-api-key", "x-platform-mcp-service-secret", "x-platform-user-service-secret")
OTHER = {"email": "fuzz@parlance.local", "password": ADMIN["password"]}


def post(path, body, token=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def sign_in(user):
    return post("/api/v1/auth/login", user)["accessToken"]


def user_id(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["sub"]


ADMIN_TOKEN = sign_in(ADMIN)
post("/api/v1/users", {**OTHER, "name": "Fuzz", "roles": ["user"]}, ADMIN_TOKEN)
OTHER_TOKEN = sign_in(OTHER)
# Ids are taken from earlier answers: none may disable or delete who sends the requests.
OWN_IDS = {user_id(ADMIN_TOKEN), user_id(OTHER_TOKEN)}


@schemathesis.auth(refresh_interval=None, retry_on=[])
class AccessToken:
    def get(self, case, context):
        if case.operation.path == COMPLETIONS:
            return COMPLETION_SECRET
        return OTHER_TOKEN if case.operation.path.startswith(ENDS_SESSION) else ADMIN_TOKEN

    def set(self, case, data, context):
        token = self.get(case, context)
        for name, value in (case.path_parameters or {}).items():
            if value in OWN_IDS:
                case.path_parameters[name] = NOBODY
        # two credentials at once are refused, so the generated ones go
        for name in [name for name in case.headers or {} if name.lower() in OTHER_CREDENTIALS]:
            del case.headers[name]
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {token}"


# Random names are unknown models, so no model would ever reply: half of the requests name this one.
MODEL = "gpt-test"
ASKS_MODEL = ("/v1/chat/completions", "/api/v1/agent/run", COMPLETIONS)


@schemathesis.hook
def before_call(context, case, kwargs):
    asks_model = case.operation.path in ASKS_MODEL
    if not asks_model or not isinstance(case.body, dict) or "model" not in case.body:
        return
    # by the body, so that a seed gives the same requests each time
    if zlib.crc32(json.dumps(case.body, sort_keys=True, default=str).encode()) % 2 == 0:
        case.body["model"] = MODEL


# The server under test answers these itself; other 502 and 504 tell what a server beside it did.
OWN_FAILURES = ("upstream_invalid", "upstream_timeout")


@schemathesis.check
def no_undeclared_server_error(ctx, response, case):
    """A server error is a defect, but for 502 to 504 where the document declares it."""
    status = response.status_code
    if status < 500:
        return
    declared = str(status) in case.operation.definition.raw["responses"]
    own = any(code in response.text for code in OWN_FAILURES)
    if status == 500 or not declared or own:
        raise AssertionError(f"server error {status}: {response.text[:300]}")


NDJSON = "application/x-ndjson"
COMPONENTS = "#/components/schemas/"
with urllib.request.urlopen(URL + "/openapi.json", timeout=30) as answer:
    DOCUMENT = json.load(answer)


def validator_of(*path):
    """A validator of the schema at a place in the document (RFC 6901)."""
    pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in path)
    reference = "#/" + urllib.parse.quote(pointer, safe="/~")
    return jsonschema_rs.validator_for({**DOCUMENT, "$ref": reference})


@schemathesis.check
def ndjson_lines_conform(ctx, response, case):
    """The document describes one line of NDJSON, so each line is validated by itself."""
    content_type = (response.headers.get("content-type") or [""])[0]
    if not content_type.startswith(NDJSON):
        return
    path, method, status = case.operation.path, case.operation.method.lower(), str(response.status_code)
    described = DOCUMENT["paths"][path][method]["responses"].get(status, {}).get("content", {})
    # a download is described as text, a stream as its events
    schema = described.get(NDJSON, {}).get("schema", {})
    if schema.get("$ref", "").startswith(COMPONENTS):
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].removeprefix(COMPONENTS)]
    if schema.get("type", "string") == "string":
        return
    validator = validator_of("paths", path, method, "responses", status, "content", NDJSON, "schema")
    for line in response.text.splitlines():
        if line:
            validator.validate(json.loads(line))
