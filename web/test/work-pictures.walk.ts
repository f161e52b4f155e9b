import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newPerson } from "../../test/support/ask.ts";
import {
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "../../test/support/fake-langflow/start-fake-langflow.ts";
import { graphOf } from "../../test/support/flow-server.ts";
import { type App, startApp } from "./support/app.ts";
import { type Asks, asksOf } from "./support/fill/asks.ts";
import { PICTURES_FOLDER, takePicture } from "./support/take-pictures.ts";
import { actionsOf } from "./support/actions-of.ts";

/** Takes the pictures of canvas, search, sharing and flows, for `npm run pictures:web`. */
const WIDE = { viewport: { width: 1200, height: 640 } };
const PLAN = `The harbour office invites everybody on **Saturday, 12 June**.

- Tours of the pilot boat, at 10 and at 14
- Coffee and cake in the customs hall
- A quiz for children

| Task | Who |
| --- | --- |
| Invitations | Beth |
| Boat | Anna |
`;
const FILES = {
  "handbook.md":
    "# Handbook\n\n## Leave\n\nEverybody who works full time has 31 days of leave a year. " +
    "Leave that is not taken by the end of March of the next year is lost.",
  "travel.md":
    "# Travel\n\nBook trains first. A flight needs the agreement of the head of the department.",
  "opening-hours.md": "# Hours\n\nThe office is open from 9 to 17, in summer until 18.",
};

let app: App;
let asks: Asks;
let langflow: Awaited<ReturnType<typeof startFakeLangflow>>;
beforeAll(async () => {
  if (!PICTURES_FOLDER) return;
  await mkdir(PICTURES_FOLDER, { recursive: true });
  langflow = await startFakeLangflow();
  app = await startApp({
    env: {
      FLOWENGINE_BASE_URL: langflow.url,
      FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
    },
  });
  asks = asksOf(app);
  app.provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["Open day"] }
      : { text: ["Here is a first plan. Tell me who does what, and I add it."] },
  );
}, 300_000);
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await langflow?.[Symbol.asyncDispose]();
});

test.runIf(PICTURES_FOLDER)(
  "pictures of a canvas, and of what it is shared with",
  async () => {
    const { conversationId } = await asks.post<{ conversationId: string }>(
      "/api/v1/conversation",
      { content: "Plan our open day with me.", stream: false },
    );
    const { id } = await asks.post("/api/v1/canvas", {
      title: "Open day",
      content: PLAN,
      conversationId,
    });
    const page = await app.openSignedIn(WIDE);
    await page.goto(`/c/${conversationId}/canvas/${id}`);
    await page.getByRole("cell", { name: "Invitations" }).waitFor();
    await takePicture(page, "canvas");

    await asks.post(`/api/v1/canvas/${id}/versions`, {
      baseVersion: 1,
      content: PLAN.replace("at 10 and at 14", "at 10, 12 and 14").replace(
        "Anna",
        "Anna, Tom",
      ),
    });
    const dark = await app.openSignedIn({ ...WIDE, colorScheme: "dark" });
    await dark.goto(`/c/${conversationId}/canvas/${id}?view=diff&from=1&to=2`);
    await dark.locator("ins").first().waitFor();
    await takePicture(dark, "canvas-versions");

    const people = ["Beth Baker", "Tom Tailor"].map((name) =>
      asks.post("/api/v1/users", {
        name,
        email: `${name.split(" ")[0]?.toLowerCase()}@test.example`,
        password: "a long enough password",
      }),
    );
    const [beth] = await Promise.all(people);
    const group = await asks.post("/api/v1/groups", { name: "Harbour office" });
    const shares = [
      { subjectType: "user", subjectId: beth?.id, accessRole: "editor" },
      { subjectType: "group", subjectId: group.id, accessRole: "viewer" },
    ];
    const shared = { resourceType: "conversation", resourceId: conversationId, shares };
    await asks.post("/api/v1/sharing/share", shared);
    await page.goto("/history");
    await actionsOf(page, "Open day").click();
    await page.getByRole("menuitem", { name: "Share", exact: true }).click();
    await page.getByRole("dialog").getByText("Harbour office").waitFor();
    await takePicture(page, "sharing");
  },
);

test.runIf(PICTURES_FOLDER)("pictures of the search", async () => {
  for (const [name, text] of Object.entries(FILES))
    await asks.upload("/api/v1/documents", new File([text], name));
  const isReady = async () => {
    const { items } = await asks.get<{ items: { status: string }[] }>("/api/v1/documents");
    expect(items.map(({ status }) => status)).toEqual(items.map(() => "PROCESSED"));
  };
  await vi.waitFor(isReady, { timeout: 90_000, interval: 200 });
  const page = await app.openSignedIn(WIDE);
  await page.goto("/documents/try?q=How+many+days+of+leave%3F");
  await page.getByText("Result 1: handbook.md").first().waitFor();
  await takePicture(page, "search");
  const dark = await app.openSignedIn({ ...WIDE, colorScheme: "dark" });
  await dark.goto("/history");
  await dark.getByRole("list").last().waitFor();
  await dark.keyboard.press("Control+k");
  await dark.getByRole("dialog").getByRole("combobox").fill("open");
  await dark
    .getByRole("option", { name: /Open day/ })
    .first()
    .waitFor();
  await takePicture(dark, "palette");
});

test.runIf(PICTURES_FOLDER)("pictures of flows", async () => {
  const make = (name: string, description: string) =>
    asks.post("/api/v1/flowengine/flows", { name, description, data: graphOf("echo") });
  const { id } = await make("Quay display", "Prepares a text for the display at the quay.");
  await make("Weather report", "Wind and waves of the next twelve hours.");
  const anne = await newPerson(app.server, "Anne");
  const grant = { userId: anne.id, flowId: id };
  await asks.post("/api/v1/flowengine/admin/permissions/grant", grant);
  const page = await app.openSignedIn(WIDE);
  await page.goto(`/flows/${id}`);
  const input = "14:05, the Aurora arrives at quay 3 with 220 passengers.";
  await page.getByLabel("Input").fill(input);
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".markdown").getByText("Aurora").waitFor();
  await page.getByText(/^took /).waitFor();
  await takePicture(page, "flows");
  const dark = await app.openSignedIn({ ...WIDE, colorScheme: "dark" });
  await dark.goto("/admin/flows");
  await dark.getByRole("row").filter({ hasText: "Anne" }).waitFor();
  await takePicture(dark, "flow-permissions");
});
