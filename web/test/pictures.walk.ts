import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import PDFDocument from "pdfkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type App, PHONE, startApp } from "./support/app.ts";
import { asksOf } from "./support/fill/asks.ts";

/**
 * Takes the pictures of docs/web-app.md, for `npm run pictures:web`. They are taken again by hand
 * when the app looks different, so that a change of the look is a change that somebody saw.
 */
const FOLDER = process.env["PICTURES_DIR"] ?? "";
const WIDE = { width: 1280, height: 800 };

const HANDBOOK = [
  "# Handbook",
  "## Leave",
  "Everybody who works full time has 31 days of leave a year. Part-time staff have a share of it.",
  "Leave that is not taken by the end of March of the next year is lost.",
  "## Travel",
  "Book trains first. A flight needs the agreement of the head of the department.",
].join("\n\n");
const ANSWER = [
  "Full-time staff have **31 days of leave** a year.[1]",
  "\n\nLeave that is left over must be taken **by the end of March** of the next year.[1]",
];

let app: App;
beforeAll(async () => {
  if (!FOLDER) return;
  await mkdir(FOLDER, { recursive: true });
  app = await startApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function take(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
}

test.runIf(FOLDER)("pictures of the app", async () => {
  app.provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["Days of leave"] }
      : { text: ANSWER },
  );
  const page = await app.openSignedIn({ viewport: WIDE });
  await page.goto("/welcome");
  await page.locator("input[type=file]").setInputFiles({
    name: "handbook.md",
    mimeType: "text/markdown",
    buffer: Buffer.from(HANDBOOK),
  });
  await page.getByText(/handbook.md\W* is ready/).waitFor();
  await take(page, "welcome");
  await page
    .getByRole("textbox", { name: "Question" })
    .fill("How many days of leave do we have?");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.waitForURL(/\/c\//);
  const source = page.getByRole("button", { name: /^Source 1: handbook.md/ }).first();
  await source.waitFor();
  await page.getByRole("link", { name: "Days of leave" }).first().waitFor();
  await take(page, "chat");
  await source.click();
  await page.getByRole("dialog").getByText("works full time").first().waitFor();
  await take(page, "source");
  const conversation = page.url();
  for (const [name, path] of [
    ["documents", "/documents"],
    ["history", "/history"],
    ["sessions", "/settings/security"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("list").last().waitFor();
    await take(page, name);
  }
  const phone = await app.openSignedIn({
    viewport: PHONE,
    locale: "de-DE",
    colorScheme: "dark",
    hasTouch: true,
  });
  await phone.goto(conversation);
  await phone.getByText("31 days of leave").first().waitFor();
  await take(phone, "phone");
});

const REPORT = [
  "Energy report of the Basel site, 2025",
  "The building needs 168 kW on the coldest days. The courtyard has room for eight probes.",
  "A ground-source pump uses 31 % less electricity than two air-source units at this flow temperature.",
];
const SUBSIDIES =
  "# Subsidies for heating, 2026\n\nThe canton pays € 58,000 for a ground-source heat pump, if the " +
  "request arrives before the work begins. Requests received after work has begun are refused.";
const COSTS =
  "# Offers for the heating of the Basel site\n\nGround source with six probes costs € 412,000 and " +
  "then € 31,400 a year. Two air-source units cost € 264,000 and then € 47,900 a year.";
const COMPARED = `## Ground source costs most to build and least to own

For the Basel site a ground-source pump with six probes is the dearest to build and the cheapest over fifteen years.[1] The building needs 168 kW on the coldest days, and the courtyard has room for eight probes.[2]

- **Running costs.** It uses 31 % less electricity than two air-source units.[2]
- **Noise.** Nothing stands outside.
- **Subsidy.** The canton pays € 58,000 if the request arrives before the work begins.[3]

| Option | Invested | Per year | Over 15 years |
|---|---:|---:|---:|
| **Ground source, 6 probes** | **€ 412,000** | **€ 31,400** | **€ 883,000** |
| Air source, 2 units | € 264,000 | € 47,900 | € 982,500 |

The sums are those of the two offers, without interest.[1]
`;
const EARLIER = [
  "Travel policy, open questions",
  "Translate the safety sheet",
  "Minutes of the planning meeting",
  "Why is the invoice run slow?",
  "Onboarding plan for March",
  "Comparison of two leasing offers",
  "Letters for the third quarter",
];

/** A page of a PDF with a title. */
async function pdfOf([title = "", ...paragraphs]: readonly string[]): Promise<File> {
  const document = new PDFDocument({ margin: 72 });
  const parts: Buffer[] = [];
  const done = new Promise<void>((resolve) => document.on("end", resolve));
  document.on("data", (part: Buffer) => parts.push(part));
  document.fontSize(20).text(title).moveDown();
  for (const paragraph of paragraphs) document.fontSize(12).text(paragraph).moveDown();
  document.end();
  await done;
  return new File([Buffer.concat(parts)], "Energy report Basel 2025.pdf", {
    type: "application/pdf",
  });
}

test.runIf(FOLDER)("the first picture: an answer with its sources beside it", async () => {
  const asks = asksOf(app);
  let title = "";
  app.provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: [title] }
      : { text: [COMPARED], usage: { inputTokens: 4_890, outputTokens: 1_250 } },
  );
  await asks.patch("/api/v1/auth/me", { name: "Nina Weber" });
  const docIds: string[] = [];
  for (const file of [
    await pdfOf(REPORT),
    new File([SUBSIDIES], "Subsidies for heating 2026.md"),
    new File([COSTS], "Offers for heating.md"),
  ])
    docIds.push((await asks.upload("/api/v1/documents", file)).id);
  const areRead = async () => {
    const { items } = await asks.get<{ items: { status: string }[] }>("/api/v1/documents");
    expect(items.map(({ status }) => status)).toEqual(items.map(() => "PROCESSED"));
  };
  await vi.waitFor(areRead, { timeout: 120_000, interval: 200 });
  const agent = await asks.post("/api/v1/agent", {
    name: "Facilities",
    icon: "building",
    type: "cortex",
    description: "Knows the buildings, their meters and their costs.",
    retrieval: { docIds },
  });
  const ask = async (content: string, more: object = {}) => {
    title = content;
    const sent = await asks.post<{ conversationId: string }>("/api/v1/conversation", {
      content,
      stream: false,
      ...more,
    });
    await asks.patch(`/api/v1/conversation/${sent.conversationId}`, { title });
    return sent.conversationId;
  };
  for (const earlier of EARLIER.toReversed()) await ask(earlier);
  const id = await ask("Which heat pump fits the Basel site?", { agentId: agent.id });
  await asks.patch(`/api/v1/conversation/${id}`, {
    title: "Heat pumps for the Basel site",
  });
  const page = await app.openSignedIn({ viewport: { width: 1440, height: 900 } });
  await page.goto(`/c/${id}`);
  await page
    .getByRole("button", { name: /^Source 3: Subsidies/ })
    .first()
    .waitFor();
  await page.getByRole("navigation", { name: "Menu" }).getByText("Heat pumps").waitFor();
  await take(page, "answer");
  await page.goto("/");
  await page.getByRole("region", { name: "Last documents" }).waitFor();
  await page.getByRole("region", { name: "Your agents" }).waitFor();
  await take(page, "start");
  await page.context().close();
});
