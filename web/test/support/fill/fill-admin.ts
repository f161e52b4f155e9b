import { connectMcpClient } from "../../../../test/support/mcp-client.ts";
import type { App } from "../app.ts";
import type { Asks } from "./asks.ts";
import type { Words } from "./words.ts";

/** Ids of what `fillAdmin` made, one of each kind. */
export interface Administered {
  user: string;
  group: string;
  role: string;
}

/** How many programs of a network register within a minute. */
const GRANTS = 8;

/** Users, groups, roles, models, budgets, branding, and what stands in settings. */
export async function fillAdmin(app: App, asks: Asks, words: Words): Promise<Administered> {
  const people = await fillPeople(asks, words);
  await fillModels(asks, words);
  await fillBudgets(asks, words, people);
  for (const [index, name] of words.names(90).entries())
    await asks.post("/api/v1/labels", { name: `${index} ${name}` });
  await asks.patch("/api/v1/auth/me", { name: words.name() });
  for (const name of words.names().slice(0, 8))
    await asks.post("/api/v1/auth/api-keys", { name });
  await asks.patch("/api/v1/app/branding", {
    name: words.name(60),
    notice: { text: words.name(500) },
  });
  await openSessions(app, words);
  for (const name of words.names(100).slice(0, GRANTS))
    await connectMcpClient(app.server, asks.token, undefined, name);
  return people;
}

async function fillPeople(asks: Asks, words: Words) {
  const role = "filled";
  const permissions = words
    .names()
    .slice(0, 8)
    .map((model) => ({ action: "use", subject: "model", conditions: { model } }));
  const description = words.name(2000);
  await asks.post("/api/v1/roles", { name: role, description, permissions });
  let user = "";
  let group = "";
  for (const [index, name] of words.names().entries()) {
    const email = `person${index}@test.example`;
    ({ id: user } = await asks.post("/api/v1/users", {
      email,
      name,
      roles: ["user", role],
    }));
    const made = await asks.post("/api/v1/groups", {
      name: `${index} ${name}`.slice(0, 200),
      description: words.name(2000),
    });
    await asks.put(`/api/v1/groups/${made.id}/members/${user}`);
    if (group && index < 4) await asks.put(`/api/v1/groups/${group}/groups/${made.id}`);
    group ||= made.id;
  }
  await asks.put(`/api/v1/groups/${group}/members/${user}`);
  return { user, group, role };
}

async function fillModels(asks: Asks, words: Words): Promise<void> {
  await asks.post("/api/v1/model-providers", {
    name: "filled",
    displayName: words.name(),
    kind: "openai-compatible",
    config: { baseUrl: "http://127.0.0.1:9/v1", apiKey: "key" },
    enabled: false,
  });
  for (const [index, name] of words.names().entries()) {
    const id = `filled-${index}`;
    await asks.post("/api/v1/models", { id, name, kind: "completion" });
    await asks.post("/api/v1/available-models", {
      modelId: id,
      providerName: "filled",
      providerModelId: `${index} ${name}`,
      displayName: name,
    });
  }
}

async function fillBudgets(
  asks: Asks,
  words: Words,
  { user, group }: { user: string; group: string },
): Promise<void> {
  const limit = { unit: "tokens", amount: 1_000_000_000, period: "month" };
  for (const [index, name] of words.names().slice(0, 12).entries()) {
    const subject = index % 2 ? ["user", user] : ["group", group];
    const [subjectType, subjectId] = subject;
    await asks.post("/api/v1/budgets", { name, subjectType, subjectId, ...limit });
  }
  await asks.post("/api/v1/budgets", {
    name: words.name(),
    subjectType: "user",
    subjectId: "*",
    ...limit,
  });
}

/** Sessions whose programs call themselves what they like. */
async function openSessions({ server }: App, words: Words): Promise<void> {
  for (const name of words.names().slice(0, 12)) {
    const agent = name.replaceAll(/[^ -~]/g, "");
    await fetch(`${server.url}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": agent },
      body: JSON.stringify({
        email: "admin@test.example",
        password: "correct horse battery",
      }),
    });
  }
}
