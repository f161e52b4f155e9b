import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";

/** Pages and models are found by typing. */

let app: App;
beforeAll(async () => {
  // a short menu has no field to search it
  const models = ["gpt-test", ...Array.from({ length: 12 }, (_, at) => `gpt-${at}`)];
  app = await startApp({ env: { OPENAI_MODELS: [...models, "gpt-other"].join(",") } });
});
afterAll(() => app[Symbol.asyncDispose]());

test("the palette finds pages of the settings and the administration by name", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("Provisio");
  await page.getByRole("option", { name: /Provisioning/ }).waitFor();
  await look(page, "palette-pages");
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole("option", { name: /Provisioning/ }).click();
  await page.waitForURL("**/admin/users/provisioning");
  await look(page, "provisioning");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("Connections");
  await page.getByRole("option", { name: /Connections/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/settings/connections");
  await look(page, "connections");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("Text size");
  await page.getByRole("option", { name: /Text size/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/settings/preferences");
  await page.getByRole("group", { name: "Text size" }).waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("what begins with the words comes before what has them further on, and says what it is", async () => {
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Pumps", stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  const path = `/api/v1/conversation/${conversationId}`;
  const body = { title: "Heat pumps for Basel" };
  const { status } = await app.server.request(path, { method: "PATCH", body });
  expect(status).toBe(200);
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("hea");
  const options = page.getByRole("option");
  await options.filter({ hasText: "System health" }).waitFor();
  await expect
    .poll(() => options.first().innerText())
    .toMatch(/^Heat pumps for Basel\s+Conversation$/);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/c/${conversationId}`);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("in German and in the dark, the palette finds the same pages by their German names", async () => {
  const page = await app.openSignedIn({ locale: "de-DE", colorScheme: "dark" });
  await page.goto("/");
  await page.getByRole("main").getByRole("textbox").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("Bereitst");
  await page.getByRole("option", { name: /Bereitstellung/ }).waitFor();
  await look(page, "palette-de-dark");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/users/provisioning");
  await look(page, "provisioning-de-dark");
  await page.context().close();
});

test("by keyboard alone a model is found in the picker and chosen", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  const picker = page.getByRole("main").getByRole("button", { name: /gpt-test/ });
  await picker.focus();
  await page.keyboard.press("Enter");
  await page.getByPlaceholder("Find an agent or a model").waitFor();
  await page.keyboard.type("other");
  await look(page, "picker-search");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page
    .getByRole("main")
    .getByRole("button", { name: /gpt-other/ })
    .waitFor();
  // the menu opens where it is chosen
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.getByRole("button", { name: "Who answers: gpt-other" }).click();
  const chosen = page.getByRole("menuitemradio", { name: "gpt-other" });
  await chosen.waitFor();
  const isInSight = () =>
    chosen.evaluate((item) => {
      const menu = item.closest("[role=dialog]")?.getBoundingClientRect();
      const { top, bottom } = item.getBoundingClientRect();
      return menu && top >= menu.top && bottom <= menu.bottom;
    });
  await expect.poll(isInSight).toBe(true);
  expect(await page.getByPlaceholder("Find an agent or a model").isVisible()).toBe(true);
  expect(app.problems).toEqual([]);
  await page.context().close();
});
