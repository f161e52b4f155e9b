import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Page } from "playwright-core";
import { type App, PHONE, startApp } from "../support/app.ts";

let app: App;
let beth: { id: string; email: string; password: string };
let conversationId: string;
const HOSTILE = `<img src=x onerror=alert(1)>\u202E${"y".repeat(200)}`;

beforeAll(async () => {
  app = await startApp({ withModel: false });
  beth = await aPerson("Beth Baker");
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Where do we travel to?", stream: false },
  });
  ({ conversationId } = (await sent.json()) as { conversationId: string });
  await app.server.request("/api/v1/canvas", {
    body: { title: HOSTILE, content: "x", conversationId },
  });
  const agent = await app.server.request("/api/v1/agent", {
    body: { name: "Planner", type: "simple" },
  });
  const { id: agentId } = (await agent.json()) as { id: string };
  const folder = await app.server.request("/api/v1/documents/folders", {
    body: { name: "Staff" },
  });
  const { id: folderId } = (await folder.json()) as { id: string };
  await share("conversation", conversationId, "user", beth.id);
  await share("folder", folderId, "user", beth.id);
  const group = await app.server.request("/api/v1/groups", {
    body: { name: "Travellers" },
  });
  const { id: groupId } = (await group.json()) as { id: string };
  await app.server.request(`/api/v1/groups/${groupId}/members/${beth.id}`, {
    method: "PUT",
  });
  await share("agent", agentId, "group", groupId);
});
afterAll(() => app[Symbol.asyncDispose]());

async function aPerson(name: string) {
  const email = `${name.split(" ")[0]?.toLowerCase()}@test.example`;
  const password = "a long enough password";
  const made = await app.server.request("/api/v1/users", {
    body: { email, name, password },
  });
  const { id } = (await made.json()) as { id: string };
  return { id, email, password };
}

async function share(type: string, id: string, subjectType: string, subjectId: string) {
  const body = {
    resourceType: type,
    resourceId: id,
    shares: [{ subjectType, subjectId, accessRole: "editor" }],
  };
  // a new conversation is registered a moment after it began
  await vi.waitFor(async () => {
    const shared = await app.server.request("/api/v1/sharing/share", { body });
    expect(await shared.text()).toContain(subjectId);
  }, 90_000);
}

async function openAsBeth(options = {}): Promise<Page> {
  const page = await app.open(options);
  const { email, password } = beth;
  await page.context().request.post(`${app.server.url}/api/v1/auth/session`, {
    data: { email, password },
    headers: { "x-parlance": "1", origin: app.server.url },
  });
  return page;
}

test("what others share is listed by its title, with whose it is and through which share", async () => {
  const page = await openAsBeth();
  await page.goto("/history");
  await page.getByRole("link", { name: "Shared with me" }).click();
  const row = (name: string) =>
    page.getByRole("listitem").filter({ hasText: name }).first();
  await row("Where do we travel to")
    .getByText(/Administrator. shared it with you/)
    .waitFor();
  await row("Where do we travel to").getByText("You may change").waitFor();
  const kinds = page.getByRole("navigation", { name: "Kinds of things" });
  await kinds.getByRole("link", { name: "Agents" }).click();
  await row("Planner")
    .getByText(/Administrator. shared it with the group .Travellers/)
    .waitFor();
  await kinds.getByRole("link", { name: "Documents" }).click();
  await page.getByText("Nothing is shared with you here").waitFor();
  await kinds.getByRole("link", { name: "Folders" }).click();
  const decided = page.waitForResponse(/check-access$/);
  await page.getByRole("link", { name: "Staff" }).click();
  await page.getByText("This folder is empty").waitFor();
  await decided;
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))",
  );
  // who may change a folder does not decide who else may
  expect(await page.getByRole("button", { name: "Share the folder" }).count()).toBe(0);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("by keyboard alone a shared canvas is opened beside its conversation", async () => {
  const page = await openAsBeth();
  await page.goto("/shared?kind=canvas");
  const link = page.getByRole("link", { name: /^<img/ });
  await link.waitFor();
  await link.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/c\/.+\/canvas\//);
  await page.getByRole("heading", { level: 2, name: /^<img/ }).waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("what somebody else changed in a canvas does not run unasked, one's own change does", async () => {
  const made = await app.server.request("/api/v1/canvas", {
    body: { title: "Shared page", type: "html", content: "first", conversationId },
  });
  const { id } = (await made.json()) as { id: string };
  const page = await app.openSignedIn();
  await page.goto(`/c/${conversationId}/canvas/${id}`);
  const main = page.getByRole("main");
  const frame = page.frameLocator("iframe");
  await main.getByRole("button", { name: "Show the result" }).click();
  await frame.getByText("first").waitFor();

  const other = await openAsBeth();
  const change = {
    data: { baseVersion: 1, content: "second" },
    headers: { "x-parlance": "1", origin: app.server.url },
  };
  const address = `${app.server.url}/api/v1/canvas/${id}/versions`;
  const saved = await other.context().request.post(address, change);
  expect(saved.status()).toBe(201);
  await main.getByText("Somebody else changed it: version 2").waitFor();
  expect(await page.locator("iframe").count()).toBe(0);
  await main.getByRole("button", { name: "Show the result" }).click();
  await frame.getByText("second").waitFor();

  await app.server.request(`/api/v1/canvas/${id}/versions`, {
    body: { baseVersion: 2, content: "third" },
  });
  await frame.getByText("third").waitFor();
  // the frame's policy has a directive that not every browser knows
  app.problems.length = 0;
  await other.context().close();
  await page.context().close();
});

test("a deleted canvas is restored from the trash, by touch on a narrow screen", async () => {
  const made = await app.server.request("/api/v1/canvas", {
    body: { title: "Notes", content: "" },
  });
  const { id } = (await made.json()) as { id: string };
  await app.server.request(`/api/v1/canvas/${id}`, { method: "DELETE" });
  const page = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.goto("/trash/canvases");
  await page.getByRole("button", { name: "Restore: Notes" }).tap();
  await page.getByText("The trash is empty").waitFor();
  await page.getByRole("link", { name: "Canvases", exact: true }).tap();
  await page.getByRole("link", { name: "Notes" }).tap();
  await page.getByText("This canvas is empty.").waitFor();
  expect(
    await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"),
  ).toBe(0);
  expect(app.problems).toEqual([]);
  await page.context().close();
});
