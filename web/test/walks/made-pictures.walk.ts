import { deflateSync, crc32 } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type FakeMediaProvider,
  startFakeMediaProvider,
} from "../../../test/support/fake-media-provider.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { inspectPage } from "../support/inspect-page.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** Pictures that a model makes in a conversation. */

const WIDTH = 1024;
const HEIGHT = 768;
const PROMPT = "A paper boat, on a lake";

let app: App;
let page: Page;
let painter: FakeMediaProvider;
let conversation: string;
beforeAll(async () => {
  painter = await startFakeMediaProvider();
  const picture = drawPicture().toString("base64");
  painter.answer((_, to) => {
    const body = JSON.stringify({ created: 1, data: [{ b64_json: picture }] });
    to.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  app = await startApp();
  const post = (path: string, body: object) =>
    app.server.request(`/api/v1${path}`, { body });
  await post("/model-providers", {
    name: "pictures",
    displayName: "Pictures",
    kind: "openai-compatible",
    config: { baseUrl: painter.url, apiKey: "key" },
  });
  await post("/models", { id: "painter", name: "Painter", kind: "image" });
  const offer = {
    modelId: "painter",
    providerName: "pictures",
    providerModelId: "painter",
  };
  await post("/available-models", { id: "pictures/painter", ...offer });
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await painter[Symbol.asyncDispose]();
});

/** A PNG: a light sky above a dark lake. */
function drawPicture(): Buffer {
  const row = (at: number) => {
    const isSky = at < HEIGHT / 2;
    const colour = isSky ? [214, 228, 235] : [44, 92, 110];
    return Buffer.concat([Buffer.of(0), Buffer.alloc(WIDTH * 3, Buffer.from(colour))]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2], 8); // 8 bits of each of three colours
  const rows = Buffer.concat(Array.from({ length: HEIGHT }, (_, at) => row(at)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND")];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const shownIn = (of: Page) => of.getByRole("img", { name: "a-paper-boat-on-a-lake.png" });
const widthOf = (of: Page) =>
  shownIn(of).evaluate((image) => "naturalWidth" in image && image.naturalWidth);

test("a picture that a reply makes is shown, opened large by a click, and saved", async () => {
  app.provider.answerTurns(
    { toolCalls: [{ name: "make_image", arguments: { prompt: PROMPT } }] },
    { text: ["There it is: a paper boat on a lake."] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Draw me a boat", tools: ["toolset:images"], stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  conversation = `/c/${conversationId}`;
  await showPage(page, conversation);
  await expect.poll(() => widthOf(page)).toBe(WIDTH);
  await page.getByText("There it is").waitFor();
  const box = await shownIn(page).boundingBox();
  // as wide as its height lets it be, not in the margin
  expect(box?.width).toBeGreaterThan(400);
  await look(page, "picture");
  await shownIn(page).click();
  const large = page.getByRole("dialog", { name: "a-paper-boat-on-a-lake.png" });
  await large.getByRole("img").waitFor();
  await look(page, "picture-large");
  const savingLarge = page.waitForEvent("download");
  await large.getByRole("link", { name: "Save the picture" }).click();
  expect((await savingLarge).suggestedFilename()).toBe("a-paper-boat-on-a-lake.png");
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Download .*a-paper-boat/ }).click();
  expect((await saving).suggestedFilename()).toBe("a-paper-boat-on-a-lake.png");
  expect(await brokenRules(page)).toEqual([]);
  expect(app.problems).toEqual([]);
});

test("nobody reads a picture without signing in", async () => {
  const address = await shownIn(page).getAttribute("src");
  const stranger = await app.open();
  expect((await stranger.request.get(String(address))).status()).toBe(401);
  await stranger.context().close();
});

test("on a dark phone, in German, a picture fits the screen", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, conversation);
  await shownIn(phone).scrollIntoViewIfNeeded();
  await expect.poll(() => widthOf(phone)).toBe(WIDTH);
  const box = await shownIn(phone).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  expect(box?.width).toBeGreaterThan(200);
  await look(phone, "picture-phone-de-dark");
  await shownIn(phone).tap();
  await phone.getByRole("dialog").getByRole("link", { name: "Bild speichern" }).waitFor();
  await look(phone, "picture-large-phone-de-dark");
  await phone.getByRole("dialog").getByRole("button", { name: "Schließen" }).tap();
  await phone.getByRole("dialog").waitFor({ state: "detached" });
  expect((await inspectPage(phone, app.server.url)).excess).toBe(0);
  expect(await brokenRules(phone)).toEqual([]);
  expect(app.problems).toEqual([]);
  await phone.context().close();
});
