import { afterAll, beforeAll, expect, test } from "vitest";
import { permissionWords } from "../../src/texts/permission-words.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { ADMIN } from "../../../test/support/server.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ withModel: false });
});
afterAll(() => app[Symbol.asyncDispose]());

test("a key is created with what it needs, works within that, and ends when it is revoked", async () => {
  const page = await app.openSignedIn();
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Nightly export");
  await dialog.getByLabel("Only what is chosen below").check();
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await dialog.getByText("Choose at least one permission.").waitFor();
  await dialog.getByLabel(permissionWords("en", "conversation:read")).check();
  expect(await dialog.innerText()).not.toContain("conversation:");
  await dialog.getByRole("button", { name: "Create a key" }).click();
  const key = await dialog.locator("output").innerText();
  const answer = async (path: string) =>
    (await app.server.request(path, { token: key.trim() })).status;
  expect(await answer("/api/v1/conversation/chat-history")).toBe(200);
  expect(await answer("/api/v1/documents")).toBe(403);

  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke: Nightly export" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("No keys yet").waitFor();
  await expect.poll(() => answer("/api/v1/conversation/chat-history")).toBe(401);
  expect(app.problems).toEqual([]);
});

test("a form says in the app's language what keeps it from being sent", async () => {
  const page = await app.open({ locale: "de-DE" });
  await page.goto("/settings");
  const email = page.getByLabel("E-Mail", { exact: true });
  const send = page.getByRole("button", { name: "Anmelden", exact: true });
  const missing = page
    .getByRole("alert")
    .filter({ hasText: "Füllen Sie dieses Feld aus." });
  await send.click();
  await expect.poll(() => missing.count()).toBe(2);
  expect(await page.locator("input:focus").getAttribute("name")).toBe("email");
  await email.fill("nobody");
  await expect.poll(() => missing.count()).toBe(1);
  await page.getByLabel("Kennwort", { exact: true }).fill("anything");
  await send.click();
  await page.getByText("Geben Sie eine ganze E-Mail-Adresse ein").waitFor();
  expect(await email.getAttribute("aria-invalid")).toBe("true");
  await email.fill("nobody@test.example");
  await send.click();
  await page.getByRole("alert").filter({ hasText: "Kennwort" }).waitFor();
  await expect.poll(() => email.getAttribute("aria-invalid")).toBe(null);
  expect(app.problems).toEqual([]);
});

test("a number that is too large is refused with its limit, until it changes", async () => {
  const page = await app.openSignedIn({ locale: "de-DE" });
  await page.goto("/documents/try");
  await page.getByLabel("Frage", { exact: true }).fill("Wann?");
  const count = page.getByLabel("Ergebnisse", { exact: true });
  await count.fill("99");
  await page.getByRole("button", { name: "Suchen", exact: true }).click();
  const refusal = page.getByText("Geben Sie 50 oder weniger ein.");
  await refusal.waitFor();
  await count.fill("20");
  await refusal.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("a new password needs the current one, keeps this browser signed in and ends other sessions", async () => {
  const page = await app.openSignedIn();
  const other = await app.openSignedIn({ viewport: PHONE });
  await page.goto("/settings/security");
  await page
    .getByRole("button", { name: /^End session/ })
    .first()
    .waitFor();
  const change = async (current: string, next: string) => {
    await page.getByLabel("Current password").fill(current);
    await page.getByLabel("New password").fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await change("not the password", "another long password");
  await page.getByText("This is not your current password.").waitFor();
  await change(ADMIN.password, "another long password");
  await page.getByText("Your password is changed.").first().waitFor();
  await page.getByText("This browser").waitFor();
  await page.getByRole("button", { name: /^End session/ }).waitFor({ state: "detached" });

  await other.goto("/settings/security");
  await other.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  expect(app.problems).toEqual([]);
});
