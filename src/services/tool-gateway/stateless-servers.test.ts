import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inputRequired, type InputRequest } from "@modelcontextprotocol/server";
import { expect, test, vi } from "vitest";
import {
  entry,
  gatewaysForTests,
  namesOf,
  run,
  say,
} from "../../../test/support/gateways.ts";
import { startStatelessServer } from "../../../test/support/stateless-server.ts";
import { startToolServer, text } from "../../../test/support/tool-server.ts";
import type { Gateway } from "./gateway.ts";
import type { CallOptions } from "./session-requests.ts";

const gateways = gatewaysForTests();
const META = "io.modelcontextprotocol/";
const WAIT_MS = 90_000;
/** No test here is about time, and a busy machine needs some. */
const PATIENT = { callTimeoutMs: WAIT_MS };
const name: InputRequest = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  },
};
/** A tool that wants a name first. */
const greet = {
  run: (
    _: object,
    { mcpReq }: { mcpReq: { inputResponses?: unknown; requestState(): unknown } },
  ) =>
    mcpReq.inputResponses
      ? text(JSON.stringify([mcpReq.inputResponses, mcpReq.requestState()]))
      : inputRequired({
          inputRequests: { who: name },
          requestState: "state of the server",
        }),
};

const call = (gateway: Gateway, tool: string, options: Partial<CallOptions> = {}) =>
  gateway.call(
    tool,
    {},
    { userId: "ada", signal: new AbortController().signal, ...options },
  );

test.each([false, true])(
  "a server of 2026-07-28 is used as one, whether or not it speaks older versions: %s",
  async (speaksOlder) => {
    await using server = await startStatelessServer({ add: say("3") }, { speaksOlder });
    await using gateway = gateways.open(PATIENT);
    await gateway.configure([entry("one", server, { headers: { "x-key": "k" } })]);
    expect(namesOf(gateway)).toEqual(["add"]);
    expect(await run(gateway, "add", { a: 1 }, "ada")).toBe("3");
    expect(server.seen.map(({ method }) => method)).not.toContain("initialize");
    const called = server.seen.find(({ method }) => method === "tools/call");
    expect(Object.fromEntries(called?.headers ?? [])).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "add",
      "x-key": "k",
    });
    expect(called?.params["_meta"]).toMatchObject({
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientInfo`]: { name: "parlance" },
      [`${META}clientCapabilities`]: {},
    });
  },
);

test("a server with sessions is asked once which version it speaks, however many users it has", async () => {
  await using server = await startToolServer({ add: say("3") }, { unknownSession: 404 });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  for (const user of ["ada", "bob", "cleo"])
    expect(await run(gateway, "add", {}, user)).toBe("3");
  expect(server.opened()).toBe(4);
  const asked = server.headers.filter(
    (headers) => headers["mcp-method"] === "server/discover",
  );
  expect(asked).toHaveLength(1);
});

test("a server that is replaced by one of another version is used as that", async () => {
  const older = await startToolServer({ old: say("older") });
  await using gateway = gateways.open(PATIENT);
  // new tools of a trusted server are offered; a changed one would wait for approval
  await gateway.configure([entry("one", older, { trusted: true })]);
  expect(await run(gateway, "old")).toBe("older");
  await older[Symbol.asyncDispose]();
  await using newer = await startStatelessServer(
    { fresh: say("newer") },
    { port: older.port },
  );
  await vi.waitFor(() => {
    gateway.maintain();
    expect(namesOf(gateway)).toEqual(["fresh"]);
  }, WAIT_MS);
  expect(await run(gateway, "fresh")).toBe("newer");
  expect(newer.seen.map(({ method }) => method)).toContain("server/discover");
});

test("what a server announces is heard: its tools, and resources that are watched", async () => {
  await using server = await startStatelessServer(
    { old: say("old") },
    { capabilities: { resources: { subscribe: true } } },
  );
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server, { trusted: true })]);
  const updated: string[] = [];
  const [session] = gateway.sessions();
  const stop = session?.watch("test://a", () => updated.push("test://a"));
  const listens = () =>
    server.seen.filter(({ method }) => method === "subscriptions/listen").at(-1)?.params[
      "notifications"
    ];
  await vi.waitFor(
    () =>
      expect(listens()).toEqual({
        toolsListChanged: true,
        resourceSubscriptions: ["test://a"],
      }),
    WAIT_MS,
  );
  server.tools = { fresh: say("fresh") };
  // a stream that is being opened hears nothing yet
  await vi.waitFor(() => {
    server.toolsChanged();
    server.resourceChanged("test://a");
    expect(namesOf(gateway)).toEqual(["fresh"]);
    expect(updated).toContain("test://a");
  }, WAIT_MS);
  stop?.();
  await vi.waitFor(() => expect(listens()).toEqual({ toolsListChanged: true }), WAIT_MS);
  await gateway.configure([]);
  await vi.waitFor(() => expect(server.streams()).toBe(0), WAIT_MS);
});

test("arguments that a server wants as headers are sent as such, and a tool that marks others is left out", async () => {
  const marked = (header: string, type: string) => ({
    ...say("3"),
    inputSchema: {
      type: "object" as const,
      properties: { region: { type, "x-mcp-header": header } },
    },
  });
  await using server = await startStatelessServer({
    good: marked("Region", "string"),
    bad: marked("Not a header", "string"),
    worse: marked("Region", "object"),
  });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  expect(namesOf(gateway)).toEqual(["good"]);
  await run(gateway, "good", { region: "Zürich" });
  const called = server.seen.find(({ method }) => method === "tools/call");
  const encoded = Buffer.from("Zürich").toString("base64");
  expect(called?.headers.get("mcp-param-region")).toBe(`=?base64?${encoded}?=`);
});

test("what a server asks by its answer is asked of a caller of 2025, and sent back with its state", async () => {
  await using server = await startStatelessServer({ greet });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  const ask = vi.fn(async () => ({
    result: { action: "accept", content: { name: "Ada" } },
  }));
  const questions = { capabilities: { elicitation: {} }, ask };
  const answers = { who: { action: "accept", content: { name: "Ada" } } };
  expect(await call(gateway, "greet", { questions })).toMatchObject({
    content: [{ text: JSON.stringify([answers, "state of the server"]) }],
  });
  expect(ask).toHaveBeenCalledExactlyOnceWith(name);
});

test.each<[string, Partial<CallOptions>]>([
  ["cannot be asked", {}],
  [
    "cannot be asked that",
    { questions: { capabilities: { roots: {} }, ask: async () => ({ result: {} }) } },
  ],
  [
    "does not answer",
    {
      questions: {
        capabilities: { elicitation: {} },
        ask: async () => ({ error: { code: -1, message: "no" } }),
      },
    },
  ],
])("a tool that asks a caller who %s ends with the reason", async (_, options) => {
  await using server = await startStatelessServer({ greet });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  await expect(call(gateway, "greet", options)).rejects.toMatchObject({
    code: "tool_input_needed",
  });
});

test("a caller of 2026-07-28 gets what the server asks, and its answers and _meta go to the server", async () => {
  await using server = await startStatelessServer({ greet });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  const inputs = { capabilities: { elicitation: {} } };
  expect(await call(gateway, "greet", { inputs })).toEqual({
    resultType: "input_required",
    inputRequests: { who: name },
    requestState: "state of the server",
  });
  const inputResponses = { who: { action: "decline" } };
  const answered = { ...inputs, inputResponses, requestState: "state of the server" };
  const meta = { trace: "t1", [`${META}protocolVersion`]: "forged" };
  await call(gateway, "greet", { inputs: answered, meta });
  const { params } =
    server.seen.filter(({ method }) => method === "tools/call").at(-1) ?? {};
  expect(params).toMatchObject({
    inputResponses,
    requestState: "state of the server",
    _meta: { trace: "t1", [`${META}protocolVersion`]: "2026-07-28" },
  });
});

test("a server that speaks only newer versions is named so", async () => {
  const http = createServer((_, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    const data = { supported: ["2031-01-01"], requested: "2026-07-28" };
    const error = { code: -32_022, message: "Unsupported protocol version", data };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`; // a TCP server has one
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("newer", { url })]);
  expect(gateway.sessions()[0]?.failure).toMatchObject({
    code: "tool_server_version",
    params: { version: "2031-01-01" },
  });
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});
