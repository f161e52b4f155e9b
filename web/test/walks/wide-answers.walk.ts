import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";

/** What is wider than a phone scrolls in itself, never the page. */

const NARROW = { width: 375, height: 780 };
const TERMS = Array.from({ length: 30 }, (_, at) => `a_{${at}} x^{${at}}`).join(" + ");
const COLUMNS = Array.from({ length: 12 }, (_, at) => `Column ${at + 1}`);
const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const MATRIX = Array.from({ length: 4 }, () =>
  Array.from({ length: 14 }, (_, at) => `m_{${at}}`).join(" & "),
).join(" \\\\ ");
const LINE = `const line = "${"x".repeat(400)}";`;
const WORD = "Donaudampfschifffahrt".repeat(20);
const ANSWER = `Each of these is wide.

$$
f(x) = ${TERMS}
$$

$$
\\begin{pmatrix} ${MATRIX} \\end{pmatrix}
$$

\\[ \\begin{aligned} y &= ${TERMS} \\\\ z &= ${TERMS} \\end{aligned} \\]

\\begin{equation}
g = ${TERMS}
\\end{equation}

In a line $${TERMS}$ of text, and \`${"code".repeat(100)}\`, and ${WORD}.

${row(COLUMNS)}
${row(COLUMNS.map(() => "---"))}
${row(COLUMNS.map((name) => `Value of ${name}`))}

\`\`\`js
${LINE}
\`\`\`

- In a list:

  $$
  ${TERMS}
  $$

> A table that is quoted:
>
> ${row(COLUMNS)}
> ${row(COLUMNS.map(() => "---"))}
> ${row(COLUMNS)}

https://example.org/${"path/".repeat(80)}
`;

let app: App;
let address: string;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, [ANSWER]);
  const sent = { content: `Show ${WORD}`, stream: false };
  const { conversationId } = await asksOf(app).post<{ conversationId: string }>(
    "/api/v1/conversation",
    sent,
  );
  address = `/c/${conversationId}`;
});
afterAll(() => app[Symbol.asyncDispose]());

/** What sticks out of the window, unless something around it scrolls or cuts it. */
const OUTSIDE = `(() => {
  const isOut = ({ left, right, width }) => width > 0 && (left < -1 || right > innerWidth + 1);
  const isHeld = (element) => {
    for (let one = element.parentElement; one?.closest("article"); one = one.parentElement)
      if (getComputedStyle(one).overflowX !== "visible") return !isOut(one.getBoundingClientRect());
    return false;
  };
  return [...document.querySelectorAll("article *")]
    .filter((element) => isOut(element.getBoundingClientRect()) && !isHeld(element))
    .map((element) => element.tagName + "." + element.className);
})()`;

test.each(["en-GB", "de-DE"])(
  "on a phone wide formulas, tables and code scroll in themselves (%s)",
  async (locale) => {
    const dark = locale === "de-DE";
    const phone = await app.openSignedIn({
      viewport: NARROW,
      hasTouch: true,
      isMobile: true,
      locale,
      colorScheme: dark ? "dark" : "light",
    });
    await phone.goto(address);
    const answer = phone.getByRole("article").last();
    await expect.poll(() => answer.locator("math").count()).toBe(6);
    await answer.locator("pre .code-keyword, pre").first().waitFor();
    await expect.poll(() => phone.evaluate(OUTSIDE)).toEqual([]);
    const widthOf = "document.scrollingElement.scrollWidth";
    expect(await phone.evaluate(widthOf)).toBeLessThanOrEqual(NARROW.width);
    const log = phone.getByRole("log");
    const beyond = await log.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(beyond).toBeLessThanOrEqual(0);
    // each of them can be scrolled to its end
    const wide = answer.locator(".markdown-formula, .markdown-table, .markdown-code pre");
    const count = await wide.count();
    expect(count).toBe(8);
    for (let at = 0; at < count; at += 1) {
      const moved = await wide.nth(at).evaluate((one) => {
        one.scrollLeft = 10_000;
        return one.scrollLeft;
      });
      expect(moved, `the ${at + 1}th`).toBeGreaterThan(20);
    }
    for (const [at, name] of [
      [0, "formula"],
      [4, "table"],
      [5, "code"],
    ] as const) {
      await wide.nth(at).scrollIntoViewIfNeeded();
      await look(phone, `wide-${name}-${dark ? "dark" : "light"}`);
    }
    expect(app.problems).toEqual([]);
    await phone.context().close();
  },
);
