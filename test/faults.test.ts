import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import { fittingValues, type OpenApiDocument } from "./support/fitting-values.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { held } from "./support/held.ts";

/** Deeper than any accepted JSON. */
const DEEP = `{"content":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
const KILLS = Number(process.env["FAULT_KILLS"] ?? 3);
const REQUESTS = Number(process.env["FAULT_REQUESTS"] ?? 1_500);

let dataDir: string;
let server: Awaited<ReturnType<typeof testServerUrl>>;
let provider: ScriptedProvider;
let parlance: SpawnedServer;
const start = () =>
  spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    DATABASE_URL: server?.url,
    AMQP_URL: process.env["AMQP_URL"],
    REDIS_URL: process.env["REDIS_URL"],
    NAMESPACE: `faults-${process.pid}`,
    LOG_LEVEL: "error",
  });
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-faults-"));
  server = await testServerUrl();
  provider = await startScriptedProvider(() => ({ text: ["some ", "words"] }));
  parlance = await start();
});
afterAll(async () => {
  await parlance.kill();
  await provider[Symbol.asyncDispose]();
  await server?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Acknowledged {
  conversationId: string;
  content: string;
}

let answered = 0;

/** Sends requests until the server is gone. @returns what it acknowledged. */
async function askUntilGone(round: number, worker: number): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  for (let index = 0; ; index += 1) {
    const content = `message ${round}/${worker}/${index}`;
    try {
      const response = await parlance.ask("/api/v1/conversation", {
        content,
        stream: false,
      });
      if (response.status !== 200) continue;
      answered += 1;
      acknowledged.push({
        conversationId: ((await response.json()) as { conversationId: string })
          .conversationId,
        content,
      });
    } catch {
      return acknowledged;
    }
  }
}

test(
  `killed ${KILLS} times under load, it keeps everything that it acknowledged, with its usage, and nothing streams for ever`,
  async () => {
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const before = answered;
      const load = Promise.all(
        Array.from({ length: 6 }, (_, worker) => askUntilGone(round, worker)),
      );
      // a slow machine has nothing to lose before its first answer
      await vi.waitFor(() => expect(answered).toBeGreaterThan(before), 90_000);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_200));
      await parlance.kill();
      acknowledged.push(...(await load).flat());
      parlance = await start();
    }
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    const requests = provider.requests.length;
    for (const { conversationId, content } of acknowledged) {
      const kept = (await (
        await parlance.ask(`/api/v1/conversation/${conversationId}`)
      ).json()) as {
        messages: { content: string; status: string }[];
      };
      expect(kept.messages.map((message) => [message.content, message.status])).toEqual([
        [content, "complete"],
        ["some words", "complete"],
      ]);
    }
    // each acknowledged reply has one usage record, and no request has two
    await vi.waitFor(async () => {
      const { items } = (await (
        await parlance.ask("/api/v1/usage?groupBy=model")
      ).json()) as {
        items: { requests: number }[];
      };
      expect(items[0]?.requests).toBeGreaterThanOrEqual(acknowledged.length);
      expect(items[0]?.requests).toBeLessThanOrEqual(requests);
    }, 60_000);
    held("killed-processes", KILLS);
  },
  60_000 + KILLS * 20_000,
);

test("text that the database cannot store is accepted everywhere, and JSON that is too deep is refused", async () => {
  const text = "nul \u0000 half \ud800";
  const send = (method: string, path: string, body: object | string) =>
    fetch(parlance.url + path, {
      method,
      headers: { ...parlance.authorization, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }).then(async (response) => `${response.status} ${await response.text()}`);
  const made = await parlance.ask("/api/v1/conversation", { content: text, stream: false });
  const { conversationId } = (await made.json()) as { conversationId: string };
  const permissions = [
    { action: "read", subject: "conversation", conditions: { note: text } },
  ];
  const asked: [string, string, object][] = [
    ["POST", "/api/v1/auth/api-keys", { name: text }],
    ["PATCH", `/api/v1/conversation/${conversationId}`, { tags: [text] }],
    ["POST", "/api/v1/roles", { name: "strange", description: "", permissions }],
    ["PATCH", "/api/v1/roles/strange", { permissions }],
    ["PATCH", "/api/v1/preferences", { strange: { deep: ["half \ud800"] } }],
  ];
  for (const [method, path, body] of asked)
    expect([path, await send(method, path, body)]).toEqual([
      path,
      expect.stringMatching(/^20/),
    ]);
  for (const path of [
    "/api/v1/preferences",
    "/api/v1/mcp-servers",
    "/api/v1/agent/run",
    "/api/v1/conversation",
  ]) {
    const answer = await send(path.endsWith("preferences") ? "PATCH" : "POST", path, DEEP);
    expect([path, answer]).toEqual([path, expect.stringMatching(/^400 .*json_too_deep/)]);
  }
});

const LOGIN = "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n";
const HALF_OPEN = {
  "headers that do not end": LOGIN,
  "a header that does not end": "GET /api/v1/health HTTP/1.1\r\nX-Slow: ",
  "half a body": `${LOGIN}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":`,
  "half of a large body": `${LOGIN}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"email":`,
  "half a body in chunks": `${LOGIN}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"ema\r\n`,
  "half a body where none is taken":
    "GET /api/v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf",
};

test("half-open requests are closed in bounded time while others are answered, and slow ones get a 408", async () => {
  const { hostname, port } = new URL(parlance.url);
  const kinds = Object.entries(HALF_OPEN);
  const closed = Array.from({ length: 800 }, async (_, index) => {
    const [kind, sent] = kinds[index % kinds.length] as [string, string]; // within its bounds
    const socket = connect(Number(port), hostname, () => socket.write(sent));
    let answer = "";
    await new Promise<void>((resolve) =>
      socket
        .on("data", (chunk: Buffer) => (answer += chunk.toString()))
        .on("error", () => {})
        .on("close", () => resolve()),
    );
    return { kind, status: Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]) };
  });
  let answered = 0;
  const asking = setInterval(
    () =>
      void fetch(`${parlance.url}/healthz`).then(
        ({ ok }) => (answered += ok ? 1 : 0),
        () => {},
      ),
    200,
  );
  const ends = await Promise.all(closed);
  clearInterval(asking);
  // of the bodies of one address 64 may be slow at once
  const bodies = ends.filter(({ kind }) => /half.*body(?! where)/.test(kind));
  for (const { kind, status } of bodies)
    expect({ kind, status }).toEqual({ kind, status: status === 429 ? 429 : 408 });
  expect(bodies.filter(({ status }) => status === 408).length).toBeGreaterThan(32);
  expect(answered).toBeGreaterThan(5);
  held("half-open", ends.length);
});

test("clients that disconnect during a body cause no server error", async () => {
  const { hostname, port } = new URL(parlance.url);
  const before = parlance.said().length;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(HALF_OPEN["half a body"], () => socket.destroy()),
      );
      await new Promise<void>((resolve) =>
        socket.on("error", () => {}).on("close", () => resolve()),
      );
    }),
  );
  // their requests have been cleaned up
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${parlance.url}/metrics`)).text();
    const broken =
      /http_request_duration_seconds_count\{[^}]*route="\/api\/v1\/auth\/login"[^}]*status="400"[^}]*\} (\d+)/.exec(
        metrics,
      )?.[1];
    expect(Number(broken)).toBeGreaterThanOrEqual(20);
  }, 90_000);
  expect(parlance.said().slice(before)).not.toContain("unexpected error");
});

// last, because it leaves random budgets, roles and models
test(
  "random requests to every route get an answer below 500, from the same process",
  async () => {
    const document = (await (
      await parlance.ask("/openapi.json")
    ).json()) as OpenApiDocument;
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => ({
        path,
        method,
        schema: requestBody?.content["application/json"]?.schema,
      })),
    );
    expect(routes.length).toBeGreaterThan(40);
    for (const [, reference = ""] of JSON.stringify(document).matchAll(
      /"\$ref":"([^"]+)"/g,
    ))
      expect([reference, targetOf(document, reference)]).toEqual([
        reference,
        expect.any(Object),
      ]);
    const strange = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\u0000",
        "'; drop table core.messages; --",
        "../../etc/passwd",
        "%00",
        "𝕏".repeat(2_000),
        "0",
        "-1",
        "NaN",
        "null",
        "{}",
        "half \ud800",
      ),
      fc.uuid(),
    );
    const likely = fittingValues(document, strange);
    const asked = routes.filter(
      ({ path }) => !/logout|password|\/users|stream$|v1\/events$/.test(path),
    );
    const request = fc.constantFrom(...asked).chain((route) =>
      fc.record({
        route: fc.constant(route),
        params: fc.array(strange, { minLength: 4, maxLength: 4 }),
        query: fc.dictionary(
          fc.constantFrom("page", "limit", "ids", "groupBy", "from", "query", "sort", "x"),
          strange,
          {
            maxKeys: 3,
          },
        ),
        body: route.schema
          ? fc.oneof(
              { arbitrary: likely(route.schema), weight: 6 },
              fc.jsonValue(),
              fc.string(),
              fc.constant(DEEP),
            )
          : fc.constant({}),
        headers: fc.dictionary(
          fc.constantFrom(
            "last-event-id",
            "idempotency-key",
            "accept",
            "x-request-id",
            "traceparent",
          ),
          fc.stringMatching(/^[ -~]{0,40}$/),
          { maxKeys: 2 },
        ),
      }),
    );
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(request, async ({ route, params, query, body, headers }) => {
        let next = 0;
        const path = route.path.replace(
          /\{\w+\}/g,
          () => encodeURIComponent((params[next++] ?? "x").toWellFormed()) || "x",
        );
        const search = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [
            name,
            value.toWellFormed(),
          ]),
        );
        const bodied = !["get", "delete", "head"].includes(route.method);
        const send = () =>
          fetch(`${parlance.url}${path}?${search}`, {
            method: route.method.toUpperCase(),
            headers: {
              ...headers,
              ...parlance.authorization,
              ...(bodied && { "content-type": "application/json" }),
            },
            ...(bodied && { body: typeof body === "string" ? body : JSON.stringify(body) }),
            signal: AbortSignal.timeout(90_000),
          });
        // an idle connection may be closed just as it is used
        const response = await send().catch(send);
        const text = await response.text();
        expect([
          route.method,
          path,
          response.status < 500 || [502, 503, 504].includes(response.status),
          text.slice(0, 300),
        ]).toEqual([route.method, path, true, text.slice(0, 300)]);
        expect(text).not.toMatch(/node_modules|at .*\.ts:\d+|syntax error|violates/);
        answers += 1;
      }),
      { numRuns: REQUESTS, interruptAfterTimeLimit: 30_000 + REQUESTS * 20 },
    );
    expect(parlance.child.exitCode).toBeNull();
    held("crashes", answers);
    held("injection", answers);
  },
  90_000 + REQUESTS * 25,
);

/** Returns the target of a reference in the document (RFC 6901). */
function targetOf(document: object, reference: string): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (part, key) => (part as Record<string, unknown> | undefined)?.[key],
      document,
    ); // a part of JSON
}
