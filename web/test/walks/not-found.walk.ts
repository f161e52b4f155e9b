import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DOCUMENTS_AGENT } from "../../../src/services/core/contract-agents.ts";
import { type App, startApp } from "../support/app.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const notice = () => page.getByRole("region", { name: "Not found in your documents" });

/** Asks the documents, and opens the conversation. */
async function ask(content: string): Promise<void> {
  const body = { content, agentId: DOCUMENTS_AGENT, stream: false };
  const answer = await app.server.request("/api/v1/conversation", { method: "POST", body });
  const { conversationId } = (await answer.json()) as { conversationId: string };
  await page.goto(`/c/${conversationId}`);
}

test("an answer says that there are no documents, or that nothing in them is near enough", async () => {
  await ask("How many days of leave?");
  await notice().getByText("You have no documents yet.").waitFor();
  const form = new FormData();
  form.set("file", new Blob(["# Handbook\n\nStaff have 31 days of leave."]), "handbook.md");
  const headers = { authorization: `Bearer ${app.server.token}` };
  await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers,
    body: form,
  });
  await vi.waitFor(async () => {
    const listed = await app.server.request("/api/v1/documents?status=PROCESSED");
    expect(((await listed.json()) as { total: number }).total).toBe(1);
  }, 90_000);
  await ask("Zeppelin?");
  await notice().getByText("Nothing in them is near enough to the question.").waitFor();
  expect(app.problems).toEqual([]);
});

test("a tried question shows what is nearest below the threshold, and opens it", async () => {
  await page.goto("/documents/try?q=days+of+leave&grade=0.99");
  await page.getByText("Nearest, below the threshold:").first().waitFor();
  await page
    .getByRole("button", { name: /Result 1: handbook\.md/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "handbook.md" });
  await dialog.getByText("Staff have 31 days of leave.").waitFor();
  expect(app.problems).toEqual([]);
});
