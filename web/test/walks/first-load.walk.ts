import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";

/** Of scripts and styles, as gzip sends them. */
const MAX_FIRST_LOAD_BYTES = 200_000;
/** Each costs a request and its headers: `web/chunks.ts` gathers what is small. */
const MAX_FILES = 9;
/** Of the typefaces, which come beside them: text is shown before they are there. */
const MAX_FONT_BYTES = 60_000;
const FONT = /\.woff2$/;

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test("the page is usable after at most 200 kB, before it fetches what opens later", async () => {
  const page = await app.openSignedIn({ extraHTTPHeaders: { "accept-encoding": "gzip" } });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const urls = new Map<string, string>();
  const loaded: { url: string; bytes: number }[] = [];
  session.on("Network.responseReceived", ({ requestId, response }) =>
    urls.set(requestId, response.url),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    loaded.push({ url: urls.get(requestId) ?? "", bytes: encodedDataLength }),
  );
  // what is fetched on idle comes after the first load
  await page.addInitScript("globalThis.requestIdleCallback = () => 0");
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const files = loaded.filter(({ url }) => !url.includes("/api/") && !FONT.test(url));
  const bytes = sumOf(files);
  console.log(`first load: ${bytes} bytes in ${files.length} files`);
  expect(files.length).toBeGreaterThan(2);
  expect(files.length).toBeLessThanOrEqual(MAX_FILES);
  expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
  await page.evaluate("document.fonts.ready");
  const fonts = loaded.filter(({ url }) => FONT.test(url));
  expect(fonts.length).toBeGreaterThan(0);
  expect(sumOf(fonts)).toBeLessThanOrEqual(MAX_FONT_BYTES);
});

function sumOf(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

test("nothing is loaded from elsewhere", async () => {
  const page = await app.openSignedIn();
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(app.server.url)) foreign.push(request.url());
  });
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  expect(foreign).toEqual([]);
  expect(app.problems).toEqual([]);
});
