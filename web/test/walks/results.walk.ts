import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Canary, startCanary } from "../../../test/support/browser.ts";
import { type App, PHONE, startApp } from "../support/app.ts";

/** Pages, pictures and components that a model wrote, run beside the chat. */

let app: App;
let canary: Canary;
let page: Page;
beforeAll(async () => {
  canary = await startCanary();
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await canary[Symbol.asyncDispose]();
});
beforeEach(() => {
  app.problems.length = 0;
});

const DONE = { text: ["Done."] };

/** Lets the model make a canvas in a chat, and opens it beside the chat. */
async function make(
  shown: Page,
  canvas: Record<"title" | "type" | "content" | "language", string>,
) {
  app.provider.answerTurns(
    { toolCalls: [{ name: "create_canvas", arguments: { ...canvas } }] },
    DONE,
  );
  const answered = await app.server.request("/api/v1/conversation", {
    body: {
      content: `Make ${canvas.title}`,
      tools: ["create_canvas"],
      approval: "never",
      stream: false,
    },
  });
  expect(answered.status).toBe(200);
  const { conversationId } = (await answered.json()) as { conversationId: string };
  const listed = await app.server.request(
    `/api/v1/canvas?conversationId=${conversationId}`,
  );
  const { items } = (await listed.json()) as { items: { id: string }[] };
  const canvasId = items[0]?.id ?? "";
  await shown.goto(`/c/${conversationId}/canvas/${canvasId}`);
  return { conversationId, canvasId };
}

test("a component runs, fails with its reason, and is fixed by the model", async () => {
  const broken = `import { useState } from "react";
export default function Counter() {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>{label.toUpperCase()} {count}</button>;
}`;
  const { canvasId } = await make(page, {
    title: "Counter",
    type: "code",
    language: "jsx",
    content: broken,
  });
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Show the result" }).click();
  await main.getByText("label is not defined").waitFor();
  const content = broken.replace("label.toUpperCase()", '"clicked"');
  app.provider.answerTurns(
    { toolCalls: [{ name: "update_canvas", arguments: { canvasId, content } }] },
    DONE,
  );
  await main.getByRole("button", { name: "Have it fixed" }).click();
  const button = page.frameLocator("iframe").getByRole("button", { name: /^clicked/ });
  await button.click();
  await page.frameLocator("iframe").getByText("clicked 1").waitFor();
  expect(await main.getByText("The result fails:").count()).toBe(0);
  // the model was asked with the reason
  expect(JSON.stringify(app.provider.requests)).toContain("label is not defined");
});

test("a page runs without an origin and without a network, and says what it lacks", async () => {
  const content = `<h1>Hello</h1><script>
  fetch("${canary.origin}/fetch").catch(() => document.body.append(" alone"));
  new Image().src = "${canary.origin}/image";
  let seen = [];
  for (const read of [() => parent.document.title, () => localStorage.length, () => document.cookie])
    try { seen.push(String(read())); } catch { seen.push("refused"); }
  document.body.append(seen.join(" "));
</script>`;
  await make(page, { title: "Page", type: "html", language: "html", content });
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Show the result" }).click();
  await page.frameLocator("iframe").getByText("refused refused refused").waitFor();
  await main.getByText("There is no network here").first().waitFor();
  expect(canary.paths).toEqual([]);
});

test("a picture is shown in German on a phone, in the dark", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  const content =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Punkt</title>' +
    '<circle cx="5" cy="5" r="3"/></svg>';
  await make(phone, { title: "Punkt", type: "code", language: "svg", content });
  await phone.getByRole("button", { name: "Ergebnis zeigen" }).tap();
  await phone.frameLocator("iframe").getByRole("img", { name: "Punkt" }).waitFor();
  const excess =
    "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await phone.evaluate(excess)).toBe(0);
  await phone.context().close();
});
