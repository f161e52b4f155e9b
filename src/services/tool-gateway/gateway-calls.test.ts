import { expect, test, vi } from "vitest";
import { entry, gatewaysForTests, run, say } from "../../../test/support/gateways.ts";
import { held } from "../../../test/support/held.ts";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { toolFetch } from "./tool-fetch.ts";

const gateways = gatewaysForTests();
const callOf = ({ signal }: AbortController) => ({ userId: undefined, signal });

test("a call that waited in the queue has only the rest of its time", async () => {
  await using server = await startToolServer({
    first: {
      run: () => new Promise((resolve) => setTimeout(() => resolve(text("done")), 1_200)),
    },
    never: { run: () => new Promise(() => {}) },
  });
  await using inLine = gateways.open({ callTimeoutMs: 2_000, concurrency: 1 });
  await using alone = gateways.open({ callTimeoutMs: 1_400 });
  await inLine.configure([entry("one", server)]);
  await alone.configure([entry("one", server)]);
  const first = run(inLine, "first");
  const waited = run(inLine, "never").catch((error: unknown) => ({
    of: "the one that waited",
    error,
  }));
  expect(await first).toBe("done");
  // starts now, with less time than the other had at first and more than it has left
  const other = run(alone, "never").catch((error: unknown) => ({ of: "the other", error }));
  expect(await Promise.race([waited, other])).toMatchObject({
    of: "the one that waited",
    error: { code: "tool_timeout" },
  });
  await other;
});

test("refuses arguments that are nested too deep, and keeps the server's session", async () => {
  await using server = await startToolServer({ add: say("3") }, { unknownSession: 404 });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  const deep = JSON.parse(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`) as object;
  await expect(run(gateway, "add", deep)).rejects.toMatchObject({
    status: 400,
    code: "tool_arguments_invalid",
  });
  expect(gateway.sessions()).toMatchObject([{ state: "ready" }]);
  expect(await run(gateway, "add")).toBe("3");
  expect(server.opened()).toBe(1);
});

test("cancels a call that takes too long at its server too", async () => {
  await using server: ToolServer = await startToolServer({
    sleep: { run: () => new Promise(() => {}) },
  });
  await using gateway = gateways.open({ callTimeoutMs: 300 });
  await gateway.configure([entry("one", server)]);
  await expect(run(gateway, "sleep")).rejects.toMatchObject({
    code: "tool_timeout",
    status: 504,
  });
  await vi.waitFor(() => expect(server.cancelled()).toBe(1), 90_000);
});

test("refuses a result that is too large", async () => {
  await using server = await startToolServer({
    flood: { run: () => text("x".repeat(5_000_000)) },
  });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  await expect(run(gateway, "flood")).rejects.toMatchObject({
    code: "tool_result_too_large",
  });
});

test("calls beyond the limit of a server wait in a queue, which their callers may leave", async () => {
  let running = 0;
  let most = 0;
  await using server = await startToolServer({
    work: {
      async run() {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        return text("done");
      },
    },
  });
  await using gateway = gateways.open({ concurrency: 3 });
  await gateway.configure([entry("one", server)]);
  const leaving = new AbortController();
  const calls = Array.from({ length: 12 }, () => run(gateway, "work"));
  const left = gateway.call("work", {}, callOf(leaving));
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "request_cancelled" });
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 12 }, () => "done"));
  expect(most).toBe(3);
});

test("a server that dies during a call ends the call at once, and is not called again", async () => {
  let mortal: ToolServer | undefined;
  const died = () => {
    void mortal?.[Symbol.asyncDispose]();
    return new Promise<never>(() => {});
  };
  mortal = await startToolServer({ die: { run: died } });
  await using gateway = gateways.open({ callTimeoutMs: 60_000 });
  await gateway.configure([entry("mortal", mortal)]);
  await expect(run(gateway, "die")).rejects.toMatchObject({
    code: "tool_server_unreachable",
  });
  expect(mortal.calls).toEqual(["die"]);
});

test.each([
  [500, "tool_failed"],
  [401, "tool_server_refused"],
  [429, "tool_server_busy"],
])(
  "a call that the server answers with status %i fails as %s and leaves its session alone",
  async (status, code) => {
    await using server = await startToolServer({ add: say("3") }, { unknownSession: 404 });
    await using gateway = gateways.open();
    await gateway.configure([entry("one", server)]);
    server.failCalls = status;
    await expect(run(gateway, "add")).rejects.toMatchObject({ code });
    server.failCalls = undefined;
    expect(gateway.sessions()[0]?.state).toBe("ready");
    expect(await run(gateway, "add")).toBe("3");
    expect(server.opened()).toBe(1);
  },
);

test("limits a compressed answer by its unpacked size", async () => {
  const unpacked = () =>
    new Response("x".repeat(8_000_000), {
      headers: { "content-encoding": "gzip", "content-length": "8000" },
    });
  const through = toolFetch({ ...gateways.outgoing, fetch: async () => unpacked() });
  const read = async () =>
    (await through("http://tools.example", { method: "POST" })).text();
  await expect(read()).rejects.toMatchObject({ code: "tool_result_too_large" });
  held("upstream-floods");
});

test("a call that is aborted frees its place", async () => {
  const held = Promise.withResolvers<void>();
  await using server = await startToolServer({ hold: holdUntil(held) });
  await using gateway = gateways.open({ concurrency: 1, callTimeoutMs: 60_000 });
  await gateway.configure([entry("one", server)]);
  const first = run(gateway, "hold");
  const leaving = new AbortController();
  const left = gateway.call("hold", {}, callOf(leaving));
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "request_cancelled" });
  held.resolve();
  expect(await first).toBe("held");
  expect(await run(gateway, "hold")).toBe("held");
});

test("one user's calls leave a place for others, and are limited", async () => {
  const held = Promise.withResolvers<void>();
  await using server = await startToolServer({
    hold: holdUntil(held),
    quick: say("quick"),
  });
  await using gateway = gateways.open({ concurrency: 2, callTimeoutMs: 60_000 });
  await gateway.configure([entry("one", server)]);
  const many = Array.from({ length: 500 }, () => run(gateway, "hold", {}, "greedy"));
  await expect(run(gateway, "hold", {}, "greedy")).rejects.toMatchObject({
    status: 503,
    code: "tool_server_busy",
  });
  expect(await run(gateway, "quick", {}, "modest")).toBe("quick");
  held.resolve();
  expect(new Set(await Promise.all(many))).toEqual(new Set(["held"]));
});

test("services' calls wait beyond the limit of a user, and make room for users when all places are taken", async () => {
  const held = Promise.withResolvers<void>();
  await using server = await startToolServer({
    hold: holdUntil(held),
    quick: say("quick"),
  });
  await using gateway = gateways.open({ concurrency: 2, callTimeoutMs: 300_000 });
  await gateway.configure([entry("one", server)]);
  const refused: unknown[] = [];
  // two run, and 1,000 wait
  const many = Array.from({ length: 1_010 }, () =>
    run(gateway, "hold").catch((error: unknown) => void refused.push(error)),
  );
  const busy = { status: 503, code: "tool_server_busy" };
  await vi.waitFor(() => expect(refused).toHaveLength(8), { timeout: 90_000 });
  const modest = run(gateway, "quick", {}, "modest"); // in the place of the last
  await vi.waitFor(() => expect(refused).toHaveLength(9), { timeout: 90_000 });
  held.resolve();
  const answers = await Promise.all(many);
  expect(answers.filter((answer) => answer === "held")).toHaveLength(1_001);
  expect(refused).toEqual(Array(9).fill(expect.objectContaining(busy)));
  expect(await modest).toBe("quick");
});

function holdUntil(held: PromiseWithResolvers<void>) {
  return {
    run: async () => {
      await held.promise;
      return text("held");
    },
  };
}
