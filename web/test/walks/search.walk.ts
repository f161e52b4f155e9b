import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Page } from "playwright-core";
import { type App, PHONE, startApp } from "../support/app.ts";

let app: App;
let page: Page;
const HOSTILE = "<img src=x onerror=alert(1)>\u202E.md";

beforeAll(async () => {
  app = await startApp({ withModel: false });
  await upload("handbook.md", "# Handbook\n\nStaff have 31 days of leave a year.");
  await upload("travel.md", "# Travel\n\nBook trains first.");
  await upload(HOSTILE, "Leave <script>alert(2)</script> to the others.");
  await upload("broken.pdf", "%PDF-1.7 garbage");
  await vi.waitFor(async () => expect(await countUnfinished()).toBe(0), 90_000);
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

async function upload(name: string, text: string): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob([text]), name);
  const headers = { authorization: `Bearer ${app.server.token}` };
  await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers,
    body: form,
  });
}

async function countUnfinished(): Promise<number> {
  const listed = await app.server.request("/api/v1/documents");
  const { items } = (await listed.json()) as { items: { status: string }[] };
  return items.filter(({ status }) => status !== "PROCESSED" && status !== "FAILED").length;
}

const engine = (name: string) => page.getByRole("region", { name, exact: true });
const why = () => page.getByRole("region", { name: "Why is a document not found?" });
const choose = async (name: string) => {
  await why().getByLabel("Part of its name").fill(name.slice(0, 6));
  await why().getByRole("button", { name }).click();
};

test("a question shows what each way of searching finds, and opens a passage on its page", async () => {
  await page.goto("/documents");
  await page.getByRole("link", { name: "Try the search" }).click();
  await page.getByLabel("Question").fill("How many days of leave?");
  await page.keyboard.press("Enter");
  for (const name of ["By meaning", "By meaning and words"])
    await engine(name).getByText("Result 1: handbook.md").waitFor();
  // what stands in a result is no wider than it
  const widths = await page
    .locator("ol button > span")
    .evaluateAll((parts) =>
      parts.map((part) => part.clientWidth - (part.parentElement?.clientWidth ?? 0)),
    );
  expect(Math.max(...widths)).toBeLessThanOrEqual(0);
  await engine("By meaning and words").getByRole("button").first().click();
  const dialog = page.getByRole("dialog", { name: "handbook.md" });
  await dialog.getByText("Staff have 31 days of leave a year.").waitFor();
  await page.keyboard.press("Escape");
  expect(new URL(page.url()).searchParams.get("q")).toBe("How many days of leave?");
  expect(app.problems).toEqual([]);
});

test("a document that is not found says why, for each way of searching", async () => {
  await page.goto("/documents/try?q=days+of+leave&grade=0.9");
  await choose("travel.md");
  await why()
    .getByText(/Too far from the question/)
    .first()
    .waitFor();
  await why().getByText("It has no word of the question.").waitFor();
  await why().getByRole("link", { name: "Another document" }).click();
  await choose("broken.pdf");
  await why()
    .getByText(/Not ready to be searched/)
    .first()
    .waitFor();
  await why().getByRole("link", { name: "Another document" }).click();
  await choose("handbook.md");
  await why().getByText("Found, at place 1.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("by touch on a narrow screen it works, and hostile names and texts are inert", async () => {
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  await phone.goto("/documents/try");
  await phone.getByLabel("Question").fill("leave to the others");
  await phone.getByRole("button", { name: "Search" }).tap();
  const found = phone.getByRole("region", { name: "By meaning and words" });
  await found.getByRole("button").filter({ hasText: "<script>" }).first().tap();
  await phone.getByRole("dialog").getByText("<script>alert(2)</script>").waitFor();
  const excess = await phone.evaluate<number>(
    "document.documentElement.scrollWidth - innerWidth",
  );
  expect(excess).toBeLessThanOrEqual(0);
  expect(app.problems).toEqual([]);
  await phone.context().close();
});
