import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await parlance.request(`/api/v1${path}`, { method, body });
  expect([path, answer.ok]).toEqual([path, true]);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

interface Entry {
  action: string;
  resourceId: string;
  details: Record<string, unknown>;
}

test("every entry names what was changed, which fields were sent, and no secret", async () => {
  const config = { baseUrl: "http://127.0.0.1:1/v1", apiKey: "the-secret-key" };
  const provider = { kind: "openai-compatible", name: "own", displayName: "Our own" };
  await ask("POST", "/model-providers", { ...provider, config });
  await ask("PATCH", "/model-providers/own", { enabled: false });
  await ask("POST", "/models", { id: "large", name: "Large", kind: "completion" });
  const offered = await ask<{ id: string }>("POST", "/available-models", {
    modelId: "large",
    providerName: "own",
    providerModelId: "large-1",
  });
  await ask("POST", "/allowed-addresses", { address: "10.1.2.3:11434" });
  const budget = await ask<{ id: string }>("POST", "/budgets", {
    name: "All",
    subjectType: "user",
    subjectId: "*",
    unit: "tokens",
    amount: 1_000,
    period: "month",
  });
  await ask("PATCH", `/budgets/${budget.id}`, { amount: 2_000 });
  await ask("POST", "/mcp-servers", {
    name: "clock",
    url: "http://127.0.0.1:1/mcp?key=the-secret-key",
    headers: { authorization: "Bearer the-secret-key" },
  });

  const { items } = await ask<{ items: Entry[] }>("GET", "/audit?limit=100");
  expect(JSON.stringify(items)).not.toContain("the-secret-key");
  const changes = items.filter(({ details }) => "path" in details);
  expect(changes.filter(({ resourceId }) => resourceId === "")).toEqual([]);
  const entry = (action: string, resourceId: string) =>
    changes.find((one) => one.action === action && one.resourceId === resourceId)?.details;
  expect(entry("model.create", "own")).toMatchObject({
    displayName: "Our own",
    kind: "openai-compatible",
    fields: expect.arrayContaining(["displayName", "config"]) as string[],
  });
  expect(entry("model.update", "own")).toMatchObject({
    displayName: "Our own",
    enabled: false,
    fields: ["enabled"],
  });
  expect(entry("model.create", "large")).toMatchObject({ name: "Large" });
  expect(entry("model.create", offered.id)).toMatchObject({ providerModelId: "large-1" });
  expect(entry("model.create", "10.1.2.3:11434")).toMatchObject({
    address: "10.1.2.3:11434",
  });
  expect(entry("budget.create", budget.id)).toMatchObject({ name: "All", amount: 1_000 });
  expect(entry("budget.update", budget.id)).toMatchObject({ name: "All", amount: 2_000 });
  expect(entry("tool.create", "clock")).toMatchObject({
    fields: expect.arrayContaining(["url", "headers"]) as string[],
  });
});

test("an entry has the names of users and groups as they are now, and of what has a name", async () => {
  const user = {
    name: "Ada",
    email: "ada@test.example",
    password: "a long enough password",
  };
  const ada = await ask<{ id: string }>("POST", "/users", user);
  const crew = await ask<{ id: string }>("POST", "/groups", { name: "Crew" });
  await ask("PUT", `/groups/${crew.id}/members/${ada.id}`);
  await ask("PATCH", `/groups/${crew.id}`, { name: "Deck crew" });
  interface Named extends Entry {
    resourceName: string | null;
    otherName: string | null;
  }
  const { items } = await ask<{ items: Named[] }>("GET", "/audit?limit=100");
  const namesOf = (action: string) => {
    const entry = items.find((one) => one.action === action);
    return [entry?.resourceName, entry?.otherName];
  };
  expect(namesOf("user.created")).toEqual(["Ada", null]);
  expect(namesOf("group.created")).toEqual(["Deck crew", null]);
  expect(namesOf("group.member_added")).toEqual(["Deck crew", "Ada"]);
  expect(namesOf("budget.create")).toEqual(["All", null]);
  const exported = await parlance.request("/api/v1/audit/export?action=group.member_added");
  expect(await exported.text()).toContain('"Deck crew","Ada"');
});
