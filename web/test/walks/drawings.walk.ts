import { mkdir } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Canary, startCanary, watchActivity } from "../../../test/support/browser.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";

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

/** For looking at, where a folder is named. */
async function look(shown: Page, name: string): Promise<void> {
  const folder = process.env["LOOK_DIR"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await shown.screenshot({
    path: `${folder}/drawings-${name}.png`,
    animations: "disabled",
  });
}

const TEXTS = {
  en: { message: "Message", send: "Send", answer: "Answer" },
  de: { message: "Nachricht", send: "Senden", answer: "Antwort" },
};

/** Asks, and returns the answer once it is whole. */
async function answerTo(
  shown: Page,
  text: string,
  language: keyof typeof TEXTS = "en",
): Promise<Locator> {
  const { message, send, answer } = TEXTS[language];
  answerWith(app.provider, text.match(/[\s\S]{1,40}/g) ?? []);
  await shown.goto("/");
  await shown.getByRole("textbox", { name: message }).fill("Draw it");
  await shown.getByRole("button", { name: send }).click();
  await shown.waitForURL(/\/c\/[0-9a-f-]{36}/);
  await shown.getByRole("button", { name: send }).waitFor();
  return shown.getByRole("article", { name: answer }).last();
}

const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n\n`;
const FLOW = fence(
  "mermaid",
  "flowchart LR\n  A[Ask] --> B{Known?}\n  B -->|yes| C[Answer]",
);
const SEQUENCE = fence(
  "mermaid",
  "sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi",
);
const CHART = fence(
  "vega-lite",
  JSON.stringify({
    data: {
      values: [
        { month: "Jan", sold: 28 },
        { month: "Feb", sold: 55 },
      ],
    },
    mark: "bar",
    encoding: {
      x: { field: "month", type: "nominal" },
      y: { field: "sold", type: "quantitative" },
    },
  }),
);

/** What an element of a drawing is set in, and whether the frame has it. */
function typefaceOf(text: Locator) {
  return text.evaluate((element) => {
    const { defaultView, fonts } = element.ownerDocument;
    const names = defaultView?.getComputedStyle(element).fontFamily ?? "";
    return {
      family: names.split(",")[0]?.replaceAll('"', ""),
      isLoaded: [...fonts].some(
        ({ family, status }) => family === "Figtree" && status === "loaded",
      ),
    };
  });
}

test("diagrams and charts are drawn, with their source, data and a file", async () => {
  const answer = await answerTo(page, FLOW + SEQUENCE + CHART);
  const flow = answer.frameLocator("iframe >> nth=0");
  await flow.getByText("Known?").waitFor();
  await answer.frameLocator("iframe >> nth=1").getByText("Hello").first().waitFor();
  const chart = answer.frameLocator("iframe >> nth=2");
  await chart.locator("svg path[aria-roledescription=bar]").nth(1).waitFor();
  for (const at of [0, 1, 2]) {
    const text = answer
      .frameLocator(`iframe >> nth=${at}`)
      .locator("svg text, svg span")
      .first();
    expect(await typefaceOf(text)).toEqual({ family: "Figtree", isLoaded: true });
  }
  await look(page, "light");
  await answer.getByText("Data of the chart").focus();
  await page.keyboard.press("Enter");
  await answer.getByRole("cell", { name: "55" }).waitFor();
  await answer.getByRole("button", { name: "Show the source" }).first().focus();
  await page.keyboard.press("Enter");
  await answer.locator("pre").getByText("flowchart LR").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    answer.getByRole("button", { name: "Save the picture" }).last().click(),
  ]);
  const chunks = await Array.fromAsync(await download.createReadStream());
  expect(Buffer.concat(chunks).toString()).toMatch(
    /^<svg[^>]*xmlns="http:\/\/www\.w3\.org/,
  );
  expect(app.problems).toEqual([]);
});

test("what stands below a chart stays where it is when the chart comes", async () => {
  const shown = await app.openSignedIn();
  await answerTo(shown, `${CHART}Below the chart.`);
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  await shown.route("**/frame/drawing.html", async (route) => {
    await isLetGo;
    await route.continue();
  });
  await shown.reload();
  const answer = shown.getByRole("article", { name: "Answer" }).last();
  const figure = answer.locator("figure");
  await figure.getByText("Data of the chart").waitFor();
  const distance = async () => {
    const [top, below] = await Promise.all(
      [figure, answer.getByText("Below the chart.")].map((part) => part.boundingBox()),
    );
    return Math.round((below?.y ?? 0) - (top?.y ?? 0));
  };
  const before = await distance();
  expect(before).toBeGreaterThan(260);
  letGo();
  await answer.frameLocator("iframe").locator("svg path").first().waitFor();
  await answer.locator("figure[aria-busy=false]").waitFor();
  await expect
    .poll(async () => Math.abs((await distance()) - before))
    .toBeLessThanOrEqual(2);
  await shown.context().close();
});

test("a block that has not ended is text, and one that is wrong says why", async () => {
  const open = "```mermaid\nflowchart LR\n  A --> B";
  const answer = await answerTo(page, open);
  await answer.locator("pre").getByText("flowchart LR").waitFor();
  expect(await answer.locator("iframe").count()).toBe(0);
  const remote = JSON.stringify({
    data: { url: `${canary.origin}/data.json` },
    mark: "bar",
  });
  const wrong = await answerTo(
    page,
    fence("mermaid", "flowchart LR\n  A -->") +
      fence("vega-lite", "{ no") +
      fence("vega", remote),
  );
  await expect.poll(() => wrong.getByText("could not be drawn:").count()).toBe(3);
  await wrong.locator("pre").getByText("{ no").waitFor();
  await look(page, "wrong");
  expect(canary.paths).toEqual([]);
});

test("in German, dark, on a phone", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  const answer = await answerTo(phone, FLOW + CHART, "de");
  await answer.frameLocator("iframe >> nth=0").getByText("Known?").waitFor();
  await answer.frameLocator("iframe >> nth=1").locator("svg path").first().waitFor();
  await answer.getByText("Daten des Diagramms").tap();
  await answer.getByRole("cell", { name: "Feb" }).waitFor();
  const excess =
    "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await phone.evaluate(excess)).toBe(0);
  await look(phone, "german");
  await phone.context().close();
  expect(app.problems).toEqual([]);
});

/** Diagrams and charts that try to run a script or to send a request. */
function hostileDrawings(origin: string): string {
  const values = [{ a: 1, u: `${origin}/mark.png`, h: `${origin}/link` }];
  return [
    fence(
      "mermaid",
      `flowchart LR\n  A["<img src='${origin}/a' onerror='alert(1)'>"] --> B`,
    ),
    fence(
      "mermaid",
      `flowchart LR\n  A --> B\n  click A "javascript:alert(1)"\n  click B href "${origin}/b"`,
    ),
    fence(
      "mermaid",
      `%%{init: {"securityLevel": "loose", "themeCSS": "@import '${origin}/t.css'; * { background: url(${origin}/u.png) }"}}%%\nflowchart LR\n  A["<script>alert(1)</script>"] --> B`,
    ),
    fence(
      "mermaid",
      `flowchart LR\n  A@{ img: "${origin}/i.png", label: "x", w: 60, h: 60 } --> B`,
    ),
    fence(
      "vega-lite",
      JSON.stringify({
        data: { values },
        mark: { type: "image" },
        encoding: { url: { field: "u" }, href: { field: "h" }, x: { field: "a" } },
      }),
    ),
    fence("vega-lite", JSON.stringify({ data: { url: `${origin}/d.json` }, mark: "bar" })),
    fence(
      "vega",
      JSON.stringify({
        $schema: "https://vega.github.io/schema/vega/v6.json",
        signals: [{ name: "s", init: "constructor.constructor('alert(1)')()" }],
        data: [
          {
            name: "x",
            values: [1],
            transform: [{ type: "formula", as: "y", expr: "alert(1)" }],
          },
        ],
        marks: [
          { type: "image", encode: { enter: { url: { value: `${origin}/m.png` } } } },
        ],
      }),
    ),
    fence(
      "vega-lite",
      JSON.stringify({ data: { sequence: { start: 0, stop: 1e12 } }, mark: "bar" }),
    ),
  ].join("text between\n\n");
}

test("hostile diagrams run no script and send no request", async () => {
  const shown = await app.openSignedIn();
  const activity = watchActivity(
    shown.context(),
    (url) => url.startsWith(`${app.server.url}/`) || /^(?:blob|data):/.test(url),
  );
  const answer = await answerTo(shown, hostileDrawings(canary.origin));
  const settled = () =>
    answer
      .locator("figure[aria-busy=true]")
      .count()
      .then((count) => count === 0);
  await expect.poll(settled).toBe(true);
  await look(shown, "hostile");
  expect(await answer.locator("iframe:not([sandbox='allow-scripts'])").count()).toBe(0);
  expect(activity.dialogs).toEqual([]);
  // what the policy refuses is asked of nobody: the server of all these addresses heard nothing
  expect(canary.paths).toEqual([]);
  await shown.context().close();
});
