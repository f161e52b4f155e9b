import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";

const TURNS = 100;
/** What a long thread may mount; all of it would be ten times as much. */
const MAX_NODES = 15_000;

let app: App;
let conversationId: string;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, ["An answer of **some** length.\n\n- one\n- two\n\n".repeat(3)]);
  let parent: string | undefined;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const sent = await app.server.request("/api/v1/conversation", {
      body: {
        content: `Question ${turn}`,
        stream: false,
        ...(parent && { conversationId, parentMessageId: parent }),
      },
    });
    const reply = (await sent.json()) as { conversationId: string; messageId: string };
    conversationId = reply.conversationId;
    parent = reply.messageId;
  }
});
afterAll(() => app[Symbol.asyncDispose]());

test("a long thread opens at its end, mounts what is in sight, and is searched as a whole", async () => {
  const page = await app.openSignedIn();
  await page.goto(`/c/${conversationId}`);
  await page.getByText(`Question ${TURNS - 1}`, { exact: true }).waitFor();
  const nodes = () => page.locator("*").count();
  expect(await nodes()).toBeLessThan(MAX_NODES);
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox").fill("Question 3");
  // all 2 × 100 messages are searched, though not all are mounted
  await page.getByText(/of 11$/).waitFor();
  // once all are loaded, a search begins at the newest match; after it comes the oldest
  await page.getByRole("searchbox").fill("");
  await page.getByRole("searchbox").fill("Question 3");
  await page.getByText("Question 39", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Next match" }).click();
  await page.getByText("Question 3", { exact: true }).waitFor();
  expect(await nodes()).toBeLessThan(MAX_NODES);
  expect(app.problems).toEqual([]);
});
