import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";

let app: App;
let page: Page;
let conversationId: string;
const PLAN = "# Plan\n\nTravel by train.\n\n- book\n";

beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  app.problems.length = 0;
  conversationId = await aConversation();
});

async function aConversation(): Promise<string> {
  app.provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["Trip"] }
      : { text: [PLAN] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Plan a trip", stream: false },
  });
  return ((await sent.json()) as { conversationId: string }).conversationId;
}

async function aCanvas(more: object = {}): Promise<string> {
  const body = { title: "Plan", content: PLAN, conversationId, ...more };
  const made = await app.server.request("/api/v1/canvas", { body });
  return ((await made.json()) as { id: string }).id;
}

const addVersion = (id: string, baseVersion: number, content: string) =>
  app.server.request(`/api/v1/canvas/${id}/versions`, { body: { baseVersion, content } });
const contentOf = async (id: string) => {
  const read = await app.server.request(`/api/v1/canvas/${id}`);
  return ((await read.json()) as { content: string }).content;
};
const open = (id: string, search = "") =>
  page.goto(`/c/${conversationId}/canvas/${id}${search}`);
const canvas = (title = "Plan") =>
  page.getByRole("region", { name: title, exact: true }).first();
const editor = (title = "Plan") => page.getByRole("textbox", { name: `Text of ${title}` });

test("an answer becomes a canvas, which is edited, compared and restored", async () => {
  await page.goto(`/c/${conversationId}`);
  await page.getByRole("article", { name: "Answer" }).hover();
  await page.getByRole("button", { name: "Open as a canvas" }).click();
  await page.getByRole("heading", { name: "Plan", level: 3 }).last().waitFor();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await editor().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("pack\n");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as version 2.").waitFor();
  await page.getByRole("link", { name: "Read", exact: true }).click();
  await canvas().getByText("pack").last().waitFor();

  await page.getByRole("link", { name: /^v2/ }).click();
  await page.getByRole("link", { name: "Compare: Version 2" }).click();
  await page.locator("ins", { hasText: "pack" }).waitFor();
  const current = page
    .getByRole("navigation", { name: "View", exact: true })
    .locator("[aria-current]");
  await expect.poll(() => current.allInnerTexts()).toEqual(["Changes"]);
  await look(page, "canvas-changes");
  await page.getByText("Lines: 1 added, 0 removed").waitFor();
  await page.getByRole("link", { name: /^v2/ }).click();
  await page.getByRole("button", { name: "Restore: Version 1" }).click();
  await page.getByText("Restored as version 3.").waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Version 3" })
    .getByText("newest")
    .waitFor();
  expect(app.problems).toEqual([]);
});

test("a text that goes on where it ended changes no line before", async () => {
  const made = await app.server.request("/api/v1/canvas", {
    body: { title: "List", content: "one\ntwo" },
  });
  const { id } = (await made.json()) as { id: string };
  await app.server.request(`/api/v1/canvas/${id}/versions`, {
    body: { baseVersion: 1, content: "one\ntwo\nthree" },
  });
  await page.goto(`/canvas/${id}?view=diff`);
  await page.getByText("Lines: 1 added, 0 removed").waitFor();
});

test("by keyboard alone a new canvas is written and saved", async () => {
  await page.goto(`/c/${conversationId}`);
  const menu = page.getByRole("button", { name: "More" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "New canvas" }).waitFor();
  await page.keyboard.press("ArrowDown");
  const focused = page.locator('[role="menuitem"]:focus');
  await focused.waitFor();
  while ((await focused.textContent()) !== "New canvas")
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await editor("Untitled").waitFor();
  await page.keyboard.type("# Shopping jk?");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as version 2.").waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await contentOf(id)).toBe("# Shopping jk?");
  expect(app.problems).toEqual([]);
});

test("what is typed is kept when the page is left, and can be saved later", async () => {
  const id = await aCanvas();
  await open(id, "?view=edit");
  await editor().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("unsaved words");
  await page.reload();
  await editor().getByText("unsaved words").waitFor();
  await page.getByRole("link", { name: "Read", exact: true }).click();
  await page.getByText("There are changes of yours that are not saved.").waitFor();
  await page.getByRole("link", { name: "Go on editing" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved as version 2.").waitFor();
  expect(await contentOf(id)).toBe(`${PLAN}unsaved words`);
});

test("a writer who is late sees what the other changed, and keeps the own text", async () => {
  const id = await aCanvas();
  await open(id, "?view=edit");
  await editor().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("mine");
  await addVersion(id, 1, PLAN.replace("train", "ship"));
  const alert = page.getByRole("alert").filter({ hasText: "Version 2 was saved" });
  await alert.locator("ins", { hasText: "ship" }).waitFor();
  await alert.getByRole("button", { name: "Keep mine" }).click();
  await page.getByText("Saved as version 3.").waitFor();
  expect(await contentOf(id)).toBe(`${PLAN}mine`);
});

test("the assistant knows of the open canvas, changes it, and the change is shown at once", async () => {
  const id = await aCanvas();
  app.provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["I changed it."] }
      : {
          toolCalls: [
            {
              name: "update_canvas",
              arguments: { canvasId: id, edits: [{ find: "train", replace: "bicycle" }] },
            },
          ],
        },
  );
  await open(id);
  await page.getByRole("textbox", { name: "Message" }).fill("Go by bicycle");
  await page.keyboard.press("Enter");
  await canvas().getByText("Travel by bicycle.").waitFor();
  await page
    .getByRole("link", { name: /Plan version 2/ })
    .first()
    .waitFor();
  await page.reload();
  await page
    .getByRole("link", { name: /Plan version 2/ })
    .first()
    .waitFor();
  expect(app.problems).toEqual([]);
});

test("while a user edits, others see who and until when", async () => {
  const id = await aCanvas();
  const beth = await aPerson("Beth Baker");
  const body = {
    resourceType: "conversation",
    resourceId: conversationId,
    shares: [{ subjectType: "user", subjectId: beth.id, accessRole: "editor" }],
  };
  await app.server.request("/api/v1/sharing/share", { body });
  const lock = `/api/v1/sharing/locks/conversation/${conversationId}`;
  await app.server.request(lock, { method: "POST", token: beth.token });
  await open(id);
  await page.getByText(/^Beth Baker is editing, until /).waitFor();
  expect(await page.getByRole("link", { name: "Edit", exact: true }).count()).toBe(0);
  await app.server.request(lock, { method: "DELETE", token: beth.token });
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await editor().waitFor();
  const state = async () => {
    const read = await app.server.request(`/api/v1/canvas/${id}/state`);
    return ((await read.json()) as { lock: { userName: string } | null }).lock?.userName;
  };
  await expect.poll(state).toBe("Administrator");
  await page.getByRole("link", { name: "Read", exact: true }).click();
  await expect.poll(state).toBeUndefined();
});

test("a hostile title and text are inert, and the canvas can be read and edited by touch", async () => {
  const title = `<img src=x onerror=alert(1)>\u202E${"x".repeat(250)}`;
  const id = await aCanvas({
    title,
    content: "<script>alert(2)</script>\n\n[x](javascript:alert(3))",
  });
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  await phone.goto(`/c/${conversationId}/canvas/${id}`);
  await phone.getByText("<script>alert(2)</script>").waitFor();
  await phone.getByRole("link", { name: "Chat", exact: true }).tap();
  await phone.getByRole("article", { name: "Answer" }).waitFor();
  await phone
    .getByRole("navigation", { name: "Chat or canvas" })
    .getByRole("link")
    .last()
    .tap();
  // the way out stands beside the title, above the views
  const close = await phone.getByRole("button", { name: "Close the canvas" }).boundingBox();
  const views = await phone
    .getByRole("navigation", { name: "View", exact: true })
    .boundingBox();
  expect(close?.y).toBeLessThan(views?.y ?? 0);
  await look(phone, "canvas-phone");
  await phone.getByRole("link", { name: "Edit", exact: true }).tap();
  await phone.getByRole("textbox", { name: /^Text of/ }).tap();
  await phone.keyboard.insertText("By touch. ");
  await phone.getByRole("button", { name: "Save" }).tap();
  await phone.getByText("Saved as version 2.").waitFor();
  expect(await contentOf(id)).toContain("By touch. ");
  expect(
    await phone.evaluate<number>("document.documentElement.scrollWidth - innerWidth"),
  ).toBeLessThanOrEqual(0);
  expect(app.problems).toEqual([]);
  await phone.context().close();
});

async function aPerson(name: string): Promise<{ id: string; token: string }> {
  const email = `${name.split(" ")[0]?.toLowerCase()}@test.example`;
  const password = "a long enough password";
  const made = await app.server.request("/api/v1/users", {
    body: { email, name, password },
  });
  const { id } = (await made.json()) as { id: string };
  return { id, token: await app.server.signIn(email, password) };
}
