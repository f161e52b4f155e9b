import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

type Part = [name: string, value: string | File];
const send = async (path: string, parts: Part[]) => {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const response = await fetch(parlance.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${parlance.token}` },
    body: form,
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
  };
};
const storedFiles = async () => {
  const folder = join(parlance.dataDir, "files");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).length;
};
const file = (type?: string, name = "notes") =>
  new File(["a,b\n1,2\n"], name, type === undefined ? {} : { type });

const ROUTES = [
  "/api/v1/documents",
  "/api/automations/media",
  "/api/v1/parser/parse",
  "/api/v1/parser/parse-async",
];

test.each(ROUTES)(
  "%s refuses a field after the file, and stores nothing of it",
  async (path) => {
    const before = await storedFiles();
    const late = await send(path, [
      ["file", file(undefined, "late.txt")],
      ["origin", "uploads"],
    ]);
    expect([late.status, late.body["error"]]).toEqual([
      400,
      expect.stringContaining('Send the field "origin" before the file.'),
    ]);
    expect(await storedFiles()).toBe(before);
    const { total } = (await (await parlance.request("/api/automations/runs")).json()) as {
      total: number;
    };
    expect(total).toBe(0);
  },
);

test("the type that a part declares applies to text, and not against the bytes", async () => {
  const rule = { name: "Tables", type: "text/csv", agents: [await newAgent()] };
  const made = await parlance.request("/api/automations", { body: rule });
  const { id } = (await made.json()) as { id: number };
  const ruleOf = async (medium: File) =>
    (await send("/api/automations/media", [["file", medium]])).body["ruleId"];
  expect(await ruleOf(file("text/csv"))).toBe(id);
  expect(await ruleOf(file("text/plain"))).toBeNull();
  expect(await ruleOf(new File(["%PDF-1.4\n"], "a", { type: "text/csv" }))).toBeNull();
  const unknown = new File([Uint8Array.of(0, 1, 2, 3)], "a", { type: "text/csv" });
  for (const path of ["/api/automations/media", "/api/v1/documents"])
    expect((await send(path, [["file", unknown]])).status).toBe(415);
  const document = await send("/api/v1/documents", [["file", file("text/csv")]]);
  expect(document.body["mimeType"]).toBe("text/csv");
});

async function newAgent(): Promise<string> {
  const made = await parlance.request("/api/v1/agent", { body: { name: "Reader" } });
  return ((await made.json()) as { id: string }).id;
}
