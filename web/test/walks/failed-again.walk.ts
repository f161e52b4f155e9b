import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";

/** What failed in a folder, or of a search, is processed again together. */

const SCANS = ["deed.pdf", "map.pdf", "plan.pdf", "survey.pdf", "title.pdf"];

let app: App;
let folderId: string;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  const made = await app.server.request("/api/v1/documents/folders", {
    body: { name: "Scans" },
  });
  ({ id: folderId } = (await made.json()) as { id: string });
  for (const name of SCANS) await upload(name, folderId);
  await upload("elsewhere.pdf");
  await failed(6);
});
afterAll(() => app[Symbol.asyncDispose]());

async function upload(name: string, folder?: string): Promise<void> {
  const form = new FormData();
  if (folder) form.set("folderId", folder);
  const bytes = `%PDF-1.7\nthis is no document, but ${name}`;
  form.set("file", new File([bytes], name, { type: "application/pdf" }));
  const { status } = await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  expect(status).toBe(201);
}

const failed = (count: number) =>
  vi.waitFor(async () => {
    const answer = await app.server.request("/api/v1/documents?status=FAILED");
    expect(await answer.json()).toMatchObject({ total: count });
  }, 90_000);

test("a folder says how many documents it has; what failed in it is processed again, and stopped", async () => {
  const page = await app.openSignedIn();
  const again: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/documents/*/reprocess", async (route) => {
    again.push(route.request().url());
    await held;
    await route.continue();
  });
  await page.goto("/documents");
  const folder = page.getByRole("link", { name: /Scans/ });
  await folder.getByText("5 documents").waitFor();
  await look(page, "documents-counts-1400");
  await folder.click();
  const button = page.getByRole("button", { name: "Process failed ones again" });
  await button.click();
  await page.getByText("0 of 5").first().waitFor();
  await look(page, "documents-failed-again-1400");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  release();
  await page.getByText(/2 were not begun/).waitFor();
  expect(again).toHaveLength(3);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("2 documents are processed again.").waitFor();
  expect(again).toHaveLength(5);
  await failed(6);
  await page.goto("/documents?q=elsewhere");
  await button.click();
  await page.getByText("1 document is processed again.").waitFor();
  expect(again).toHaveLength(6);
  await page.goto("/documents?q=nothing");
  await page.getByText("No document fits").waitFor();
  await page.getByRole("button", { name: "Process failed ones again" }).waitFor({
    state: "detached",
  });
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("many that are left as they failed do not hide the one that is tried again", async () => {
  const answer = await app.server.request(`/api/v1/documents?status=FAILED&limit=100`);
  const { items } = (await answer.json()) as { items: { id: string; fileName: string }[] };
  const asked: string[] = [];
  const page = await app.openSignedIn();
  page.on("request", (request) => {
    if (/\/documents\?.*status=FAILED/.test(request.url())) asked.push(request.url());
  });
  for (const { id, fileName } of items)
    if (fileName !== "elsewhere.pdf")
      await app.server.request(`/api/v1/documents/${id}/skip`, { method: "POST" });
  await page.goto("/documents");
  await page.getByRole("button", { name: "Process failed ones again" }).click();
  await page.getByText("1 document is processed again.").waitFor();
  expect(asked.length).toBeGreaterThan(0);
  // whatever number of them there is, the server leaves them out
  expect(asked.every((url) => url.includes("skipped=false"))).toBe(true);
  await failed(6);
  await page.goto(`/documents/${folderId}`);
  await page.getByText("failed, left as it is").first().waitFor();
  await page.getByRole("button", { name: "Process failed ones again" }).waitFor({
    state: "detached",
  });
  expect(app.problems).toEqual([]);
  await page.context().close();
});
