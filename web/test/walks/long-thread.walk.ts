import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, DESKTOP, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";

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
  // a search begins with the first match from where one reads
  const field = page.getByRole("searchbox");
  const status = page.locator("search").getByRole("status");
  const isInSight = (question: string) =>
    expect
      .poll(() =>
        page.getByText(question, { exact: true }).evaluateAll(
          (found, height) =>
            found.some((one) => {
              const { top, bottom } = one.getBoundingClientRect();
              return top >= 0 && bottom <= height;
            }),
          DESKTOP.height,
        ),
      )
      .toBe(true);
  // it has begun, so that it does not once the field is empty
  await isInSight("Question 3");
  await field.fill("");
  await page.getByRole("button", { name: "To the newest message" }).click();
  await isInSight("Question 99");
  await field.fill("Question 3");
  await expect.poll(() => status.innerText()).toBe("1 of 11");
  await isInSight("Question 3");
  await page.keyboard.press("Enter");
  await expect.poll(() => status.innerText()).toBe("2 of 11");
  await isInSight("Question 30");
  await look(page, "find-desktop");
  await field.fill("");
  await field.fill("Question 3");
  await expect.poll(() => status.innerText()).toBe("2 of 11");
  expect(await nodes()).toBeLessThan(MAX_NODES);
  expect(app.problems).toEqual([]);
});

test("on a phone the search is as wide as the page, and does not cover what it found", async () => {
  const page = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.goto(`/c/${conversationId}`);
  await page.getByText(`Question ${TURNS - 1}`, { exact: true }).waitFor();
  await page.keyboard.press("Control+f");
  const search = page.locator("search");
  const field = search.getByRole("searchbox");
  await field.fill("Question 0");
  await search.getByText("1 of 1", { exact: true }).waitFor();
  for (const part of [search, field]) {
    const { left, right } = await part.evaluate((one) => one.getBoundingClientRect());
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(PHONE.width);
  }
  const first = page.getByText("Question 0", { exact: true });
  await first.waitFor();
  const below = async () => {
    const [found, bar] = [await first.boundingBox(), await search.boundingBox()];
    return found && bar ? found.y - bar.y - bar.height : -1;
  };
  await expect.poll(below).toBeGreaterThanOrEqual(0);
  await look(page, "find-phone");
  expect(app.problems).toEqual([]);
  await page.context().close();
});
