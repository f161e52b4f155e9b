import type { SecurityPromise } from "./promise.ts";

const MATRIX = "test/access/matrix.test.ts";
const RENDERED = "test/security/rendered.test.ts";
const CHROMIUM = "needs Chromium; scripts/chromium installs it on Debian";

/** Promises about hostile users, models, tool servers and files. */
export const THREATS = {
  "object-access": {
    promise: "Every id in a path, a query or a body is judged for the caller",
    minimum: 1_500,
    unit: "answers to persons",
    files: [MATRIX],
  },
  revocation: {
    promise: "A revoked right ends at the next request, and open streams end with it",
    minimum: 50,
    unit: "streams and tokens",
    files: ["test/open-streams.test.ts", "test/revocations.test.ts"],
  },
  "acting-on-users": {
    promise:
      "Nobody acts on a stronger user, or gets at data of others that they may not read",
    minimum: 176,
    unit: "acts of administrators",
    files: ["test/acting-on-users.test.ts"],
  },
  "retrieval-scope": {
    promise: "Retrieval finds only passages of documents that the caller may read",
    minimum: 5_000,
    short: 500,
    unit: "queries",
    files: ["src/services/retrieval/retrieve.test.ts"],
  },
  "access-model": {
    promise: "Decisions on access are those of a simple reference model",
    minimum: 20_000,
    short: 120,
    unit: "random graphs",
    files: ["src/services/users/sharing/decide-access.test.ts"],
  },
  "stale-grants": {
    promise: "No reader sees what was added after the reader's right was taken",
    minimum: 10_000,
    short: 1_000,
    unit: "reads",
    files: ["src/services/users/sharing/stale-grants.test.ts"],
  },
  "deny-by-default": {
    promise: "A path that no route declares is refused, however it is written",
    minimum: 92,
    unit: "paths and methods",
    files: ["test/path-variants.test.ts", "test/service-routes.test.ts"],
  },
  "one-verifier": {
    promise: "Every kind of credential is verified in the same way on every route",
    minimum: 1_000,
    unit: "credentials at routes",
    files: [MATRIX],
  },
  "mass-assignment": {
    promise: "A change writes only the fields that its route declares",
    minimum: 30,
    unit: "protected fields",
    files: [MATRIX],
  },
  tokens: {
    promise: "A token with one wrong claim, type, algorithm or key is refused",
    minimum: 16,
    unit: "forged tokens",
    files: ["src/platform/auth/access-token.test.ts", "test/foreign-tokens.test.ts"],
  },
  secrets: {
    promise: "Keys are random, and no secret is in a log, answer, metric or file",
    minimum: 100_012,
    unit: "keys and planted secrets",
    files: ["test/secrets.test.ts"],
  },
  "provider-keys": {
    promise: "A provider's key goes only to the address that it was stored for",
    minimum: 1,
    unit: "changed addresses",
    files: ["test/catalogue-providers.test.ts"],
  },
  "outgoing-addresses": {
    promise: "Calls go to public addresses and to what the operator allows",
    minimum: 40,
    unit: "addresses",
    files: ["src/platform/outgoing/outgoing.test.ts", "test/metadata-addresses.test.ts"],
  },
  redirects: {
    promise: "Redirects of other servers are not followed",
    minimum: 1,
    unit: "redirects",
    files: ["src/platform/outgoing/outgoing.test.ts"],
  },
  "upstream-floods": {
    promise: "What other servers send is bounded in bytes and in time",
    minimum: 5,
    unit: "floods",
    files: [
      "src/platform/outgoing/bounded-body.test.ts",
      "src/platform/http/read-json.test.ts",
      "src/services/tool-gateway/gateway-calls.test.ts",
      "test/provider-faults.test.ts",
    ],
  },
  scripts: {
    promise: "Text of models, users and documents never runs as a script",
    minimum: 32,
    unit: "texts",
    files: [RENDERED],
    missing: CHROMIUM,
  },
  "rendered-requests": {
    promise: "Shown text sends no request to another origin without a click",
    minimum: 32,
    unit: "texts",
    files: [RENDERED],
    missing: CHROMIUM,
  },
  "html-canvas": {
    promise: "An HTML canvas runs in an origin of its own without a network",
    minimum: 12,
    unit: "attempts",
    files: [RENDERED],
    missing: CHROMIUM,
  },
  exports: {
    promise: "Exported files run nothing, fetch nothing and carry safe names",
    minimum: 9,
    unit: "files",
    files: ["test/canvas-export.test.ts"],
  },
  "file-types": {
    promise: "An upload is known by its bytes, and lies in the store or nowhere",
    minimum: 20,
    unit: "uploads",
    files: ["test/document-uploads.test.ts"],
  },
  "response-headers": {
    promise: "Every answer carries the security headers; no foreign origin is allowed",
    minimum: 9,
    unit: "kinds of answer",
    files: ["test/headers.test.ts"],
  },
  "peoples-code": {
    promise: "Code that people run reaches no file, address, process or session of others",
    minimum: 30,
    unit: "attempts",
    files: ["src/services/sandbox/escapes.test.ts"],
    missing: "needs namespaces or bubblewrap",
  },
  "hostile-models": {
    promise: "Whatever a model answers, only permitted tools run",
    minimum: 60,
    unit: "scripted models",
    files: ["src/services/agent-loop/loop.test.ts"],
  },
  "changed-tools": {
    promise: "A tool that is new or changes is withheld until an administrator approves it",
    minimum: 5,
    unit: "changes",
    files: [
      "src/services/tool-gateway/gateway.test.ts",
      "src/services/tool-gateway/new-tools.test.ts",
      "test/mcp-endpoint.test.ts",
    ],
  },
  "cross-talk": {
    promise: "Each client of the tool gateway gets its own answers",
    minimum: 20_000,
    short: 1_200,
    unit: "calls",
    files: ["test/mcp-endpoint.test.ts"],
  },
  "tool-views": {
    promise:
      "A view of a tool's result runs and reads only what its person may, and destroys nothing unasked",
    minimum: 15,
    unit: "attempts",
    files: ["test/tool-views.test.ts"],
  },
  "view-contexts": {
    promise:
      "What a view adds is read as somebody else's words, for its own person, bounded, and lifts no question",
    minimum: 5,
    unit: "cases",
    files: ["test/view-contexts.test.ts"],
  },
  "pattern-matching": {
    promise: "Patterns match in bounded time, and agree with regular expressions",
    minimum: 5_000,
    unit: "patterns",
    files: [
      "src/services/automations/rule-index.test.ts",
      "test/security/regular-expressions.test.ts",
    ],
  },
  injection: {
    promise: "Text in a request never becomes SQL, a path or a header",
    minimum: 1_500,
    unit: "requests",
    files: ["test/faults.test.ts"],
  },
  guesses: {
    promise: "Guesses at passwords are limited for each account and network",
    minimum: 30,
    unit: "guesses",
    files: ["test/sign-in-limits.test.ts"],
  },
  "client-addresses": {
    promise: "What a client says about its address counts for nothing, behind any proxies",
    minimum: 40,
    unit: "claims",
    files: ["src/platform/http/client-address.test.ts", "test/two-proxies.test.ts"],
  },
  flows: {
    promise: "A flow runs for those who may run it, with settings of its owner alone",
    minimum: 10,
    unit: "refusals",
    files: ["test/flow-permissions.test.ts", "test/flow-agents.test.ts"],
  },
  "open-world": {
    promise: "After the open world was read, an allowed tool changes nothing unasked",
    minimum: 5,
    unit: "calls",
    files: ["src/services/agent-loop/ready-calls.test.ts", "test/conversation.test.ts"],
  },
  injections: {
    promise: "What documents, pages, results and file names order calls no tool unasked",
    minimum: 240,
    unit: "injected texts",
    files: ["test/injections.test.ts"],
  },
  labels: {
    promise: "What carries a label goes nowhere that its rule does not permit",
    minimum: 10,
    unit: "ways out",
    files: ["test/labels.test.ts"],
  },
  dependencies: {
    promise: "Dependencies are locked, at safe versions, and run no scripts at install",
    minimum: 300,
    unit: "packages",
    files: ["test/security/dependencies.test.ts"],
  },
} as const satisfies Record<string, SecurityPromise>;
