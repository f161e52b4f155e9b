import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../telemetry/log.ts";
import { createMetrics, httpMetrics } from "../telemetry/metrics.ts";
import { createApp } from "./app.ts";
import { type Fetch, stream } from "./call.ts";
import { currentContext } from "./context.ts";
import { Unauthorized } from "./errors.ts";
import { createRemotes } from "./remote.ts";
import { route } from "./route.ts";
import { Routes } from "./routes.ts";
import { type Listener, listen } from "./server.ts";
import { eventStream, ndjsonStream, type StreamEvent } from "./stream.ts";

const Event = z.object({ type: z.literal("text"), delta: z.string() });
type Event = z.output<typeof Event>;
const access = "internal" as const;
const declared = { method: "get" as const, access, summary: "Events", events: Event };
const contract = {
  lines: route({ ...declared, path: "/lines" }),
  events: route({ ...declared, path: "/events" }),
};

/** What the next request is answered with. */
let answer: (signal: AbortSignal) => AsyncGenerator<Event[]>;
const nobody = async () => {
  throw new Unauthorized("credentials_required", "This is a test.");
};
const app = createApp({
  services: [
    {
      name: "test",
      contract,
      routes: new Routes()
        .on(contract.lines, ({ signal }) => ndjsonStream(answer(signal)))
        .on(contract.events, ({ signal }) =>
          eventStream<StreamEvent>(answer(signal), { keepAliveMs: 20 }),
        ),
    },
  ],
  auth: {
    accessToken: nobody,
    session: nobody,
    apiKey: nobody,
    flowKey: nobody,
    scimToken: nobody,
    mcpToken: nobody,
    agentToken: nobody,
    secretMatches: () => true,
  },
  metrics: httpMetrics(createMetrics()),
  log: silentLog(),
});
const remotes = createRemotes();
let server: Listener;
beforeAll(async () => {
  const options = { port: 0, host: "127.0.0.1", listener: "internal" as const };
  server = await listen(app, { ...options, openServiceRoutes: true });
});
afterAll(async () => {
  await remotes[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const inProcess: Fetch = (request) =>
  app.fetch(request, { listener: "in-process", peer: "", trusted: true, isLocal: true });
const overHttp: Fetch = (request) =>
  remotes.to(`http://127.0.0.1:${server.port}`, { "x-platform-service-secret": "s" })(
    request,
  );
const text = (delta: string): Event => ({ type: "text", delta });

describe.each([
  ["in one process", inProcess],
  ["over HTTP", overHttp],
])("a stream %s", (_, fetch) => {
  test.each(["lines", "events"] as const)("has all %s in their order", async (name) => {
    const words = Array.from({ length: 300 }, (_, at) => `☂ ${at}\n`);
    answer = async function* () {
      for (const word of words) yield [text(word), text("")];
    };
    let heard = "";
    for await (const batch of stream(fetch, contract[name], {}))
      for (const event of batch) heard += event.delta;
    expect(heard).toBe(words.join(""));
  });

  test("lets its reader change the list of a batch", async () => {
    const given = [text("one"), text("two")];
    answer = async function* () {
      yield given;
    };
    for await (const batch of stream(fetch, contract.lines, {})) batch.pop();
    expect(given).toHaveLength(2);
  });

  test("ends its work when the reader leaves", async () => {
    const ended = Promise.withResolvers<string>();
    answer = async function* (signal) {
      try {
        yield [text("one")];
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      } finally {
        ended.resolve(signal.aborted ? "aborted" : "not told");
      }
    };
    for await (const _ of stream(fetch, contract.lines, {})) break;
    expect(await ended.promise).toBe("aborted");
  });

  test("ends at once when its reader's signal aborts while it waits", async () => {
    const stop = new AbortController();
    const released = Promise.withResolvers<void>();
    answer = async function* () {
      yield [text("one")];
      await released.promise; // knows no signal
    };
    const reading = async () => {
      const { signal } = stop;
      for await (const _ of stream(fetch, contract.lines, {}, { signal })) stop.abort();
    };
    await expect(reading()).rejects.toThrow();
    released.resolve();
  });

  test("produces no more than a bounded amount ahead of a slow reader", async () => {
    let produced = 0;
    const isOver = Promise.withResolvers<void>();
    answer = async function* () {
      for (; produced < 4_000; produced += 1) yield [text("x".repeat(64_000))];
      isOver.resolve();
    };
    for await (const _ of stream(fetch, contract.lines, {})) {
      // the source would be at its end by now if nothing held it
      const late = new Promise((resolve) => setTimeout(resolve, 300));
      await Promise.race([isOver.promise, late]);
      break;
    }
    expect(produced).toBeLessThan(1_000);
  });

  test("ends one that says nothing, unless its kind says that it goes on", async () => {
    answer = async function* (signal) {
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
        setTimeout(resolve, 1_500);
      });
      yield [text("late")];
    };
    const read = async (name: "lines" | "events") => {
      const heard: string[] = [];
      for await (const batch of stream(fetch, contract[name], {}, { timeoutMs: 1_000 }))
        heard.push(...batch.map(({ delta }) => delta));
      return heard;
    };
    await expect(read("lines")).rejects.toMatchObject({ status: 504 });
    expect(await read("events")).toEqual(["late"]);
  });

  test("fails for its reader when its work fails", async () => {
    const isHeard = Promise.withResolvers<void>();
    answer = async function* () {
      yield [text("one")];
      await isHeard.promise;
      throw new Error("broken");
    };
    const reading = async () => {
      for await (const _ of stream(fetch, contract.lines, {})) isHeard.resolve();
    };
    await expect(reading()).rejects.toThrow();
    await isHeard.promise;
  });

  test("works in the context of the request that opened it, whoever reads", async () => {
    const seen = new Set<string | undefined>();
    answer = async function* () {
      for (let at = 0; at < 3; at += 1) {
        seen.add(currentContext()?.requestId);
        yield [text("word")];
      }
    };
    for await (const _ of stream(fetch, contract.lines, {}));
    expect(seen.size).toBe(1);
    expect([...seen][0]).toBeTypeOf("string");
  });
});

test("a stream that nobody has read yet does at its end what it has to do", async () => {
  const ended = Promise.withResolvers<void>();
  answer = async function* () {
    try {
      yield [text("one")];
    } finally {
      ended.resolve();
    }
  };
  const response = await inProcess(new Request("http://parlance.internal/lines"));
  (response as ReturnType<typeof ndjsonStream>).cancel(); // a stream of this process is one
  await ended.promise;
});
