import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN } from "../../../test/support/server.ts";
import { type App, startApp } from "../support/app.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ withModel: false });
});
afterAll(() => app[Symbol.asyncDispose]());

const HANDBOOK = [
  "# Handbook",
  "## Leave",
  "Everybody who works full time has 31 days of holidays a year.",
  "## Opening hours",
  "The office opens at nine.",
].join("\n\n");

test("a newcomer reads an answer from their own file, without a model, in at most six clicks", async () => {
  const page = await app.open();
  let clicks = 0;
  const click = async (name: string | RegExp) => {
    clicks += 1;
    await page.getByRole("button", { name }).first().click();
  };
  await page.goto("/");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await click("Sign in");

  await page.getByText("No language model is connected").waitFor();
  const chooser = page.waitForEvent("filechooser");
  await click("Choose files");
  const markdown = (name: string, text: string) => ({
    name,
    mimeType: "text/markdown",
    buffer: Buffer.from(text),
  });
  await (
    await chooser
  ).setFiles([
    markdown("menu.md", "# Canteen\n\nOn Fridays there is fish."),
    markdown("handbook.md", HANDBOOK),
  ]);
  await page
    .getByRole("textbox", { name: "Question" })
    .fill("How many days of holidays a year?");
  await page.getByText(/menu.md\W* is ready/).waitFor();
  await page.getByText(/handbook.md\W* is ready/).waitFor();
  await page.reload();
  await click("Ask");

  await page.waitForURL(/\/c\//, { timeout: 60_000 });
  await click(/^Source 1: handbook.md/);
  const dialog = page.getByRole("dialog", { name: "handbook.md" });
  await dialog.getByText("Leave").first().waitFor();
  expect(await dialog.getByText("Page 1").count()).toBe(0);
  const marked = () =>
    page.evaluate<string>('[...(CSS.highlights.get("found") ?? [])].join()');
  await expect.poll(marked).toContain("31 days of holidays");
  expect(clicks).toBeLessThanOrEqual(6);
  expect(app.problems).toEqual([]);
});

test("who was never here is led to the sign-in page without a request that fails", async () => {
  const page = await app.open();
  const failed: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto("/documents?folder=all");
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).searchParams.get("next")).toBe("/documents?folder=all");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/documents/);
  expect(failed).toEqual([]);
  // a session of which this browser remembers nothing is found all the same
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByRole("navigation", { name: "Menu" }).waitFor();
  await page.context().clearCookies();
  await page.goto("/");
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("a new installation asks for the password of its administrator, and signs in with it", async () => {
  const page = await app.open();
  // the server of this test has a password already: what it says of that is changed on the way
  await page.route("**/api/v1/app", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), setup: true },
    });
  });
  const sent = page.waitForRequest("**/api/v1/auth/setup");
  await page.route("**/api/v1/auth/setup", (route) =>
    route.fulfill({ json: { email: ADMIN.email } }),
  );
  await page.goto("/sign-in");
  await page.getByLabel("Password that the start printed").fill("printed code");
  await page.getByLabel("New password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Set the password" }).click();
  expect((await sent).postDataJSON()).toEqual({
    code: "printed code",
    password: ADMIN.password,
  });
  await page.getByRole("navigation", { name: "Menu" }).waitFor();
  // an answer may still be on its way to be changed
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
});
