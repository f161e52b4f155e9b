import { expect, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../telemetry/log.ts";
import { createMetrics, httpMetrics } from "../telemetry/metrics.ts";
import { createApp } from "./app.ts";
import { pageOf } from "./page.ts";
import { readAnswer } from "./read-answer.ts";
import { route } from "./route.ts";
import { Routes } from "./routes.ts";

const Thing = z.object({ id: z.string(), kind: z.enum(["folder", "file"]) });
const page = (items: unknown[]) => ({ items, page: 1, limit: 20, total: items.length });
const read = (schema: z.ZodType, answer: unknown) => {
  const leftOut: unknown[] = [];
  return { answer: readAnswer(schema, answer, (item) => leftOut.push(item)), leftOut };
};

test("a list goes out without the items that a newer version stored, and says which", () => {
  const [first, last] = [
    { id: "a", kind: "file" },
    { id: "d", kind: "folder" },
  ];
  const asked = page([first, { id: "b", kind: "hologram" }, { kind: 3 }, last]);
  const { answer, leftOut } = read(pageOf(Thing), asked);
  expect(answer).toEqual({ ...asked, items: [first, last] });
  expect(leftOut).toEqual([
    { id: "b", reason: expect.stringContaining("kind: ") },
    { id: undefined, reason: expect.any(String) },
  ]);
});

test("an item of one of several forms is left out as well", () => {
  const forms = z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.literal("image"), url: z.string() }),
  ]);
  const good = { type: "text", text: "hello" };
  const { answer, leftOut } = read(pageOf(forms), page([{ type: "smell" }, good]));
  expect(answer).toMatchObject({ items: [good] });
  expect(leftOut).toHaveLength(1);
});

test.each([
  ["something beside the items", pageOf(Thing), { ...page([]), total: "many" }],
  ["items that are no list", pageOf(Thing), { ...page([]), items: "none" }],
  ["an answer that is no list", Thing, { id: "a", kind: "hologram" }],
  ["a list within the answer", z.object({ parts: z.array(Thing) }), { parts: [{ id: 1 }] }],
])("%s is still a failure", (_, schema, answer) => {
  expect(() => read(schema, answer)).toThrow(z.ZodError);
});

test("a route answers with what it can read of its list", async () => {
  const things = route({
    method: "get",
    path: "/things",
    access: "internal",
    summary: "Things",
    ok: pageOf(Thing),
  });
  const stored = page([
    { id: "a", kind: "file" },
    { id: "b", kind: "hologram" },
  ]);
  // what a newer version stored is not of the types of this one
  const routes = new Routes().on(things, () => stored as never);
  const nobody = () => Promise.reject(new Error("asked for a credential"));
  const app = createApp({
    services: [{ name: "test", contract: { things }, routes }],
    auth: {
      accessToken: nobody,
      session: nobody,
      apiKey: nobody,
      flowKey: nobody,
      scimToken: nobody,
      mcpToken: nobody,
      agentToken: nobody,
      secretMatches: () => false,
    },
    metrics: httpMetrics(createMetrics()),
    log: silentLog(),
  });
  const response = await app.fetch(new Request("http://internal/things"), {
    listener: "in-process",
    peer: "",
    trusted: true,
    isLocal: true,
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ items: [{ id: "a" }], total: 2 });
});
