import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";

/** The number of a citation shows its passage, where the note beside the text is out of sight. */

const HANDBOOK =
  "# Handbook\n\n## Leave\n\nEverybody has 31 days of holidays a year.\n\n" +
  "## Travel\n\nTrips of more than two hours are made by train.\n";
/** Leaves no room for a margin. */
const NARROW = { width: 900, height: 800 };
const NUMBER = /^Source 1: handbook.md/;

let app: App;
let address: string;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  const form = new FormData();
  form.set("file", new File([HANDBOOK], "handbook.md", { type: "text/markdown" }));
  const stored = await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  const { id } = (await stored.json()) as { id: string };
  await vi.waitFor(async () => {
    const answer = await app.server.request(`/api/v1/documents/${id}`);
    expect(await answer.json()).toMatchObject({ status: "PROCESSED" });
  }, 90_000);
  const made = await app.server.request("/api/v1/agent", {
    body: { name: "Reader", type: "cortex", retrieval: { docIds: [id] } },
  });
  const { id: agentId } = (await made.json()) as { id: string };
  const content = "How many days of holidays a year?";
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content, agentId, stream: false },
  });
  address = `/c/${((await sent.json()) as { conversationId: string }).conversationId}`;
});
afterAll(() => app[Symbol.asyncDispose]());

test.each(["light", "dark"] as const)(
  "a number shows its passage to the pointer and the keyboard, until Escape, in the %s",
  async (colorScheme) => {
    const page = await app.openSignedIn({ viewport: NARROW, colorScheme });
    await page.goto(address);
    const number = page.getByRole("main").getByRole("button", { name: NUMBER }).first();
    const card = page.getByRole("tooltip");
    await number.hover();
    await card.getByText("31 days of holidays").waitFor();
    await look(page, `cite-card-${colorScheme}`);
    expect(await brokenRules(page)).toEqual([]);
    await card.hover();
    await card.getByText("31 days of holidays").waitFor();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    await page.mouse.move(1, 1);
    await number.focus();
    await card.waitFor();
    const id = await card.getAttribute("id");
    expect(await number.getAttribute("aria-describedby")).toBe(id);
    await page.keyboard.press("Shift+Tab");
    await card.waitFor({ state: "detached" });
    expect(await number.getAttribute("aria-describedby")).toBeNull();
    expect(app.problems).toEqual([]);
    await page.context().close();
  },
);

test("a finger opens the passage, without a card", async () => {
  const page = await app.openSignedIn({ viewport: PHONE, hasTouch: true });
  await page.goto(address);
  await page.getByRole("main").getByRole("button", { name: NUMBER }).first().tap();
  await page.getByRole("dialog", { name: "handbook.md" }).waitFor();
  expect(await page.getByRole("tooltip").count()).toBe(0);
  expect(app.problems).toEqual([]);
  await page.context().close();
});
