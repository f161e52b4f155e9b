import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { showPage } from "../support/show-page.ts";

let app: App;
let page: Page;
let sent: string[] = [];
let answered = Promise.withResolvers<void>();
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
  await page.route("**/api/**", async (route) => {
    const request = route.request();
    if (request.method() === "GET") return route.continue();
    sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    await answered.promise;
    // a refusal, after which the form is still there
    return route.fulfill({ status: 409, json: { code: "refused", error: "Refused." } });
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const dialog = () => page.getByRole("dialog");
const main = () => page.getByRole("main");
const fill = async (scope: Locator, ...fields: [string, string][]) => {
  for (const [label, text] of fields)
    await scope.getByLabel(label, { exact: true }).fill(text);
  return scope;
};
const inDialog = async (button: string, ...fields: [string, string][]) => {
  await page.getByRole("button", { name: button }).first().click();
  return await fill(dialog(), ...fields);
};

/** Forms in a dialog and in a page, of every area that has one, and what each sends. */
const FORMS: [string, string, () => Promise<Locator>][] = [
  [
    "/admin/users",
    "POST /api/v1/users",
    () => inDialog("Create user", ["Name", "Ada"], ["Email", "ada@test.example"]),
  ],
  [
    "/admin/groups",
    "POST /api/v1/groups",
    () => inDialog("Create group", ["Name", "Crew"]),
  ],
  [
    "/documents",
    "POST /api/v1/documents/folders",
    () => inDialog("New folder", ["Name of the folder", "Files"]),
  ],
  [
    "/agents",
    "POST /api/v1/agent/folders",
    () => inDialog("New folder", ["Name of the folder", "Mine"]),
  ],
  ["/agents/new", "POST /api/v1/agent", () => fill(main(), ["Name", "Agent"])],
  [
    "/templates/new",
    "POST /api/v1/templates",
    () => fill(main(), ["Name", "Greeting"], ["Text", "Hello"]),
  ],
  ["/settings/profile", "PATCH /api/v1/auth/me", () => fill(main(), ["Name", "Ada"])],
];

test.each(FORMS)(
  "%s sends %s once for two clicks, and for Enter pressed three times",
  async (path, request, open) => {
    await showPage(page, path);
    const form = await open();
    const button = form.locator("form button[type=submit]").first();
    const field = form.locator("form input").first();
    const { keyboard } = page;
    const enter = async () => {
      await field.focus();
      await Promise.all(["Enter", "Enter", "Enter"].map((key) => keyboard.press(key)));
    };
    for (const send of [() => button.dblclick(), enter]) {
      sent = [];
      answered = Promise.withResolvers();
      await send();
      await expect.poll(() => sent).toEqual([request]);
      await form.locator("[aria-busy=true]").waitFor();
      answered.resolve();
      await form.getByText("Refused.").waitFor();
      expect(sent).toEqual([request]);
    }
  },
);
