import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";

const SECRET = "s".repeat(32);
const HOSTILE = `<img src=x onerror=alert(1)> \u202Egnp.exe ${"long name ".repeat(16)}`;

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({
    withModel: false,
    env: { SIGNUP_ENABLED: "true", USER_SERVICE_SECRET: SECRET },
  });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A user of another issuer, known as after the first token. */
async function seeUser(userId: string, name: string): Promise<void> {
  const user = { userId, name, clientId: "default", email: `${userId}@issuer.example` };
  const answer = await fetch(`${app.server.internalUrl}/api/v1/users/seen`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-platform-user-service-secret": SECRET,
    },
    body: JSON.stringify(user),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** An agent of the administrator, whose lock another user holds. */
async function lockAgent(): Promise<string> {
  const post = async (path: string, body?: object, token?: string) => {
    const answer = await app.server.request(path, {
      method: "POST",
      ...(body && { body }),
      ...(token && { token }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string };
  };
  const password = "a long enough password";
  const email = `beth${Date.now()}@test.example`;
  const beth = await post("/api/v1/users", { name: "Beth Baker", email, password });
  const { id } = await post("/api/v1/agent", { name: "Writer", type: "simple" });
  const shares = [{ subjectType: "user", subjectId: beth.id, accessRole: "editor" }];
  await post("/api/v1/sharing/share", { resourceType: "agent", resourceId: id, shares });
  const token = await app.server.signIn(email, password);
  await post(`/api/v1/sharing/locks/agent/${id}`, undefined, token);
  return id;
}

test("by keyboard alone somebody creates an account, and is welcomed", async () => {
  const visitor = await app.open();
  await visitor.goto("/sign-in");
  await visitor.getByRole("link", { name: "Create an account" }).focus();
  await visitor.keyboard.press("Enter");
  await visitor.getByRole("heading", { name: "Create an account" }).waitFor();
  await visitor.getByLabel("Your name").focus();
  await visitor.keyboard.type("Nora");
  await visitor.keyboard.press("Tab");
  await visitor.keyboard.type("admin@test.example");
  await visitor.keyboard.press("Tab");
  await visitor.keyboard.type("a long enough password");
  await visitor.keyboard.press("Enter");
  await visitor.getByText("Another user has this email", { exact: false }).waitFor();
  await visitor.getByLabel("Email").fill("nora@test.example");
  await visitor.keyboard.press("Enter");
  await visitor.waitForURL(/\/welcome$/);
  expect(app.problems).toEqual([]);
});

test("a user of another issuer is found, shut out and let in again", async () => {
  await seeUser("zoe", "Zoë Zimmer");
  await seeUser("hostile", HOSTILE);
  await page.goto("/admin/users");
  await page.getByRole("link", { name: "Users of another issuer" }).click();
  await page.getByText("<img src=x").first().waitFor();
  await page.getByLabel("Search by name or email").fill("zoe");
  await page.getByText("1 user").waitFor();
  await page.getByRole("button", { name: "Disable account: Zoë Zimmer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable account" }).click();
  await page.getByText("Zoë Zimmer is disabled.").waitFor();
  await page.getByLabel("State").selectOption("disabled");
  await page.waitForURL(/state=disabled/);
  await page.getByRole("button", { name: "Enable account: Zoë Zimmer" }).click();
  await page.getByText("No user fits").waitFor();

  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true });
  await phone.goto("/admin/users/external");
  await phone.getByRole("button", { name: "Disable account: Zoë Zimmer" }).tap();
  await phone.getByRole("dialog").getByRole("button", { name: "Disable account" }).tap();
  await phone.getByRole("button", { name: "Enable account: Zoë Zimmer" }).waitFor();
  const excess = await phone.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(excess).toBe(0);
  expect(app.problems).toEqual([]);
});

test("a lock in the way is released where it is met, and in the list of locks", async () => {
  const id = await lockAgent();
  await page.goto(`/agents/${id}`);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Author");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/Beth Baker\u2069? is editing this/).waitFor();
  await page.getByRole("button", { name: "Release the lock" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release the lock" }).click();
  await page.getByText("The lock is released.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Author" }).waitFor();

  await page.goto("/admin/locks");
  await page.getByText("Nobody edits anything right now").waitFor();
  await lockAgent();
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "Beth Baker" });
  await row.getByText("An agent").waitFor();
  await row.getByRole("button", { name: /^Release the lock/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Release the lock" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Nobody edits anything right now").waitFor();
  await page.goto("/admin/audit?action=lock.forced");
  await page.getByRole("link", { name: "released the lock on" }).first().waitFor();
  expect(app.problems).toEqual([]);
});
