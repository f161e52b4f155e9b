import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { automationsOf } from "../../../test/support/automations.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";

/** What waits for a person stands on their start page. */

const BROKEN_PDF = "%PDF-1.7\nthis is no document";

let app: App;
let agentId: string;
beforeAll(async () => {
  app = await startApp();
  app.provider.answer((_, { messages }) => {
    const first = String(messages[0]?.content);
    if (first.startsWith("Write a title"))
      return { text: ["Letters for the third quarter"] };
    if (messages.at(-1)?.role === "tool") return { text: ["The letter is done."] };
    const values = { title: "Letter", content: "Dear Ada" };
    return { toolCalls: [{ name: "create_canvas", arguments: values }] };
  });
  const made = await app.server.request("/api/v1/agent", {
    body: { name: "Writer", type: "simple", tools: ["create_canvas"], approval: "always" },
  });
  ({ id: agentId } = (await made.json()) as { id: string });
});
afterAll(() => app[Symbol.asyncDispose]());

const needs = (page: Page) => page.getByRole("region", { name: "Needs you" });
const question = (page: Page) =>
  needs(page).getByRole("link", { name: /Allow “Create a canvas”\?/ });

async function ask(): Promise<string> {
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Write a letter", agentId, stream: false },
  });
  return ((await sent.json()) as { conversationId: string }).conversationId;
}

async function failDocument(): Promise<void> {
  const form = new FormData();
  form.set(
    "file",
    new File([BROKEN_PDF], "Energy report.pdf", { type: "application/pdf" }),
  );
  await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  await vi.waitFor(async () => {
    const answer = await app.server.request("/api/v1/documents?status=FAILED");
    expect(await answer.json()).toMatchObject({ total: 1 });
  }, 90_000);
}

async function failRun(): Promise<void> {
  const api = automationsOf(app.server, app.server.token);
  const id = await api.agent("Minutes");
  await api.rule({ name: "Minutes of meetings", agents: [id] });
  await api.ask("DELETE", `/api/v1/agent/${id}`); // so its run fails
  const { body } = await api.send("# Board", "board.md");
  expect((await api.ended(body.runId, 90_000)).status).toBe("failed");
}

test("a reply that waits appears by itself, is opened by keyboard, and is gone once decided", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("group", { name: "Starters" }).waitFor();
  expect(await needs(page).count()).toBe(0);
  const id = await ask();
  await question(page).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/c/${id}`);
  await page.getByRole("button", { name: "Deny" }).click();
  const answer = page.getByRole("article", { name: "Answer" }).last();
  await answer.getByText("The letter is done.").waitFor();
  // of an answer to the page before, the body may be gone
  const nothing = page.waitForResponse(async (answer) => {
    if (!answer.url().includes("/api/v1/conversation/waiting?")) return false;
    const body: unknown = await answer.json().catch(() => undefined);
    return (body as { total?: number } | undefined)?.total === 0;
  });
  await page.goto("/");
  await nothing;
  await page.getByRole("group", { name: "Starters" }).waitFor();
  await expect.poll(() => needs(page).count()).toBe(0);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("what a call would do stands in its row, where it is allowed or denied, and the row goes", async () => {
  const page = await app.openSignedIn();
  const allowed = await ask();
  const denied = await ask();
  await page.goto("/needs-you");
  const rows = page
    .getByRole("region", { name: "Waiting for your decision" })
    .getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(2);
  await rows
    .first()
    .getByText(/title\W+Letter\W+content\W+Dear Ada/)
    .waitFor();
  await look(page, "needs-decide-light-1400");
  await rows.last().getByRole("button", { name: "Allow once" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Nothing waits for you").waitFor();
  for (const [id, canvases] of [
    [allowed, 1],
    [denied, 0],
  ] as const)
    await expect
      .poll(async () => {
        const read = await app.server.request(`/api/v1/canvas?conversationId=${id}`);
        return (await read.json()) as unknown;
      })
      .toMatchObject({ total: canvases });
  await page.goto(`/c/${allowed}`);
  const answer = page.getByRole("article", { name: "Answer" }).last();
  await answer.getByText("The letter is done.").waitFor();
  expect(await page.getByRole("button", { name: "Allow once" }).count()).toBe(0);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

describe("with decisions, a document and a run that failed", () => {
  beforeAll(async () => {
    for (let at = 0; at < 5; at += 1) await ask();
    await failDocument();
    await failRun();
  });

  test("decisions come before what failed, more of them are fetched, and each leads to its place", async () => {
    const page = await app.openSignedIn();
    await page.goto("/");
    await expect.poll(() => question(page).count()).toBe(4);
    await needs(page)
      .getByRole("link", { name: /Minutes of meetings.* failed/ })
      .waitFor();
    await look(page, "start-needs-light-1400");
    expect(await brokenRules(page)).toEqual([]);
    const entry = page
      .getByRole("navigation", { name: "Menu" })
      .getByRole("link", { name: "Needs you" });
    await expect.poll(() => entry.innerText()).toMatch(/5/);
    await needs(page).getByRole("link", { name: "All", exact: true }).click();
    await page.waitForURL("**/needs-you");
    const decisions = page.getByRole("region", { name: "Waiting for your decision" });
    await expect.poll(() => decisions.getByRole("listitem").count()).toBe(5);
    expect(await brokenRules(page)).toEqual([]);
    await look(page, "needs-page-light-1400");
    await page.goBack();
    await needs(page)
      .getByRole("link", { name: /Energy report\.pdf/ })
      .click();
    await page.waitForURL("**/documents/d/*");
    expect(app.problems).toEqual([]);
    await page.context().close();
  });

  test.each(["light", "dark"] as const)(
    "in German, on a phone, in the %s, nothing is cut off and no rule is broken",
    async (colorScheme) => {
      const page = await app.openSignedIn({
        viewport: PHONE,
        colorScheme,
        locale: "de-DE",
        hasTouch: true,
      });
      await page.goto("/");
      const waiting = page.getByRole("region", { name: "Wartet auf Sie" });
      await waiting
        .getByRole("link", { name: /Minutes of meetings.* fehlgeschlagen/ })
        .waitFor();
      await look(page, `start-needs-german-${colorScheme}-390-top`);
      await waiting.scrollIntoViewIfNeeded();
      await look(page, `start-needs-german-${colorScheme}-390`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
      expect(await brokenRules(page)).toEqual([]);
      expect(app.problems).toEqual([]);
      await page.context().close();
    },
  );
});
