import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isTitle, type Script } from "../../../test/support/scripted-provider.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";

/** A question is researched: its plan approved, its progress seen, its report and sources read. */

/** A search engine and its pages. A page named `held` is answered when it is let go. */
let letGo: () => void;
const held = new Promise<void>((resolve) => (letGo = resolve));
const web = createServer((request, response) => void answer(request.url ?? "", response));
const answer = async (url: string, response: ServerResponse) => {
  const { pathname, searchParams } = new URL(url, origin);
  if (pathname === "/search") {
    const words = (searchParams.get("q") ?? "").split(" ");
    const results = words.map((word) => ({ url: `${origin}/${word}`, title: word }));
    return response.end(JSON.stringify({ results }));
  }
  if (pathname === "/gone") return response.writeHead(410).end("no");
  if (pathname === "/held") await held;
  const name = pathname.slice(1);
  response.setHeader("content-type", "text/html; charset=utf-8");
  return response.end(
    `<title>Of the ${name}</title><p>The ${name} is 1,094 kilometres long.</p>`,
  );
};

let app: App;
let page: Page;
let origin = "http://127.0.0.1";
beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // a TCP server has one
  app = await startApp({ env: { SEARXNG_URL: origin, RESEARCH_SEARCHES: "9" } });
  page = await app.openSignedIn();
});
afterAll(async () => {
  letGo();
  await app[Symbol.asyncDispose]();
  web.closeAllConnections();
  web.close();
});

/** What the model does: a plan of two steps, one investigation after the other, a report. */
function follow(first: string, language: "en" | "de"): void {
  const investigate = (step: number, query: string): Script => ({
    toolCalls: [
      {
        name: "investigate",
        arguments: { step, question: "How long is it?", queries: [query] },
      },
    ],
  });
  const report = `# Two rivers\n\nThe Elbe is 1,094 kilometres long [1]. It has 777 bridges [1].`;
  const turns: Script[] = [
    {
      toolCalls: [
        {
          name: "plan_research",
          arguments: { steps: ["How long is the Elbe?", "How long is the Weser?"] },
        },
      ],
    },
    investigate(1, first),
    investigate(2, "weser gone"),
    {
      toolCalls: [
        { name: "finish_research", arguments: { title: "Two rivers", report, language } },
      ],
    },
    { text: ["The Elbe is 1,094 kilometres long [1]."] },
  ];
  let at = 0;
  app.provider.answer((_, body) => {
    if (isTitle(body)) return { text: ["Rivers"] };
    if (String(body.messages[0]?.content).startsWith("You read for a colleague"))
      return { text: ["It is 1,094 kilometres long [1]."] };
    return turns[Math.min(at++, turns.length - 1)] ?? {};
  });
}

const planOf = (on: Page, name = "Plan of the research") =>
  on.getByRole("region", { name, exact: true });

test("a plan is changed and approved, runs without its page, and its report opens its sources", async () => {
  follow("elbe held", "en");
  await page.goto("/");
  await page.getByLabel("Message", { exact: true }).click();
  await page.keyboard.type("@Rese");
  await page.getByRole("option", { name: /Research/ }).click();
  await page.getByLabel("Message", { exact: true }).fill("How long are the rivers?");
  await page.keyboard.press("Enter");

  const card = page.getByRole("region", { name: "Approve this plan?" });
  await card.getByLabel("Step 2", { exact: true }).fill("And the Weser?");
  await card.getByRole("button", { name: "Add a step" }).click();
  await card.getByLabel("Step 3", { exact: true }).fill("Which one has more bridges?");
  await card.getByLabel("Searches at most").fill("5");
  await card.getByText("Allowed: 9", { exact: true }).waitFor();
  await look(page, "plan");
  await card.getByRole("button", { name: "Start the research" }).click();

  await planOf(page).getByText("in progress").waitFor({ state: "attached" });
  await look(page, "progress");
  // it goes on without its page
  const address = page.url();
  await page.goto("/agents");
  letGo();
  await page.goto(address);
  await planOf(page).getByText("Searches: 2 of 5. Pages: 4 of 60.").waitFor();
  const states = planOf(page).getByRole("listitem");
  expect(await states.allTextContents()).toEqual([
    "How long is the Elbe?done",
    "And the Weser?done",
    "Which one has more bridges?open",
  ]);
  await planOf(page).getByText("1 page could not be read").click();
  await planOf(page).getByText("410").waitFor();
  await look(page, "done");

  await page
    .getByRole("link", { name: /Two rivers/ })
    .locator("visible=true")
    .first()
    .click();
  const canvas = page.getByRole("region", { name: "Two rivers" }).last();
  await canvas.getByText("a figure of this is not in the cited passage").waitFor();
  await canvas.getByText("Not looked into: Which one has more bridges?").waitFor();
  await look(page, "report");
  await canvas
    .getByRole("button", { name: /^Source 1: Of the/ })
    .first()
    .click();
  const passage = page.getByRole("dialog", { name: /^Of the/ });
  await passage.getByText("is 1,094 kilometres long").waitFor();
  await look(page, "source");
  await page.keyboard.press("Escape");
  await passage.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("on a phone in German, in the dark: a plan is approved by keys, the report read", async () => {
  follow("elbe", "de");
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    colorScheme: "dark",
    locale: "de-DE",
  });
  const made = await app.server.request("/api/v1/conversation", {
    body: {
      content: "Wie lang sind die Flüsse?",
      agentId: "00000000-0000-7000-8000-000000000005",
      stream: false,
    },
  });
  const { conversationId } = (await made.json()) as { conversationId: string };
  await phone.goto(`/c/${conversationId}`);
  const card = phone.getByRole("region", { name: "Diesem Plan zustimmen?" });
  await card.getByLabel("Schritt 1", { exact: true }).waitFor();
  await look(phone, "phone-plan");
  await card.getByRole("button", { name: "Recherche beginnen" }).focus();
  await phone.keyboard.press("Enter");
  await planOf(phone, "Plan der Recherche")
    .getByText("Suchen: 2 von 9. Seiten: 3 von 60.")
    .waitFor();
  await phone
    .getByRole("link", { name: /Two rivers/ })
    .locator("visible=true")
    .first()
    .tap();
  const canvas = phone.getByRole("region", { name: "Two rivers" }).last();
  await canvas.getByText("eine Zahl davon steht nicht in der zitierten Stelle").waitFor();
  await look(phone, "phone-report");
  await canvas
    .getByRole("button", { name: /^Quelle 1: Of the/ })
    .first()
    .tap();
  await phone.getByRole("dialog", { name: /^Of the/ }).waitFor();
  await look(phone, "phone-source");
  expect(await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(
    true,
  );
  expect(app.problems).toEqual([]);
  await phone.close();
});
