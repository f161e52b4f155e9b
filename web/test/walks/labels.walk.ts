import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { uploadFile } from "../../../test/support/upload-file.ts";
import { type App, PHONE, startApp } from "../support/app.ts";

/** Labels: what an administrator defines, what owners put on things, and what readers see of it. */

const TOUCH = { viewport: PHONE, hasTouch: true, isMobile: true };
let app: App;
let page: Page;
let folder: string;
let agent: string;
beforeAll(async () => {
  app = await startApp();
  const make = async (path: string, body: object) => {
    const made = await app.server.request(`/api/v1/${path}`, { body });
    return ((await made.json()) as { id: string }).id;
  };
  folder = await make("documents/folders", { name: "Board papers" });
  agent = await make("agent", { name: "Clerk" });
  await make("groups", { name: "The board" });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  app.problems.length = 0;
});

const main = () => page.getByRole("main");
const dialog = () => page.getByRole("dialog");
const rule = (words: string) => main().getByText(words, { exact: false });

test("with the mouse an administrator defines a label and its rule", async () => {
  await page.goto("/admin/labels");
  await main().getByText("No labels yet").waitFor();
  await main().getByRole("button", { name: "Create label" }).click();
  await dialog().getByLabel("Name", { exact: true }).fill("Confidential");
  await dialog().getByLabel("Description").fill("For the board");
  await dialog().getByLabel("Colour").selectOption("red");
  await dialog().getByLabel("Only models of these providers").check();
  await dialog().getByRole("checkbox", { name: "openai" }).check();
  await dialog().getByLabel("Only within these groups", { exact: false }).check();
  await dialog().getByLabel("Add a group by name").fill("The board");
  await dialog().getByRole("button", { name: "The board" }).first().click();
  await dialog().getByRole("button", { name: "Remove The board" }).waitFor();
  await dialog().getByRole("button", { name: "Create label" }).click();
  await main().getByText("Confidential", { exact: true }).waitFor();
  await rule("Only models of these providers may read it: openai.").waitFor();
  await rule("It may be shared within one group alone.").waitFor();
  expect(app.problems).toEqual([]);
});

test("by keyboard its rule is changed, and another label is made and deleted", async () => {
  const act = async (name: string, action: string) => {
    await main()
      .getByRole("button", { name: `Actions for ${name}` })
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: action }).focus();
    await page.keyboard.press("Enter");
  };
  await act("Confidential", "Change");
  await dialog().getByLabel("With anybody").focus();
  await page.keyboard.press("Space");
  await dialog().getByLabel("Name", { exact: true }).focus();
  await page.keyboard.press("Enter");
  await rule("It may be shared with anybody.").waitFor();
  await main().getByRole("button", { name: "Create label" }).focus();
  await page.keyboard.press("Enter");
  await dialog().getByLabel("Name", { exact: true }).fill("Draft");
  await page.keyboard.press("Enter");
  await main().getByText("Draft", { exact: true }).waitFor();
  await act("Draft", "Delete");
  await dialog().getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The label Draft is deleted.").waitFor();
  expect(app.problems).toEqual([]);
});

test("an owner labels a folder and an agent, and the chip says what it means", async () => {
  for (const place of [`/documents/${folder}`, `/agents/${agent}`]) {
    await page.goto(place);
    await main().getByRole("button", { name: "Add label" }).click();
    await dialog().getByRole("checkbox", { name: "Confidential" }).check();
    await dialog().getByRole("button", { name: "Save" }).click();
    await main().getByRole("button", { name: "Labels: Confidential." }).click();
    await dialog().getByText("Only models of these providers", { exact: false }).waitFor();
    await dialog().getByText("put on this", { exact: false }).waitFor();
    await page.keyboard.press("Escape");
  }
  expect(app.problems).toEqual([]);
});

test("a reply from the folder says which label makes a call wait, and carries it on", async () => {
  const { body } = await uploadFile(app.server, "The key hangs at nine.", "key.txt", {
    fields: { folderId: folder },
  });
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title")) return { text: ["Keys"] };
    if (messages.at(-1)?.role === "tool") return { text: ["Not read."] };
    const values = { url: "https://outside.example/collect" };
    return { toolCalls: [{ name: "read_page", arguments: values }] };
  });
  const sent = await app.server.request("/api/v1/conversation", {
    body: {
      content: "Where does the key hang?",
      files: [body.id],
      tools: ["read_page"],
      stream: false,
    },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  await page.goto(`/c/${conversationId}`);
  await main().getByText("has read what carries the label", { exact: false }).waitFor();
  await main().getByRole("button", { name: "Deny" }).click();
  const answer = main().getByRole("article", { name: "Answer" }).last();
  await answer.getByText("Not read.").waitFor();
  await answer.getByRole("list", { name: "Made from what carries Confidential" }).waitFor();
  await main().getByRole("button", { name: "Labels: Confidential." }).click();
  await dialog().getByText("came with what was read", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
  expect(app.problems).toEqual([]);
});

test("on a phone, in German and in the dark, nothing is cut off", async () => {
  const phone = await app.openSignedIn({
    ...TOUCH,
    colorScheme: "dark",
    locale: "de-DE",
  });
  await phone.goto("/admin/labels");
  const parts = phone.getByRole("main");
  await parts.getByText("Nur Modelle dieser Anbieter", { exact: false }).waitFor();
  const width = "document.documentElement.scrollWidth <= innerWidth";
  expect(await phone.evaluate<boolean>(width)).toBe(true);
  await phone.goto(`/documents/${folder}`);
  await parts.getByRole("button", { name: "Kennzeichnungen: Confidential." }).tap();
  await phone.getByRole("dialog").getByText("hier angebracht", { exact: false }).waitFor();
  expect(await phone.evaluate<boolean>(width)).toBe(true);
  await phone.context().close();
});
