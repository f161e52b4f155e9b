import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { BROWSER, cookieOf } from "../../../test/support/session-cookie.ts";

const MEMBER = { email: "member@test.example", password: "a long enough password" };

let app: App;
let memberId: string;
beforeAll(async () => {
  app = await startApp();
  memberId = await make("/users", { ...MEMBER, name: "Mira" });
});
afterAll(() => app[Symbol.asyncDispose]());

async function make(path: string, body: unknown): Promise<string> {
  const answer = await app.server.request(`/api/v1${path}`, { body });
  expect([path, answer.ok]).toEqual([path, true]);
  return ((await answer.json()) as { id: string }).id;
}

async function share(resourceType: string, resourceId: string): Promise<void> {
  const shares = [{ subjectType: "user", subjectId: memberId, accessRole: "viewer" }];
  await make("/sharing/share", { resourceType, resourceId, shares });
}

/** A page on which the member is signed in. */
async function openAsMember(options?: Parameters<App["open"]>[0]): Promise<Page> {
  const [name = "", value = ""] = (await cookieOf(app.server, MEMBER, BROWSER)).split("=");
  const page = await app.open(options);
  await page.context().addCookies([{ name, value, url: app.server.url }]);
  return page;
}

test("whoever does not own a thing reads why they see it", async () => {
  const page = await openAsMember();
  const why = page.locator("summary", { hasText: "Why you can see this" });
  const reads = async (path: string, sentence: RegExp) => {
    await page.goto(path);
    await why.click();
    await page.getByText(sentence).waitFor();
  };
  const agent = await make("/agent", { name: "Given", type: "simple" });
  await share("agent", agent);
  await reads(`/agents/${agent}`, /shared it with you/);
  await page.getByText("You may read.").waitFor();

  const folder = await make("/documents/folders", { name: "Plans" });
  await share("folder", folder);
  await reads(`/documents/${folder}`, /shared it with you/);
  const form = new FormData();
  form.set("folderId", folder);
  form.set("file", new Blob(["Holidays: 31 days."]), "plan.txt");
  const uploaded = await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  const { id: document } = (await uploaded.json()) as { id: string };
  await reads(`/documents/d/${document}`, /shared the folder .*Plans.* with you/);

  const scope = "personal";
  const template = await make("/templates", { name: "Letter", content: "Dear", scope });
  await share("template", template);
  await reads(`/templates/${template}`, /shared it with you/);
  const ofAll = { name: "Memo", content: "To all", scope: "organization" };
  await reads(
    `/templates/${await make("/templates", ofAll)}`,
    /belongs to the organisation/,
  );
  expect(app.problems).toEqual([]);
});

test("on a phone in German, a shared conversation says why it is seen", async () => {
  const answer = await app.server.request("/api/v1/conversation", {
    body: { content: "Hello", stream: false },
  });
  const { conversationId } = (await answer.json()) as { conversationId: string };
  await share("conversation", conversationId);
  const page = await openAsMember({ viewport: PHONE, hasTouch: true, locale: "de-DE" });
  await page.goto(`/c/${conversationId}`);
  await page.getByRole("button", { name: "Mehr" }).tap();
  await page.getByRole("menuitem", { name: "Warum Sie das sehen" }).tap();
  await page.getByText(/hat es für Sie freigegeben/).waitFor();
  expect(app.problems).toEqual([]);
});
