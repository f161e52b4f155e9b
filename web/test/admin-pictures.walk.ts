import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startToolServer, text, type ToolServer } from "../../test/support/tool-server.ts";
import { type App, startApp } from "./support/app.ts";
import { type Asks, asksOf } from "./support/fill/asks.ts";
import { showPage } from "./support/show-page.ts";
import { PICTURES_FOLDER, takePicture } from "./support/take-pictures.ts";

/** Takes the pictures of docs/web-administration.md, for `npm run pictures:web`. */
const WIDE = { viewport: { width: 1200, height: 640 } };

let app: App;
let asks: Asks;
let tools: ToolServer;
beforeAll(async () => {
  if (!PICTURES_FOLDER) return;
  await mkdir(PICTURES_FOLDER, { recursive: true });
  tools = await startToolServer({
    timetable: { description: "Finds trains between two towns", run: () => text("10:04") },
    cancel_ticket: {
      description: "Cancels a ticket and returns its price",
      annotations: { destructiveHint: true },
      run: () => text("done"),
    },
  });
  app = await startApp();
  asks = asksOf(app);
}, 300_000);
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await tools?.[Symbol.asyncDispose]();
});

/** People, a group with a role, a provider with a model, and a tool server. */
async function fill(): Promise<string> {
  const password = "a long enough password";
  const people = await Promise.all(
    ["Anna Krüger", "Beth Baker", "Tom Tailor"].map((name) =>
      asks.post("/api/v1/users", {
        name,
        email: `${name.split(" ")[0]?.toLowerCase()}@test.example`,
        password,
      }),
    ),
  );
  const [anna] = people;
  await asks.post("/api/v1/roles", {
    name: "auditor",
    description: "Reads the audit log and nothing else",
    permissions: [{ action: "administer", subject: "audit" }],
  });
  const group = await asks.post("/api/v1/groups", { name: "Harbour office" });
  await asks.put(`/api/v1/groups/${group.id}/members/${anna?.id}`);
  await asks.patch(`/api/v1/groups/${group.id}`, { roles: ["auditor"] });
  await asks.post("/api/v1/mcp-servers", { name: "trains", url: tools.url });
  return anna?.id ?? "";
}

test.runIf(PICTURES_FOLDER)("pictures of administration", async () => {
  const anna = await fill();
  const areToolsRead = async () => {
    const { total } = await asks.get<{ total: number }>("/mcp/v1/tools");
    expect(total).toBe(2);
  };
  await vi.waitFor(areToolsRead, { timeout: 90_000, interval: 200 });
  const page = await app.openSignedIn(WIDE);
  const dark = await app.openSignedIn({ ...WIDE, colorScheme: "dark" });
  for (const [shown, name, path] of [
    [page, "admin-access", `/admin/users/${anna}/access`],
    [dark, "admin-role", "/admin/roles/auditor"],
    [page, "admin-tools", "/admin/tools/list"],
    [dark, "admin-audit", "/admin/audit"],
    [page, "admin-health", "/admin/system"],
  ] as const) {
    await showPage(shown, path);
    await takePicture(shown, name);
  }
  await showPage(page, "/admin/roles");
  await page.getByLabel("Only where they differ").check();
  await page.getByRole("heading", { name: "Side by side" }).evaluate((heading) => {
    heading.scrollIntoView();
  });
  await takePicture(page, "admin-roles");
});
