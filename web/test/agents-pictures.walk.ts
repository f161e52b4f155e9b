import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "./support/app.ts";

/** Takes the pictures of docs/web-agents.md, for `npm run pictures:web`. */
const FOLDER = process.env["PICTURES_DIR"] ?? "";
const WIDE = { width: 1280, height: 800 };
const SHORT = "Answer in one sentence.";

let app: App;
beforeAll(async () => {
  if (!FOLDER) return;
  await mkdir(FOLDER, { recursive: true });
  app = await startApp();
  app.provider.answer((_, { messages }) => {
    const system = String(messages[0]?.content);
    if (system.startsWith("Write a title")) return { text: ["Days of leave"] };
    if (system.startsWith("Correct"))
      return { text: ["The team meets on Friday at nine."] };
    if (system.startsWith(SHORT))
      return { text: ["Full-time staff have **31 days** a year."] };
    return {
      text: [
        "Full-time staff have **31 days of leave** a year.\n\n",
        "- Part-time staff have a share of it.\n- What is left is lost at the end of March.",
      ],
    };
  });
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function take(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
}

async function post(path: string, body: object, method = "POST"): Promise<string> {
  const answer = await app.server.request(`/api/v1${path}`, { method, body });
  return ((await answer.json()) as { id: string }).id;
}

test.runIf(FOLDER)("pictures of agents, templates and text tools", async () => {
  const staff = await post("/agent/folders", { name: "Staff" });
  await post("/agent/folders", { name: "Newcomers", parentId: staff });
  const leave = await post("/agent", {
    name: "Leave and travel",
    description: "Answers questions of the staff from the handbook.",
    icon: "book-open",
    instructions: "Answer questions of the staff briefly, with reasons.",
    folderId: staff,
  });
  await post(`/agent/${leave}`, { instructions: SHORT }, "PATCH");
  await post("/agent", {
    name: "Style guide",
    description: "Edits texts as we write them.",
    icon: "pen",
  });
  await app.server.request(`/api/v1/favorites/agent/${leave}`, { method: "PUT" });
  const page = await app.openSignedIn({ viewport: WIDE });
  await page.goto("/agents?view=own");
  await page.getByRole("link", { name: "Staff", exact: true }).waitFor();
  await page.getByRole("link", { name: "Style guide" }).waitFor();
  await take(page, "agents");

  await page.goto(`/agents/${leave}/compare`);
  await page
    .getByLabel("Question", { exact: true })
    .fill("How many days of leave do we have?");
  await page.getByRole("button", { name: "Ask both" }).click();
  await page.getByRole("link", { name: "Go on in the conversation" }).waitFor();
  await take(page, "agent-comparison");

  const template = await post("/templates", {
    name: "Reminder",
    scope: "personal",
    content: "Dear {{name}},\n\nplease send {{what}} until {{dueDate}}.",
    variables: [
      { name: "name", label: "To whom?" },
      { name: "what", label: "What is missing?" },
      { name: "dueDate", label: "Until when?", default: "Friday" },
    ],
  });
  await page.goto(`/templates/${template}`);
  await page.getByLabel("Text", { exact: true }).waitFor();
  await take(page, "template");

  await page.goto("/text");
  await page.getByLabel("Text", { exact: true }).fill("The team meet on friday at nien.");
  await page.getByRole("button", { name: "Correct" }).click();
  await page.locator("ins").first().waitFor();
  await take(page, "text-tools");
});
