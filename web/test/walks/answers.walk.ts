import { mkdir } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { styleOf } from "../support/style-of.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  app.problems.length = 0;
});

/** For looking at, where a folder is named. */
async function look(shown: Page, name: string): Promise<void> {
  const folder = process.env["LOOK_DIR"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await shown.screenshot({ path: `${folder}/answers-${name}.png`, animations: "disabled" });
}

/** Asks, and returns the answer once it is whole. */
async function answerTo(shown: Page, text: string, language = "en"): Promise<Locator> {
  answerWith(app.provider, text.match(/[\s\S]{1,40}/g) ?? []);
  await shown.goto("/");
  const [message, send] = language === "de" ? ["Nachricht", "Senden"] : ["Message", "Send"];
  await shown.getByRole("textbox", { name: message }).fill("Show it");
  await shown.getByRole("button", { name: send }).click();
  await shown.waitForURL(/\/c\/[0-9a-f-]{36}/);
  await shown.getByRole("button", { name: send }).waitFor();
  return shown
    .getByRole("article", { name: language === "de" ? "Antwort" : "Answer" })
    .last();
}

/** A PNG of one colour, of a size that its head may lie about. */
function png(width: number, height: number, said = { width, height }): string {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, crc(Buffer.from(type), data)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(said.width, 0);
  head.writeUInt32BE(said.height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x7a)]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const parts = [chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return `data:image/png;base64,${Buffer.concat([signature, ...parts]).toString("base64")}`;
}

/** Source: PNG, annex D. */
function crc(...parts: Buffer[]): Buffer {
  let rest = 0xff_ff_ff_ff;
  for (const byte of Buffer.concat(parts)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      rest = rest & 1 ? (rest >>> 1) ^ 0xed_b8_83_20 : rest >>> 1;
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE((rest ^ 0xff_ff_ff_ff) >>> 0);
  return sum;
}

const RICH = `Water is H<sub>2</sub>O, x<sup>2</sup>; press <kbd>Ctrl</kbd>+<kbd>K</kbd>, ==mark it==.[^1]

> [!NOTE]
> An alert with **bold** words.

> [!CAUTION]
> Take care.

<details><summary>More of *it*</summary>

- one
- two

</details>

- [x] done
- [ ] open

A picture: ![a grey box](${png(60, 40)})
and one that is too large: ![a bomb](${png(1, 1, { width: 60_000, height: 60_000 })})

[^1]: The footnote, with \`code\`.
`;

test("alerts, folded parts, marks, keys, footnotes and pictures are shown", async () => {
  const answer = await answerTo(page, RICH);
  expect(await answer.locator("sub, sup, kbd, mark").allInnerTexts()).toEqual([
    "2",
    "2",
    "Ctrl",
    "K",
    "mark it",
    "1",
  ]);
  await answer.getByRole("note", { name: "Note" }).getByText("bold").waitFor();
  await answer.getByRole("note", { name: "Caution" }).waitFor();
  await answer.getByText("one", { exact: true }).waitFor({ state: "hidden" });
  await answer.getByText("More of").focus();
  await page.keyboard.press("Enter");
  await answer.getByText("one", { exact: true }).waitFor();
  await answer.getByRole("button", { name: "Footnote 1", exact: true }).focus();
  await page.keyboard.press("Enter");
  const note = answer.getByRole("region", { name: "Footnotes" }).getByRole("listitem");
  expect(await note.evaluate((item) => item.matches(":focus"))).toBe(true);
  await note.getByRole("button", { name: "Back to the text" }).click();
  await answer.getByText("a bomb (the picture cannot be shown)").waitFor();
  await look(page, "rich");
  await answer.getByRole("button", { name: "Enlarge: a grey box" }).focus();
  await page.keyboard.press("Enter");
  const large = page.getByRole("dialog", { name: "a grey box" }).getByRole("img");
  expect(
    await large.evaluate((img) => (img as { naturalWidth?: number }).naturalWidth),
  ).toBe(60);
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

const FORMULAS = `Inline $\\sqrt{\\frac{a}{b}}$ and

$$
\\left\\{ \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\\\ 5 & 6 \\end{pmatrix} \\right\\}
$$

\\begin{equation}
E = mc^2
\\end{equation}

\\[ \\begin{aligned} a &= b + c \\\\ &= \\frac{x}{\\int_0^1 y\\,dy} \\end{aligned} \\]

\`\`\`math
\\sum_{i=1}^{n} i = a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12}
\`\`\`

and a wrong one: $\\frac{1}{$ stays.
`;

test("formulas have their own font, and no scrollbar beside them", async () => {
  const answer = await answerTo(page, FORMULAS);
  await expect.poll(() => answer.locator("math").count()).toBe(5);
  await expect
    .poll(() => page.evaluate("document.fonts.check(\"16px 'STIX Two Math'\")"))
    .toBe(true);
  const shapes = await answer.locator(".markdown-formula").evaluateAll((boxes) =>
    boxes.map((box) => ({
      isWide: box.scrollWidth > box.clientWidth + 1,
      barWidth: (box as unknown as { offsetWidth: number }).offsetWidth - box.clientWidth,
    })),
  );
  expect(shapes).toEqual(Array.from({ length: 4 }, () => ({ isWide: false, barWidth: 0 })));
  await look(page, "formulas");
  await page.setViewportSize(PHONE);
  const excess = () =>
    page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
  await expect.poll(excess).toBe(0);
  const wide = answer.locator(".markdown-formula").last();
  await expect
    .poll(() => wide.evaluate((box) => box.scrollWidth > box.clientWidth))
    .toBe(true);
  await look(page, "formulas-phone");
  await page.setViewportSize({ width: 1400, height: 850 });
  expect(app.problems).toEqual([]);
});

test("in German, dark, on a phone", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  const answer = await answerTo(phone, RICH + FORMULAS, "de");
  await answer.getByRole("note", { name: "Hinweis" }).waitFor();
  await answer.getByText("Vorsicht").first().waitFor();
  await look(phone, "german");
  await answer.getByRole("button", { name: "Vergrößern: a grey box" }).tap();
  await phone.getByRole("dialog").getByRole("img").waitFor();
  await phone.context().close();
  expect(app.problems).toEqual([]);
});

test("a wide table scrolls on a phone, and the text around it fits", async () => {
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true });
  const row = "| a cell with words | 1,234,567 | 1,234,567 | 1,234,567 | 1,234,567 |";
  const head = row.replaceAll("1,234,567", "a column");
  const text = `A sentence that is longer than the screen is wide, so that it breaks.`;
  const answer = await answerTo(
    phone,
    [text, [head, "|-|-|-|-|-|", row].join("\n")].join("\n\n"),
  );
  const widthOf = (part: string) =>
    answer
      .locator(part)
      .first()
      .evaluate((element) => element.getBoundingClientRect().right);
  expect(await widthOf("table")).toBeGreaterThan(PHONE.width);
  expect(await widthOf(".markdown > p")).toBeLessThanOrEqual(PHONE.width);
  await phone.context().close();
});

test("the buttons of a table cover no words, and its edge fades where it is cut", async () => {
  const answer = await answerTo(page, WIDE);
  await answer.locator(".markdown-table").hover();
  const styleOf = (part: string, names: string[]) =>
    page.evaluate<string[]>(`
      ${JSON.stringify(names)}.map((name) =>
        getComputedStyle([...document.querySelectorAll("article ${part}")].at(-1))
          .getPropertyValue(name))
    `);
  await expect.poll(() => styleOf(".markdown-tools", ["opacity"])).toEqual(["1"]);
  await look(page, "answers-table-tools");
  const boxOf = (part: string) => answer.locator(part).first().boundingBox();
  const paragraph = await boxOf(".markdown > p");
  const tools = await boxOf(".markdown-tools");
  const head = await boxOf("thead");
  const bottomOf = (box: typeof head) => (box?.y ?? 0) + (box?.height ?? 0);
  expect(tools?.y).toBeGreaterThanOrEqual(bottomOf(paragraph) - 1);
  expect(bottomOf(tools)).toBeLessThanOrEqual((head?.y ?? 0) + 1);
  const fades = () => styleOf(".markdown-table", ["--fade-start", "--fade-end"]);
  expect(await fades()).toEqual(["0px", "32px"]);
  await answer
    .locator(".markdown-table")
    .evaluate((one) => one.scrollTo({ left: one.scrollWidth }));
  await expect.poll(fades).toEqual(["32px", "0px"]);
  expect(app.problems).toEqual([]);
});

const WIDE = `${"A paragraph as wide as its column, whose last words stand at the right. ".repeat(3)}

| ${"Column of words | ".repeat(12)}
|${"---|".repeat(12)}
| ${"several words in it | ".repeat(12)}
`;

const CODE = `Some code:

\`\`\`python
print("one")
print("${"long ".repeat(60)}")
\`\`\`

| Name | Amount |
|---|--:|
| Rent, "cold" | 1,200.50 |
| =1+1 | -3 |
`;

const FORMATTED = `## Results & more

**Bold**, *italic*, [a link](https://example.com/?a=1&b=2) and \`x < y\`.

1. One
2. Two

| Name | Amount |
|---|--:|
| Rent | 3 |

\`\`\`js
if (a < b) run();
\`\`\`

$x^2$

$$y^2$$
`;

test("an answer is copied as Markdown, and as what it looks like", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const answer = await answerTo(page, FORMATTED);
  await answer.locator("math[display]").waitFor();
  // no typeface has a slant of its own
  const emphasis = answer.locator("em").first();
  const drawn = [
    await styleOf(emphasis, "fontStyle"),
    await styleOf(emphasis, "fontSynthesisStyle"),
    await styleOf(emphasis, "fontSynthesisWeight"),
  ];
  expect(drawn).toEqual(["italic", "auto", "none"]);
  await answer.getByRole("button", { name: "Copy", exact: true }).click();
  await answer.getByRole("button", { name: "Copied" }).waitFor();
  const copied = (type: string) =>
    page.evaluate(
      `navigator.clipboard.read().then(([item]) => item.getType("${type}")).then((blob) => blob.text())`,
    );
  expect(await copied("text/plain")).toBe(FORMATTED.trimEnd());
  const html = String(await copied("text/html"));
  for (const part of [
    /<h2[^>]*>Results &amp; more<\/h2>/,
    /<strong[^>]*>Bold<\/strong>, <em[^>]*>italic<\/em>/,
    /<a [^>]*href="https:\/\/example\.com\/\?a=1&amp;b=2"/,
    /<code[^>]*>x &lt; y<\/code>/,
    /<ol[^>]*>\s*<li[^>]*>One<\/li>/,
    /<th[^>]*>Name<\/th>/,
    /<td[^>]*>Rent<\/td>/,
    /<td[^>]*align="?[^>]*right[^>]*>3<\/td>/,
    /<pre[^>]*><code[^>]*>if \(a &lt; b\) run\(\);/,
    /<math[\s>]/,
  ])
    expect(html).toMatch(part);
  expect(html).not.toMatch(/<button|class="markdown|figcaption/);
  expect(app.problems).toEqual([]);
});

test("code is folded, wrapped, saved and copied; a table is copied and saved as CSV", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const answer = await answerTo(page, CODE);
  const code = answer.locator("figure");
  const button = (name: string) => answer.getByRole("button", { name });
  await code.getByText("Python", { exact: true }).waitFor();
  await button("Wrap long lines").click();
  const width = await code
    .locator("pre")
    .evaluate((pre) => pre.scrollWidth - pre.clientWidth);
  expect(width).toBeLessThanOrEqual(0);
  await look(page, "code");
  const labels = await code
    .getByRole("button")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(labels.at(-1)).toBe("Fold the code");
  await button("Fold the code").focus();
  await page.keyboard.press("Enter");
  await code.getByText("2 lines").waitFor();
  await code.locator("pre").waitFor({ state: "hidden" });
  const saved = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(name).click(),
    ]);
    const chunks = await Array.fromAsync(await download.createReadStream());
    return [download.suggestedFilename(), Buffer.concat(chunks).toString()];
  };
  const [name, text] = await saved("Save as a file");
  expect(name).toBe("code.py");
  expect(text).toContain('print("one")\nprint("long ');
  const csv = 'Name,Amount\r\n"Rent, ""cold""","1,200.50"\r\n\'=1+1,-3\r\n';
  expect(await saved("Save as CSV")).toEqual(["table.csv", `\uFEFF${csv}`]);
  await button("Copy the table").click();
  const clipboard = () => page.evaluate("navigator.clipboard.readText()");
  await expect.poll(clipboard).toContain('Rent, "cold"\t1,200.50');
  await button("Unfold the code").click();
  await button("Copy code").click();
  await expect.poll(clipboard).toContain('print("one")\nprint(');
  expect(app.problems).toEqual([]);
});
