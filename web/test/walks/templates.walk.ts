import { mkdir } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson } from "../../../test/support/ask.ts";
import { type App, DESKTOP, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** For looking at, where a folder is named. */
const look = async (shown: Page, name: string) => {
  const folder = process.env["LOOK_DIR"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await shown.screenshot({
    path: `${folder}/templates-${name}.png`,
    animations: "disabled",
  });
};

test("by keyboard alone a template is written; its gaps are found, and asked for in the composer", async () => {
  await page.goto("/templates");
  await look(page, "list");
  await page.getByRole("link", { name: "New template" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.type("Reminder");
  await page.getByLabel("Text", { exact: true }).focus();
  await page.keyboard.type("Dear {{name}}, it is due on {{DueDate}}.");
  await page.getByText("Names of gaps begin with a lower-case letter: DueDate.").waitFor();
  for (let steps = 0; steps < "DueDate}}.".length; steps += 1)
    await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Delete");
  await page.keyboard.type("d");
  const gap = page.getByRole("listitem").filter({ hasText: "{{dueDate}}" });
  await expect.poll(() => gap.getByLabel("Question").inputValue()).toBe("Due date");
  await gap.getByLabel("Usually").fill("Friday");
  await page.locator("mark", { hasText: "Friday" }).waitFor();
  await look(page, "editor");
  await page.reload();
  await expect
    .poll(() => page.getByLabel("Name", { exact: true }).inputValue())
    .toBe("Reminder");
  await page.getByRole("button", { name: "Create" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The template is created.").first().waitFor();

  await page.goto("/");
  await page.getByLabel("Message").focus();
  await page.keyboard.type("/remi");
  await page.getByRole("option", { name: /Reminder/ }).waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ada");
  await page.keyboard.press("Enter");
  await look(page, "filled");
  await expect
    .poll(() => page.getByLabel("Message").inputValue())
    .toBe("Dear Ada, it is due on Friday.");
  expect(app.problems).toEqual([]);
});

test("the list of templates stands in the window, and the field says which is the current one", async () => {
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    await page.goto("/");
    const message = page.getByLabel("Message", { exact: true });
    await message.fill("/");
    const options = page.getByRole("option");
    await expect.poll(() => options.count()).toBeGreaterThan(4);
    await expect.poll(() => isInWindow(options.first())).toBe(true);
    // the last one is scrolled to
    for (let at = (await options.count()) - 1; at > 0; at -= 1)
      await message.press("ArrowDown");
    const last = options.last();
    await expect.poll(() => last.getAttribute("aria-selected")).toBe("true");
    await expect.poll(() => isInWindow(last)).toBe(true);
    const current = () => message.getAttribute("aria-activedescendant");
    await expect.poll(current).toBe(await last.getAttribute("id"));
    await message.fill("");
    await expect.poll(current).toBe(null);
  }
  await page.setViewportSize(DESKTOP);
});

/** Whether nothing of an option is outside of the list that scrolls, nor that of the window. */
async function isInWindow(option: Locator): Promise<boolean> {
  const inner = await option.boundingBox();
  const outer = await page.getByRole("listbox").locator("..").boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  if (!inner || !outer) return false;
  const isInList =
    inner.y >= outer.y - 1 && inner.y + inner.height <= outer.y + outer.height + 1;
  return isInList && outer.y >= 0 && outer.y + outer.height <= height;
}

test("a template is used from its row and from its page, before what was written already", async () => {
  await page.goto("/templates?scope=personal");
  await page
    .getByRole("listitem")
    .filter({ hasText: "Reminder" })
    .getByRole("link", { name: "Use", exact: true })
    .press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Eve");
  await page.keyboard.press("Enter");
  const message = page.getByLabel("Message");
  await expect.poll(() => message.inputValue()).toContain("Dear Eve, it is due on Friday.");
  expect(new URL(page.url()).search).toBe("");
  await message.fill("written before");
  await page.goto("/templates?scope=personal");
  await page.getByRole("link", { name: "Reminder", exact: true }).click();
  await page.getByRole("link", { name: "Use", exact: true }).click();
  await dialog.getByLabel("Name").fill("Ida");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => message.inputValue())
    .toBe("Dear Ida, it is due on Friday.\n\nwritten before");
  await message.fill("");
  await page.goto(`/?template=${crypto.randomUUID()}`);
  await page
    .getByText(/This template does not exist/)
    .first()
    .waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
});

test("a shared template is there for others to use; the organisation's is stopped and offered again", async () => {
  const bea = await newPerson(app.server, "bea-fills");
  await page.goto("/templates?scope=personal");
  await page.getByRole("link", { name: "Reminder" }).waitFor();
  const { items } = (await (
    await app.server.request("/api/v1/templates?scope=personal")
  ).json()) as { items: { id: string }[] };
  await app.server.request("/api/v1/sharing/share", {
    body: {
      resourceType: "template",
      resourceId: items[0]?.id,
      shares: [{ subjectType: "user", subjectId: bea.id, accessRole: "viewer" }],
    },
  });
  const viewer = await app.open({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await viewer.goto("/sign-in?next=/templates");
  await viewer.getByLabel("E-Mail").fill("bea-fills@test.example");
  await viewer.getByLabel("Kennwort").fill("a long enough password");
  await viewer.keyboard.press("Enter");
  await viewer.getByText("freigegeben von").waitFor();
  await look(viewer, "phone");
  await viewer.getByRole("link", { name: "Reminder" }).tap();
  await viewer.getByText("Sie dürfen diese Vorlage benutzen.").waitFor();
  expect(await viewer.getByLabel("Text", { exact: true }).count()).toBe(0);

  await page.goto("/templates?scope=organization");
  const actions = actionsOf(page, /^Actions for/).first();
  await actions.click();
  await page.getByRole("menuitem", { name: "Stop offering" }).click();
  await page.getByText("not offered", { exact: false }).first().waitFor();
  await actions.click();
  await page.getByRole("menuitem", { name: "Offer again" }).click();
  await page.getByText("The template is offered again.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("a template with a hostile name is inert, and deleted once that is confirmed", async () => {
  const name = `<img src=x onerror=alert(1)>\u202E${"long ".repeat(30)}`.trim();
  await app.server.request("/api/v1/templates", {
    body: { name, content: "<script>alert(1)</script>", scope: "personal" },
  });
  await page.goto("/templates?scope=personal&q=onerror");
  await page.getByRole("link", { name: /onerror/ }).click();
  await page.getByLabel("Text", { exact: true }).waitFor();
  expect(
    await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    ),
  ).toBe(0);
  await actionsOf(page, /^Actions for/).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The template is deleted.").first().waitFor();
  expect(app.problems).toEqual([]);
});
