import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SERVICES } from "../src/server/services.ts";
import type { AnyRoute } from "../src/platform/http/route.ts";
import { automationsOf } from "./support/automations.ts";
import { freePort } from "./support/free-port.ts";
import { ADMIN, eventsOf, type TestServer } from "./support/server.ts";
import { proxiesAreThere, type Proxy, startNginx } from "./support/proxy.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import {
  type ServiceApart,
  type ServicesApart,
  startServicesApart,
} from "./support/services-apart.ts";
import { startToolServer, text } from "./support/tool-server.ts";
import { settingsOf } from "./support/scripted-server.ts";

const { AMQP_URL, REDIS_URL, DATABASE_URL } = process.env;
/** Details of operation, which the proxy keeps from the world. */
const NOT_PASSED = ["get /health/detailed", "get /metrics"];
const FOR_PEOPLE = ["public", "jwt", "key", "admin", "agent-jwt", "flow-key"];
const DOCUMENTS_AGENT = "00000000-0000-7000-8000-000000000004";

/**
 * Every service in its own process on PostgreSQL, RabbitMQ and Redis, behind nginx as in deploy/.
 */
describe.runIf(DATABASE_URL && AMQP_URL && REDIS_URL && proxiesAreThere)(
  "every service in a process of its own",
  () => {
    let services: ServicesApart;
    let proxy: Proxy;
    let provider: ScriptedProvider;
    let headers: Record<string, string>;
    const closing: (() => PromiseLike<unknown>)[] = [];

    beforeAll(async () => {
      const folder = await mkdtemp(join(tmpdir(), "parlance-apart-"));
      closing.push(() => rm(folder, { recursive: true, force: true }));
      provider = await startScriptedProvider();
      closing.push(() => provider[Symbol.asyncDispose]());
      const tools = await startToolServer({
        weather: { run: ({ city }) => text(`Sunny in ${String(city)}`) },
      });
      closing.push(() => tools[Symbol.asyncDispose]());
      const port = await freePort();
      services = await startServicesApart(folder, port, {
        ...settingsOf(provider),
        OUTGOING_ALLOW: "127.0.0.0/8",
        MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
        MCP_SERVERS_POLL: "500",
      });
      closing.push(() => services[Symbol.asyncDispose]());
      proxy = await startNginx(port, await services.nginxConfig());
      closing.push(() => proxy[Symbol.asyncDispose]());
      const login = await fetch(`${proxy.url}/api/v1/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(ADMIN),
      });
      headers = {
        authorization: `Bearer ${((await login.json()) as { accessToken: string }).accessToken}`,
      };
    }, 180_000);
    afterAll(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    const get = async (path: string) =>
      (await (await fetch(proxy.url + path, { headers })).json()) as Record<
        string,
        unknown
      >;
    const post = (path: string, body: object) =>
      fetch(proxy.url + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const talk = async (body: object) => eventsOf(await post("/api/v1/conversation", body));

    test("answer for the queues of each other, whichever is asked", async () => {
      const { queues } = await get("/api/v1/queues");
      expect(queues).toContainEqual(
        expect.objectContaining({ name: "embedding_jobs", deadLetters: 0 }),
      );
      expect(await get("/api/v1/queues/embedding_jobs/dead-letters")).toMatchObject({
        total: 0,
      });
    });

    test("list the background jobs of each other, each once", async () => {
      const { jobs, unreachable } = (await get("/health")) as {
        jobs: { service: string }[];
        unreachable: string[];
      };
      expect(unreachable).toEqual([]);
      const withJobs = new Set(jobs.map(({ service }) => service));
      for (const service of ["automations", "core", "documents", "embedding", "parser"])
        expect(withJobs).toContain(service);
      expect(new Set(jobs.map((job) => JSON.stringify(job))).size).toBe(jobs.length);
      expect((await fetch(`${proxy.url}/background-jobs`)).status).toBe(401);
    });

    test("hold the same conversation, and its usage is recorded", async () => {
      provider.answer((_, body) =>
        body.tools && body.messages.at(-1)?.role === "user"
          ? { toolCalls: [{ name: "weather", arguments: { city: "Bonn" } }] }
          : { text: ["It is ", "sunny."] },
      );
      await vi.waitFor(
        async () =>
          expect(await get("/mcp/v1/servers")).toMatchObject({
            items: [{ state: "ready" }],
          }),
        90_000,
      );
      const events = await talk({ content: "Weather?", tools: ["weather"] });
      expect(events.map(({ event }) => event)).toEqual(
        expect.arrayContaining([
          "conversation",
          "tool_call",
          "tool_result",
          "text_delta",
          "title",
          "done",
        ]),
      );
      expect(events.find(({ event }) => event === "tool_result")?.data["content"]).toBe(
        "Sunny in Bonn",
      );
      expect(events.at(-1)?.data["content"]).toBe("It is sunny.");
      await vi.waitFor(
        async () =>
          expect(await get("/api/v1/usage?groupBy=model")).toMatchObject({
            items: [{ requests: 3 }],
          }),
        90_000,
      );
    });

    test("parse a document, and answer from it with its source", async () => {
      const form = new FormData();
      form.set(
        "file",
        new Blob([
          "# Holidays\n\nEverybody at the lighthouse has thirty days of holidays.\n",
        ]),
        "handbook.md",
      );
      const { id } = (await (
        await fetch(`${proxy.url}/api/v1/documents`, {
          method: "POST",
          headers,
          body: form,
        })
      ).json()) as {
        id: string;
      };
      const events = await eventsOf(
        await fetch(`${proxy.url}/api/v1/documents/${id}/events`, { headers }),
      );
      expect(events.at(-1)?.data).toMatchObject({ status: "PROCESSED" });
      provider.answer(() => ({ text: ["Thirty days [1]."] }));
      const reply = await talk({
        content: "How many days of holidays at the lighthouse?",
        agentId: DOCUMENTS_AGENT,
      });
      const sources = reply.find(({ event }) => event === "sources")?.data["sources"];
      expect(sources).toMatchObject([
        { documentId: id, index: 1, content: expect.stringContaining("thirty days") },
      ]);
      expect(reply.at(-1)?.data["content"]).toBe("Thirty days [1].");
    });

    test("process media by the rules of automations, with agents", async () => {
      provider.answer(() => ({ text: ["noted"] }));
      const request: TestServer["request"] = (path, { method = "GET", body } = {}) =>
        body === undefined
          ? fetch(proxy.url + path, { method, headers })
          : post(path, body as object);
      const automations = automationsOf(
        { url: proxy.url, request },
        String(headers["authorization"]).slice("Bearer ".length),
      );
      await automations.rule({
        type: "text/*",
        agents: [await automations.agent("listener")],
      });
      const { body } = await automations.send("a note", "note.txt");
      expect(await automations.ended(body.runId)).toMatchObject({
        status: "completed",
        agents: [{ output: "noted" }],
      });
    });

    const blind = (route: AnyRoute) =>
      route.path.replace(/:\w+/g, "00000000-0000-7000-8000-000000000000");
    const asStranger = async (url: string, route: AnyRoute) =>
      (
        await fetch(url + blind(route), {
          method: route.method.toUpperCase(),
          redirect: "manual",
        })
      ).status;

    test.each(
      Object.keys(SERVICES).filter((name) => name !== "pdf-backend") as ServiceApart[],
    )(
      "%s serves its user routes behind the proxy, and refuses strangers everywhere",
      async (name) => {
        const { contract } = (await SERVICES[name]()).default as {
          contract: Record<string, AnyRoute>;
        };
        for (const route of Object.values(contract)) {
          const access: readonly string[] = [route.access].flat();
          const what = `${route.method} ${route.path}`;
          const straight = await asStranger(services.at(name), route);
          if (access.includes("public")) expect([what, straight]).not.toEqual([what, 401]);
          else expect([401, 404], what).toContain(straight); // 404: of a provider that is not set up
          if (NOT_PASSED.includes(what))
            expect([what, await asStranger(proxy.url, route)]).toEqual([what, 404]);
          else if (access.some((way) => FOR_PEOPLE.includes(way)))
            expect([what, await asStranger(proxy.url, route)]).toEqual([what, straight]);
          else expect([401, 404, 405], what).toContain(await asStranger(proxy.url, route));
        }
      },
      60_000,
    );
  },
);
