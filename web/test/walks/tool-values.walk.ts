import { inputRequired } from "@modelcontextprotocol/server";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type StatelessServer,
  startStatelessServer,
} from "../../../test/support/stateless-server.ts";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { inspectPage } from "../support/inspect-page.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** Tool servers that want something of each user: values for their headers, or a visit. */

const ADDRESS = "https://tickets.example/link?of=1";

let app: App;
let page: Page;
let keyed: ToolServer;
let visited: StatelessServer;
let wasThere = false;
beforeAll(async () => {
  keyed = await startToolServer({ look: { run: () => text("seen") } });
  visited = await startStatelessServer({
    open: {
      run: () =>
        wasThere
          ? text("open")
          : inputRequired({
              inputRequests: {
                link: {
                  method: "elicitation/create",
                  params: {
                    mode: "url",
                    message: "Link your account first.",
                    url: ADDRESS,
                    elicitationId: "e1",
                  },
                } as never, // 2026-07-28 has no id of it
              },
            }),
    },
  });
  app = await startApp();
  const post = (path: string, body: object) =>
    app.server.request(`/api/v1${path}`, { body });
  await post("/mcp-servers", {
    name: "tickets",
    url: keyed.url,
    headers: { authorization: "Bearer {{secret.key}}", "x-team": "{{secret.team}}" },
  });
  await post("/mcp-servers", { name: "harbour", url: visited.url });
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await keyed[Symbol.asyncDispose]();
  await visited[Symbol.asyncDispose]();
});

/** A page of another user, who filled in nothing so far. */
async function openOther(): Promise<{ user: Page; token: string }> {
  const ada = { email: "ada@test.example", password: "a long enough password" };
  await app.server.request("/api/v1/users", { body: { ...ada, name: "Ada" } });
  const user = await app.open();
  const signedIn = await user.request.post("/api/v1/auth/session", {
    data: ada,
    headers: { "x-parlance": "1", origin: app.server.url },
  });
  expect(signedIn.ok()).toBe(true);
  return { user, token: await app.server.signIn(ada.email, ada.password) };
}

/** A conversation whose reply calls a tool. @returns its address. */
async function call(tool: string, token?: string): Promise<string> {
  app.provider.answerTurns(
    { toolCalls: [{ name: tool, arguments: {} }] },
    { text: ["It is done."] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: `Call ${tool}`, tools: [tool], stream: false },
    ...(token !== undefined && { token }),
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  return `/c/${conversationId}`;
}

test("an administrator fills in values, with which the list of tools is read", async () => {
  await showPage(page, "/admin/tools/servers");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("were read again").waitFor();
  await actionsOf(page, "tickets").click();
  await page.getByRole("menuitem", { name: "Fill in your values" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("key", { exact: true }).fill("planted key of the admin");
  await dialog.getByLabel("team", { exact: true }).fill("lists");
  await look(page, "values-admin");
  expect(await brokenRules(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() => keyed.headers.at(-1)?.["authorization"])
    .toBe("Bearer planted key of the admin");
  await page
    .getByRole("listitem")
    .filter({ hasText: "tickets" })
    .getByText("Ready", { exact: true })
    .waitFor();
  expect(app.problems).toEqual([]);
});

test("a call waits for its user's own values, and goes on with them", async () => {
  const { user, token } = await openOther();
  await showPage(user, await call("look", token));
  await user.getByRole("button", { name: "Fill in what tickets needs of you" }).click();
  const dialog = user.getByRole("dialog");
  await dialog.getByLabel("key", { exact: true }).fill("planted key of a user");
  await dialog.getByLabel("team", { exact: true }).fill("blue");
  await dialog.getByRole("button", { name: "Save" }).click();
  await user.getByText("is called with your values").waitFor();
  await look(user, "values-call");
  expect(await brokenRules(user)).toEqual([]);
  await user.getByRole("button", { name: "Go on" }).click();
  await user.getByText("It is done.").first().waitFor();
  expect(keyed.headers.at(-1)).toMatchObject({
    authorization: "Bearer planted key of a user",
    "x-team": "blue",
  });
  expect(await user.content()).not.toContain("planted key");
  await user.context().close();
  expect(app.problems).toEqual([]);
});

test("a call waits until its user was where its server wants them", async () => {
  const address = await call("open");
  await showPage(page, address);
  const link = page.getByRole("link", { name: "Open tickets.example" });
  await link.waitFor();
  expect(await link.getAttribute("href")).toBe(ADDRESS);
  expect(await link.getAttribute("rel")).toContain("noopener");
  await page.getByText("Link your account first.").waitFor();
  await look(page, "visit");
  expect(await brokenRules(page)).toEqual([]);

  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, address);
  await phone.getByRole("link", { name: "tickets.example öffnen" }).waitFor();
  await look(phone, "visit-phone-de-dark");
  expect((await inspectPage(phone, app.server.url)).excess).toBe(0);
  expect(await brokenRules(phone)).toEqual([]);
  await phone.context().close();

  wasThere = true;
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("It is done.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("values stand under the connections of a user, where they are taken back", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/settings/connections");
  await phone.getByText("tickets").first().waitFor();
  await look(phone, "values-connections-phone-de-dark");
  expect(await phone.content()).not.toContain("planted key");
  expect((await inspectPage(phone, app.server.url)).excess).toBe(0);
  expect(await brokenRules(phone)).toEqual([]);
  await phone.context().close();
});
