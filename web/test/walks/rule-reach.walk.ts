import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { cookieOf } from "../../../test/support/session-cookie.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await app.server.request(`/api${path}`, { method, body });
  expect([path, answer.ok]).toEqual([path, true]);
  return (await answer.json()) as Answer;
}
const make = (path: string, body: unknown) => ask<{ id: string }>("POST", path, body);

test("a rule says for whom its agent runs, until a link opens the agent to everybody", async () => {
  const agent = await make("/v1/agent", { name: "Reader", type: "simple" });
  const group = await make("/v1/groups", { name: "Board" });
  const rule = await make("/automations", {
    name: "All PDFs",
    type: "application/pdf",
    origin: "*",
    scope: "client",
    agents: [{ id: agent.id }],
  });
  await page.goto(`/automations/${rule.id}`);
  const warning = page.getByText("run only for those with whom they are shared");
  await warning.waitFor();
  await page.getByText("Shared with nobody").waitFor();
  const shares = [{ subjectType: "group", subjectId: group.id, accessRole: "viewer" }];
  await ask("POST", "/v1/sharing/share", {
    resourceType: "agent",
    resourceId: agent.id,
    shares,
  });
  await page.reload();
  await page.getByText("Shared with \u2068Board\u2069").waitFor();
  await ask("PUT", `/v1/sharing/links/agent/${agent.id}`, { enabled: true });
  await page.reload();
  await page.getByRole("button", { name: "Remove Reader" }).waitFor();
  await warning.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("an administrator learns that the maker of a rule may not use its agent", async () => {
  const maker = { email: "maker@test.example", password: "a long enough password" };
  await make("/v1/users", { ...maker, name: "Maker" });
  const cookie = await cookieOf(app.server, maker);
  const headers = { cookie, "sec-fetch-site": "same-origin", "x-parlance": "1" };
  const agents = await make("/v1/agent", { name: "Given", type: "simple" });
  const shared = await ask<{ shares: { id: string }[] }>("POST", "/v1/sharing/share", {
    resourceType: "agent",
    resourceId: agents.id,
    shares: [
      {
        subjectType: "user",
        subjectId: (await ask<{ items: { id: string }[] }>("GET", "/v1/users?query=maker@"))
          .items[0]?.id,
        accessRole: "viewer",
      },
    ],
  });
  const made = await app.server.request("/api/automations", {
    body: { name: "Mine", type: "text/plain", origin: "*", agents: [{ id: agents.id }] },
    token: null,
    headers,
  });
  const rule = (await made.json()) as { id: string };
  await app.server.request(`/api/v1/sharing/shares/${shared.shares[0]?.id}`, {
    method: "DELETE",
  });
  await page.goto(`/automations/${rule.id}`);
  await page.getByText("whoever made the rule may not use them").waitFor();
  expect(app.problems).toEqual([]);
});

test("a member reads how many agents of a rule they may not see, and of others what they may do", async () => {
  const member = { email: "member@test.example", password: "a long enough password" };
  await make("/v1/users", { ...member, name: "Member" });
  const agents = await Promise.all(
    ["Hidden", "Also hidden"].map((name) => make("/v1/agent", { name, type: "simple" })),
  );
  await make("/automations", {
    name: "Everybody's letters",
    type: "text/plain",
    origin: "*",
    scope: "client",
    agents: agents.map(({ id }) => ({ id })),
  });
  const reader = await app.open();
  await reader.context().request.post(`${app.server.url}/api/v1/auth/session`, {
    data: member,
    headers: { "x-parlance": "1", origin: app.server.url },
  });
  await reader.goto("/automations");
  const rule = reader.getByRole("listitem").filter({ hasText: "Everybody's letters" });
  await rule.getByText("2 agents that are deleted, or that you may not see").waitFor();
  await reader.goto("/agents");
  const rows = reader.getByRole("list", { name: "Agents" }).getByRole("listitem");
  await rows.filter({ hasText: "Assistant" }).waitFor();
  expect(await rows.getByRole("checkbox").count()).toBe(0); // nothing that they may move
  expect(await rows.filter({ hasText: /built in.*built in/i }).count()).toBe(0);
  await reader.context().close();
  expect(app.problems).toEqual([]);
});

test("the owner of a rule reads which of its agents was deleted", async () => {
  const agent = await make("/v1/agent", { name: "Minute taker", type: "simple" });
  const rule = await make("/automations", {
    name: "Old minutes",
    type: "text/csv",
    origin: "*",
    agents: [{ id: agent.id }],
  });
  const deleted = await app.server.request(`/api/v1/agent/${agent.id}`, {
    method: "DELETE",
  });
  expect(deleted.ok).toBe(true);
  await page.goto("/automations");
  const row = page.getByRole("listitem").filter({ hasText: "Old minutes" });
  await row.getByText("Minute taker (deleted)").waitFor();
  await page.goto(`/automations/${rule.id}`);
  await page.getByRole("button", { name: "Remove Minute taker (deleted)" }).waitFor();
  expect(app.problems).toEqual([]);
});
