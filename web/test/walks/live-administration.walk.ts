import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
  // the page tells other tabs of each event
  await page.addInitScript(() => {
    new BroadcastChannel("parlance.events").addEventListener("message", () =>
      Object.assign(globalThis, { isFollowing: true }),
    );
  });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Changes something as another administrator would. */
async function change(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await app.server.request(`/api/v1${path}`, { method, body });
  expect([path, answer.ok]).toEqual([path, true]);
}

/** Opens a page, and waits until it follows changes. */
async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => "isFollowing" in globalThis);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

const shows = (text: string) => page.getByText(text).first().waitFor();

test("lists of administration show what another administrator changes", async () => {
  await open("/admin/users");
  const user = { email: "new@test.example", password: "a long enough password" };
  await change("POST", "/users", { ...user, name: "Nadia New" });
  await shows("Nadia New");

  await open("/admin/groups");
  await change("POST", "/groups", { name: "Night shift" });
  await shows("Night shift");

  await open("/admin/roles");
  await change("POST", "/roles", { name: "helper", description: "", permissions: [] });
  await shows("helper");

  await open("/admin/tools/servers");
  await change("POST", "/mcp-servers", { name: "clock", url: "http://127.0.0.1:1/mcp" });
  await shows("clock");

  await open("/admin/models/providers");
  await change("POST", "/model-providers", {
    kind: "openai-compatible",
    name: "own",
    displayName: "Our own server",
    config: { baseUrl: "http://127.0.0.1:1/v1" },
  });
  await shows("Our own server");

  await open("/usage/budgets");
  const limit = { unit: "tokens", amount: 1_000, period: "month" };
  const everybody = { subjectType: "user", subjectId: "*" };
  await change("POST", "/budgets", { name: "For all", ...everybody, ...limit });
  await shows("For all");
  expect(app.problems).toEqual([]);
});

test("a form keeps what is typed, and its save keeps what others changed meanwhile", async () => {
  const read = async <Answer>(path: string) =>
    (await (await app.server.request(`/api/v1${path}`)).json()) as Answer;
  interface User {
    id: string;
    name: string;
    email: string;
  }
  const found = await read<{ items: User[] }>("/users?query=new@test.example");
  const id = found.items[0]?.id ?? "";
  await open(`/admin/users/${id}/account`);
  await page.getByLabel("Name", { exact: true }).fill("Typed");
  await change("PATCH", `/users/${id}`, { email: "newer@test.example", disabled: true });
  await page.getByRole("button", { name: "Enable" }).waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Typed");
  await page.getByRole("button", { name: "Save" }).click();
  const email = () => page.getByLabel("Email").inputValue();
  await expect.poll(email).toBe("newer@test.example");
  await expect
    .poll(() => read(`/users/${id}`))
    .toMatchObject({ name: "Typed", email: "newer@test.example" });

  await open("/admin/roles/helper");
  await change("PATCH", "/roles/helper", { description: "Helps others" });
  const description = () => page.getByLabel("Description").inputValue();
  await expect.poll(description).toBe("Helps others");
  expect(app.problems).toEqual([]);
});
