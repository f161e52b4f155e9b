import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Canary, startCanary, watchActivity } from "../../../test/support/browser.ts";
import { DESKTOP, PHONE } from "../support/app.ts";
import { type FilledApp, fillApp } from "../support/fill/fill-app.ts";
import { BIDI_END, hostileWords, MARK } from "../support/fill/words.ts";
import { type Findings, inspectPage } from "../support/inspect-page.ts";
import { showPage } from "../support/show-page.ts";

/** Pages that show nothing that somebody wrote. */
const WITHOUT_TEXTS = [
  "/welcome",
  "/settings/preferences",
  "/settings/tools",
  "/settings/connections",
  "/settings/data",
  "/admin", // leads to the first part
  "/admin/overview", // of the filled installation only numbers
  "/admin/feedback", // nobody judged an answer
  "/admin/users/deleted", // nobody was deleted
  "/admin/users/provisioning",
  "/admin/parsing",
  "/admin/embedding",
  "/admin/queues",
  "/admin/locks",
  "/admin/system",
  "/documents/try",
  "/documents/measure",
  "/admin/tools/servers",
  "/admin/users/external",
  "/admin/roles/reader",
  "/admin/new-role?from=reader",
  "/flows/account",
  "/agents/new",
  "/agents?view=organization", // nobody offers one to all
  "/templates/new",
  "/text",
  "/text?tool=translation",
  "/text?tool=summarisation",
];

let canary: Canary;
let filled: FilledApp;
beforeAll(async () => {
  canary = await startCanary();
  filled = await fillApp(hostileWords(canary.origin));
}, 600_000);
afterAll(async () => {
  await filled?.[Symbol.asyncDispose]();
  await canary?.[Symbol.asyncDispose]();
});

const NOTHING: Findings = { elements: [], notIsolated: [], excess: 0, isMarked: true };

test("hostile names and texts are inert on every page, wide and narrow", async () => {
  const { app, pages } = filled;
  const page = await app.openSignedIn();
  const activity = watchActivity(page.context(), (url) => isOwn(url, app.server.url));
  for (const path of [
    ...pages.filter((one) => one.needsSession).map((one) => one.path),
    ...reflecting(canary.origin),
  ]) {
    await page.setViewportSize(DESKTOP);
    await showPage(page, path);
    const isMarked = !WITHOUT_TEXTS.includes(path) && !path.includes("/00000000-");
    const expected = { path, ...NOTHING, isMarked };
    const wide = isMarked
      ? await lookOnceMarked(page)
      : { ...(await look(page)), isMarked };
    expect.soft({ path, ...wide }).toEqual(expected);
    await page.setViewportSize(PHONE);
    const narrow = { ...(await look(page)), isMarked };
    expect.soft({ path, ...narrow }).toEqual(expected);
    const done = { dialogs: activity.dialogs.splice(0), problems: app.problems.splice(0) };
    const requests = [...activity.requests.splice(0), ...canary.paths.splice(0)];
    expect.soft({ path, ...done, requests }).toEqual({
      path,
      dialogs: [],
      problems: [],
      requests: [],
    });
  }
}, 900_000);

const bidi = `${MARK} \u202Efdp.exe ${BIDI_END}`;

test.each([
  ["in an element of its own", `<p><bdi>${bidi}</bdi> shared</p>`, 0],
  ["between marks", `<p>\u2068${bidi}\u2069 shared</p>`, 0],
  ["in a line of its own", `<p>${bidi}<br>shared</p>`, 0],
  ["in a button", `<p><button>${bidi}</button> shared</p>`, 0],
  ["before words", `<p>${bidi} shared</p>`, 1],
  ["before words outside its element", `<p><span>${bidi}</span> shared</p>`, 1],
  ["before words behind another name", `<p><span>${bidi}</span> <bdi>for</bdi> all</p>`, 1],
  ["in a tooltip", `<p title="${bidi} shared"></p>`, 1],
])("a name that turns the words behind it is found: %s", async (_where, html, found) => {
  const page = await filled.app.open();
  await page.setContent(`<main>${html}</main>`);
  const { notIsolated } = await look(page);
  expect(notIsolated).toHaveLength(found);
  await page.context().close();
});

test.each([
  '<a href="javascript:alert(1)">a</a>',
  '<p onclick="alert(1)">a</p>',
  "<iframe></iframe>",
])("an element that only a text can have written is found: %s", async (html) => {
  const page = await filled.app.open();
  await page.setContent(`<main>${html}</main>`);
  expect((await look(page)).elements).toHaveLength(1);
  await page.context().close();
});

const look = (page: Page) => inspectPage(page, canary.origin);

/** Looks when texts of the test are shown: some lists come without a sign that they load. */
async function lookOnceMarked(page: Page): Promise<Findings> {
  await vi
    .waitUntil(async () => (await look(page)).isMarked, { timeout: 90_000 })
    .catch(() => undefined); // the caller says on which page none is shown
  return look(page);
}

/** Addresses that carry hostile text themselves. */
function reflecting(origin: string): string[] {
  const text = `${MARK} <img src="${origin}/x" onerror="alert(1)">\u202E`;
  const encoded = encodeURIComponent(text);
  return [
    `/history?q=${encoded}`,
    `/documents/try?q=${encoded}`,
    `/agents?q=${encoded}`,
    `/automations?q=${encoded}`,
    `/admin/users?q=${encoded}`,
  ];
}

function isOwn(url: string, server: string): boolean {
  return url.startsWith(`${server}/`) || url.startsWith("blob:") || url.startsWith("data:");
}
