import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ADMIN } from "../../../test/support/server.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";

/** What people do first, on a phone, by touch and in German. */
const TOUCH = { viewport: PHONE, hasTouch: true, isMobile: true, locale: "de-DE" };

let app: App;
let phone: Page;
beforeAll(async () => {
  app = await startApp();
  const beth = {
    email: "beth@test.example",
    name: "Beth Baker",
    password: "a long enough password",
  };
  await app.server.request("/api/v1/users", { body: beth });
  phone = await app.openSignedIn(TOUCH);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  app.problems.length = 0;
});

const tap = (name: string | RegExp) =>
  phone.getByRole("button", { name, exact: true }).first().tap();
const choose = async (title: string, item: string) => {
  await tap(`Aktionen für ${title}`);
  await phone.getByRole("menuitem", { name: item, exact: true }).tap();
};
const excess = () =>
  phone.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

test("a newcomer signs in, asks the sample file, and opens the source", async () => {
  answerWith(app.provider, ["Vollzeitkräfte haben 31 Tage.[1]"]);
  const page = await app.open(TOUCH);
  await page.goto("/");
  await page.getByLabel("E-Mail").fill(ADMIN.email);
  await page.getByLabel("Kennwort").fill(ADMIN.password);
  await page.getByRole("button", { name: "Anmelden", exact: true }).tap();
  await page.getByRole("button", { name: "Stattdessen ein Beispiel verwenden" }).tap();
  await page.getByText("ist bereit.").waitFor();
  await page.getByRole("textbox", { name: "Frage" }).fill("Wie viele Urlaubstage?");
  await page.getByRole("button", { name: "Fragen", exact: true }).tap();
  await page.waitForURL(/\/c\//);
  await page
    .getByRole("button", { name: /^Quelle 1: / })
    .first()
    .tap();
  await page.getByRole("dialog").getByText("Datei herunterladen").waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("a question is asked, answered again, and the first answer read again", async () => {
  answerWith(app.provider, ["erste Antwort"]);
  await phone.goto("/");
  await phone.getByRole("textbox", { name: "Nachricht" }).fill("Wohin reisen wir?");
  await tap("Senden");
  const answer = phone.getByRole("article", { name: "Antwort" }).last();
  await answer.getByText("erste Antwort").waitFor();
  await phone.getByRole("button", { name: "Senden" }).waitFor(); // the answer has ended
  answerWith(app.provider, ["zweite Antwort"]);
  await tap("Neu beantworten");
  await answer.getByText("zweite Antwort").waitFor();
  await answer.getByRole("button", { name: "Vorige Fassung" }).tap();
  await answer.getByText("erste Antwort").waitFor();
  expect(await excess()).toBeLessThanOrEqual(0);
  expect(app.problems).toEqual([]);
});

test("a table and code that are wider than the phone scroll by themselves", async () => {
  const cells = Array.from({ length: 12 }, (_, at) => `Spalte${at}`).join(" | ");
  const table = `| ${cells} |\n|${" --- |".repeat(12)}\n| ${cells} |`;
  const code = `\`\`\`ts\nconst line = "${"x".repeat(200)}";\n\`\`\``;
  answerWith(app.provider, [`${table}\n\n${code}\n\n$$${"a + ".repeat(40)} b$$\n\nEnde`]);
  const narrow = await app.openSignedIn({
    ...TOUCH,
    viewport: { width: 320, height: 640 },
  });
  await narrow.goto("/");
  await narrow.getByRole("textbox", { name: "Nachricht" }).fill("Zeig eine Tabelle");
  await narrow.getByRole("button", { name: "Senden" }).tap();
  const answer = narrow.getByRole("article", { name: "Antwort" });
  await answer.getByText("Ende").waitFor();
  await answer.locator("math").waitFor();
  const widths = () =>
    answer.evaluate((element) =>
      [...element.querySelectorAll("p, .markdown, .markdown-table, pre, math")].map(
        (part) => Math.round(part.getBoundingClientRect().right),
      ),
    );
  await expect.poll(async () => Math.max(...(await widths()))).toBeLessThanOrEqual(320);
  for (const wide of [".markdown-table", "pre"])
    expect(
      await answer
        .locator(wide)
        .evaluate((element) => element.scrollWidth - element.clientWidth),
    ).toBeGreaterThan(0);
  expect(app.problems).toEqual([]);
  await narrow.context().close();
});

test("a conversation gets a name, is deleted and brought back", async () => {
  await app.server.request("/api/v1/conversation", {
    body: { content: "Was ist neu?", stream: false },
  });
  await phone.goto("/history");
  await phone
    .getByRole("button", { name: /^Aktionen für/ })
    .first()
    .tap();
  await phone.getByRole("menuitem", { name: "Umbenennen" }).tap();
  await phone.getByLabel("Titel", { exact: true }).fill("Neuigkeiten");
  await tap("Speichern");
  await choose("Neuigkeiten", "Löschen");
  await tap("Rückgängig");
  await phone
    .getByRole("link", { name: /Neuigkeiten/ })
    .first()
    .waitFor();
  expect(await excess()).toBeLessThanOrEqual(0);
  expect(app.problems).toEqual([]);
});

test("a conversation is shared with a person, and the share taken back", async () => {
  await phone.goto("/history");
  await choose("Neuigkeiten", "Freigeben");
  const dialog = phone.getByRole("dialog");
  await dialog.getByLabel("Personen oder Gruppen hinzufügen").fill("be");
  await dialog.getByRole("button", { name: "Beth Baker", exact: true }).tap();
  const role = dialog.getByLabel("Darf: Beth Baker");
  await role.waitFor();
  expect((await role.boundingBox())?.width).toBeGreaterThan(100);
  await dialog.getByRole("button", { name: "Entfernen: Beth Baker" }).tap();
  await dialog.getByText("Nur Sie.").waitFor();
  expect(app.problems).toEqual([]);
});

test("a text is written and saved", async () => {
  const made = await app.server.request("/api/v1/canvas", {
    body: { title: "Reiseplan", content: "Montag" },
  });
  const { id } = (await made.json()) as { id: string };
  await phone.goto(`/canvas/${id}`);
  await phone.getByRole("link", { name: "Bearbeiten", exact: true }).tap();
  await phone.getByRole("textbox", { name: /^Text von/ }).tap();
  await phone.keyboard.insertText("Früh: ");
  await tap("Speichern");
  await phone.getByText("Als Fassung 2 gespeichert.").waitFor();
  expect(await excess()).toBeLessThanOrEqual(0);
  expect(app.problems).toEqual([]);
});

test("a file is uploaded, and put into a folder that gets another name", async () => {
  await phone.goto("/documents");
  await tap("Mehr");
  await phone.getByRole("menuitem", { name: "Neuer Ordner" }).tap();
  await phone.getByLabel("Name des Ordners").fill("Reisen");
  await tap("Anlegen");
  await phone.getByRole("link", { name: "Reisen" }).tap();
  await tap("Umbenennen oder verschieben");
  await phone.getByLabel("Name des Ordners").fill("Dienstreisen und Tagungen im Ausland");
  await tap("Speichern");
  await phone.getByRole("heading", { name: "Dienstreisen und Tagungen" }).waitFor();
  await phone.locator("input[type=file]").setInputFiles({
    name: "bahn.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("# Bahn\n\nZuerst die Bahn buchen."),
  });
  await phone
    .getByRole("listitem")
    .filter({ hasText: "bahn.md" })
    .getByText("bereit")
    .waitFor();
  await phone.getByRole("link", { name: "bahn.md" }).tap();
  await phone.getByText("Zuerst die Bahn buchen.").waitFor();
  expect(await excess()).toBeLessThanOrEqual(0);
  expect(app.problems).toEqual([]);
});

test("a key is made and revoked; the open part of the settings is in view", async () => {
  await phone.goto("/settings/keys");
  const part = phone.getByRole("link", { name: "API-Schlüssel" });
  const rightEdge = async () => {
    const box = await part.boundingBox();
    return box ? box.x + box.width : Infinity;
  };
  await expect.poll(rightEdge).toBeLessThanOrEqual(PHONE.width);
  await tap("Schlüssel erstellen");
  const dialog = phone.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Sicherung");
  await dialog.getByRole("button", { name: "Schlüssel erstellen" }).tap();
  await dialog.locator("output").waitFor();
  await dialog.getByRole("button", { name: "Fertig" }).tap();
  await tap("Widerrufen: Sicherung");
  await dialog.getByRole("button", { name: "Widerrufen" }).tap();
  await phone.getByText("Noch keine Schlüssel").waitFor();
  expect(app.problems).toEqual([]);
});

test("all keys can be read where a keyboard is connected", async () => {
  await phone.goto("/settings/preferences");
  await phone.getByRole("heading", { name: "Einstellungen" }).waitFor();
  await phone.keyboard.press("?");
  const keys = phone.getByRole("dialog", { name: "Tastenkürzel" });
  await keys.getByText("J", { exact: true }).waitFor();
  expect(app.problems).toEqual([]);
});
