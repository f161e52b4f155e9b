import { tmpdir } from "node:os";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseIsolation } from "../../../src/platform/isolation/choose-isolation.ts";
import { lackingGuarantees } from "../../../src/platform/isolation/isolation.ts";
import { type App, startApp } from "../support/app.ts";

const isIsolated = lackingGuarantees(await chooseIsolation("auto", tmpdir())).length === 0;

const CHART = `import csv, math
rows = [(n, round(math.sqrt(n), 2)) for n in range(1, 8)]
with open("roots.csv", "w") as file:
    csv.writer(file).writerows([("n", "root"), *rows])
bars = "".join(f'<rect x="{n * 30}" y="{100 - r * 30}" width="20" height="{r * 30}"/>' for n, r in rows)
with open("roots.svg", "w") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="260" height="100">{bars}</svg>')
print("the largest is", rows[-1][1])`;

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

async function reply(
  code: string,
  conversationId?: string,
  name = "run_python",
): Promise<string> {
  app.provider.answerTurns(
    { toolCalls: [{ name, arguments: { code } }] },
    { text: ["Here it is."] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Compute it", tools: ["toolset:code"], stream: false, conversationId },
  });
  return ((await sent.json()) as { conversationId: string }).conversationId;
}

describe.skipIf(!isIsolated)("code in a reply", () => {
  test("its picture is shown, its file is saved, its code and output open", async () => {
    await page.goto(`/c/${await reply(CHART)}`);
    const picture = page.getByRole("img", { name: "roots.svg" }).locator("visible=true");
    await expect
      .poll(() =>
        picture.evaluate((shown) => "naturalWidth" in shown && shown.naturalWidth),
      )
      .toBe(260);
    const saving = page.waitForEvent("download");
    await page
      .getByRole("link", { name: /roots\.csv/ })
      .locator("visible=true")
      .click();
    expect((await saving).suggestedFilename()).toBe("roots.csv");

    await page
      .locator("summary", { hasText: /Beginning of .*roots\.csv/ })
      .locator("visible=true")
      .click();
    await page.getByRole("cell", { name: "2.24" }).locator("visible=true").waitFor();

    const summary = page
      .locator("summary", { hasText: "Ran Python" })
      .locator("visible=true");
    expect(await summary.textContent()).toMatch(/Ran Python.*\d s$/);
    await summary.click();
    await page.getByText("the largest is 2.65").locator("visible=true").waitFor();
    await page.locator(".code-keyword", { hasText: "import" }).first().waitFor();
    expect(app.problems).toEqual([]);
  });

  test("JavaScript is a cell as Python is, in its own colours", async () => {
    const code = `const squares = [1, 2, 3].map((n) => n * n);
require("fs").writeFileSync("squares.json", JSON.stringify(squares));
console.log("the sum is", squares.reduce((sum, n) => sum + n));`;
    await page.goto(`/c/${await reply(code, undefined, "run_javascript")}`);
    const saved = page.getByRole("link", { name: /squares\.json/ });
    await saved.locator("visible=true").waitFor();
    await page
      .locator("summary", { hasText: "Ran JavaScript" })
      .locator("visible=true")
      .click();
    await page.getByText("the sum is 14").locator("visible=true").waitFor();
    await page.locator(".code-keyword", { hasText: "const" }).first().waitFor();
    expect(app.problems).toEqual([]);
  });

  test("it fits on a phone", async () => {
    const conversationId = await reply(CHART);
    const phone = await app.openSignedIn({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: "dark",
    });
    await phone.goto(`/c/${conversationId}`);
    await phone.locator("summary", { hasText: "Ran Python" }).locator("visible=true").tap();
    const block = phone.locator(".markdown-code").locator("visible=true");
    const box = await block.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 1_000)).toBeLessThanOrEqual(390);
    await phone.getByRole("img", { name: "roots.svg" }).locator("visible=true").waitFor();
    const paper = await phone.evaluate(
      `getComputedStyle(document.querySelector("img[alt='roots.svg']")).backgroundColor`,
    );
    expect(paper).toBe("rgb(255, 255, 255)");
    await phone.close();
  });

  test("its files are listed from the menu, opened and deleted, by keyboard and on a phone", async () => {
    const conversationId = await reply(CHART);
    await page.goto(`/c/${conversationId}`);
    const main = page.getByRole("main");
    await main.getByRole("button", { name: "More", exact: true }).press("Enter");
    await page.getByRole("menuitem", { name: "Files" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Files of this conversation" });
    await dialog.getByText("roots.svg").waitFor();
    await dialog
      .getByRole("button", { name: /Add .*roots\.csv.* to your documents/ })
      .press("Enter");
    await page
      .getByText(/roots\.csv.* is among your documents now/)
      .first()
      .waitFor();
    const own = await app.server.request("/api/v1/documents?scope=own");
    expect(JSON.stringify(await own.json())).toContain(`"roots.csv"`);
    const remove = dialog.getByRole("button", { name: /Delete .*roots\.csv/ });
    await remove.press("Enter");
    const asked = page.getByRole("dialog", { name: /Delete .*roots\.csv/ });
    await asked.getByRole("button", { name: "Delete", exact: true }).press("Enter");
    await dialog.getByText("roots.svg").waitFor();
    await expect.poll(() => dialog.getByText("roots.csv").count()).toBe(0);
    expect(app.problems).toEqual([]);

    const phone = await app.openSignedIn({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: "dark",
      locale: "de-DE",
    });
    await phone.goto(`/c/${conversationId}`);
    await phone.getByRole("main").getByRole("button", { name: "Mehr", exact: true }).tap();
    await phone.getByRole("menuitem", { name: "Dateien" }).tap();
    const german = phone.getByRole("dialog", { name: "Dateien dieser Unterhaltung" });
    await german.getByText("Von Code geschrieben").first().waitFor();
    const saving = phone.waitForEvent("download");
    await german.getByRole("link", { name: /roots\.svg.* herunterladen/ }).tap();
    expect((await saving).suggestedFilename()).toBe("roots.svg");
    await phone.close();
  });

  test("what went wrong is said where the code is, in German, too", async () => {
    const conversationId = await reply("print('so far')\n1 / 0");
    const german = await app.openSignedIn({ locale: "de-DE" });
    await german.goto(`/c/${conversationId}`);
    const summary = german
      .locator("summary", { hasText: "Python ausführen" })
      .locator("visible=true");
    expect(await summary.textContent()).toContain("fehlgeschlagen");
    await summary.click();
    const output = german.locator("pre", { hasText: "Traceback" }).locator("visible=true");
    expect(await output.textContent()).toContain("ZeroDivisionError");
    await german.close();
  });
});
