import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startToolServer, type ToolServer } from "../../../test/support/tool-server.ts";
import { type App, startApp } from "../support/app.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let app: App;
let page: Page;
let town: ToolServer;
beforeAll(async () => {
  town = await startToolServer({
    draw: {
      run: () => ({
        content: [
          { type: "text", text: "here" },
          { type: "image", data: PIXEL, mimeType: "image/png" },
          {
            type: "resource",
            resource: {
              uri: "file:///plan.html",
              mimeType: "text/html",
              blob: Buffer.from("<script>alert(1)</script>").toString("base64"),
            },
          },
        ],
      }),
    },
  });
  const servers = [{ name: "town", url: town.url }];
  app = await startApp({ env: { MCP_SERVERS: JSON.stringify(servers) } });
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await town[Symbol.asyncDispose]();
});

test("images of a tool's result are shown at its call, other files are saved, none runs", async () => {
  app.provider.answerTurns(
    { toolCalls: [{ name: "draw", arguments: {} }] },
    { text: ["Drawn"] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Draw", tools: ["draw"], stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  await page.goto(`/c/${conversationId}`);
  await page.locator("summary", { hasText: "draw" }).locator("visible=true").click();
  const image = page.getByRole("img", { name: "Image 1 of the result" });
  await expect
    .poll(() => image.evaluate((shown) => "naturalWidth" in shown && shown.naturalWidth))
    .toBe(1);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: /plan\.html/ }).click();
  expect((await saving).suggestedFilename()).toBe("plan.html");
  expect(app.problems).toEqual([]);
});
