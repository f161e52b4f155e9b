import { expect, test, vi } from "vitest";
import {
  entry,
  gatewaysForTests,
  namesOf,
  run,
  say,
} from "../../../test/support/gateways.ts";
import {
  startDeafServer,
  startToolServer,
  text,
} from "../../../test/support/tool-server.ts";

const gateways = gatewaysForTests();

test.each([404, 400] as const)(
  "a server that forgot its sessions and answers %i is called again in a new one, also by many at once",
  async (unknownSession) => {
    await using server = await startToolServer({ add: say("3") }, { unknownSession });
    await using gateway = gateways.open();
    await gateway.configure([entry("one", server)]);
    expect(await run(gateway, "add")).toBe("3");
    server.forgetSessions();
    expect(
      await Promise.all(Array.from({ length: 30 }, () => run(gateway, "add"))),
    ).toEqual(Array.from({ length: 30 }, () => "3"));
    expect(server.calls).toHaveLength(31);
  },
);

test("ends a session at its server when it is no longer needed", async () => {
  await using server = await startToolServer({ add: say("3") }, { unknownSession: 404 });
  const gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  expect(server.sessions()).toBe(1);
  await gateway.configure([]);
  expect(server.sessions()).toBe(0);
  expect(namesOf(gateway)).toEqual([]);
  await gateway[Symbol.asyncDispose]();
});

test("reads tools again after a notification, and periodically without one", async () => {
  await using telling = await startToolServer({ old: say("old") }, { unknownSession: 404 });
  await using silent = await startToolServer({ before: say("before") });
  await using gateway = gateways.open();
  const trusted = { trusted: true };
  await gateway.configure([
    entry("telling", telling, trusted),
    entry("silent", silent, trusted),
  ]);
  telling.tools = { fresh: say("fresh") };
  silent.tools = { after: say("after") };
  await telling.toolsChanged();
  await vi.waitFor(() => {
    gateway.maintain();
    expect(namesOf(gateway)).toEqual(["fresh", "after"]);
  }, 90_000);
});

test("detects a server that died silently, does not delay others, and reconnects when it is back", async () => {
  const mortal = await startToolServer({ add: say("3") });
  await using other = await startToolServer({ find: say("found") });
  await using gateway = gateways.open();
  await gateway.configure([entry("mortal", mortal), entry("other", other)]);
  await mortal[Symbol.asyncDispose]();
  await vi.waitFor(() => {
    gateway.maintain();
    expect(gateway.sessions().map(({ state }) => state)).toEqual(["down", "ready"]);
  }, 90_000);
  await expect(run(gateway, "add")).rejects.toMatchObject({
    code: "tool_server_unreachable",
  });
  expect(await run(gateway, "find")).toBe("found");
  await using _ = await startToolServer({ add: say("4") }, { port: mortal.port });
  await vi.waitFor(async () => expect(await run(gateway, "add")).toBe("4"), 90_000);
});

test("detects at once that an idle server with an open stream died", async () => {
  const mortal = await startToolServer({ add: say("3") }, { unknownSession: 404 });
  await using gateway = gateways.open();
  await gateway.configure([entry("mortal", mortal)]);
  await vi.waitFor(() => expect(mortal.streams()).toBe(1), 90_000);
  await mortal[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(gateway.sessions()[0]?.state).toBe("down"), 90_000);
});

test("a server that never answers delays neither the others nor the shutdown", async () => {
  await using deaf = await startDeafServer();
  await using good = await startToolServer({ add: say("3") });
  const gateway = gateways.open();
  const configured = gateway.configure([entry("deaf", deaf), entry("good", good)]);
  await vi.waitFor(async () => expect(await run(gateway, "add")).toBe("3"), 90_000);
  await gateway[Symbol.asyncDispose]();
  await configured;
});

test("a hundred concurrent calls share one session", async () => {
  await using server = await startToolServer(
    { add: { run: ({ n }) => text(String(n)) } },
    { unknownSession: 404 },
  );
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  const numbers = Array.from({ length: 100 }, (_, n) => String(n));
  expect(await Promise.all(numbers.map((n) => run(gateway, "add", { n })))).toEqual(
    numbers,
  );
  expect(server.opened()).toBe(1);
});

test("a changed configuration closes removed servers, opens new ones and keeps the rest", async () => {
  await using one = await startToolServer({ a: say("a") }, { unknownSession: 404 });
  await using two = await startToolServer({ b: say("b") }, { unknownSession: 404 });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", one), entry("two", two)]);
  await gateway.configure([
    entry("two", two),
    entry("three", one, { rename: { a: "c" } }),
    entry("two", one),
  ]);
  expect(namesOf(gateway)).toEqual(["b", "c"]);
  expect([one.opened(), one.sessions(), two.opened()]).toEqual([2, 1, 1]);
  await gateway.configure([entry("two", two, { enabled: false })]);
  expect(namesOf(gateway)).toEqual([]);
  expect(gateway.disabled().map(({ name }) => name)).toEqual(["two"]);
});

test("reads the tools of a server at most once a second, however many changes it announces", async () => {
  await using server = await startToolServer({ a: say("a") }, { unknownSession: 404 });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  await vi.waitFor(() => expect(server.streams()).toBe(1), 90_000);
  const before = server.lists();
  const startedAt = performance.now();
  for (let n = 0; n < 100; n += 1) {
    await server.toolsChanged();
    expect(await run(gateway, "a")).toBe("a");
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(server.lists() - before).toBeLessThanOrEqual(2 + seconds);
});

test("whatever their ids are, no two users share a session, nor one who can be asked with one who cannot", async () => {
  await using server = await startToolServer({ add: say("3") }, { unknownSession: 404 });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  const { signal } = new AbortController();
  const ask = async () => ({ result: {} });
  const questions = { capabilities: { elicitation: {} }, ask };
  const callers = [
    { userId: "bob", questions },
    { userId: "bob" },
    { userId: "bob elicitation" },
    { userId: " elicitation" },
    { userId: '["bob","elicitation"]' },
    { userId: undefined, questions },
  ];
  for (const caller of callers) await gateway.call("add", {}, { ...caller, signal });
  // and that in which the tools were read
  expect(server.opened()).toBe(callers.length + 1);
});
