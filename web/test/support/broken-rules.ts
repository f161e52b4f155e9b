import axe from "axe-core";
import type { Page } from "playwright-core";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/**
 * What is still appearing has the contrast of a half transparent text. Out of sight, browsers skip
 * parts of long answers with their animations, which then never say that they ended.
 */
const ANIMATIONS_ENDED = `Promise.allSettled(document.getAnimations()
  .filter(({ timeline }) => timeline === document.timeline) // others follow the scroll
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map((animation) => Promise.race([
    animation.finished,
    new Promise((done) => setTimeout(done, 1_000))
      .then(() => animation.playState === "idle" || animation.finish()),
  ])))`;

/** Rules of WCAG 2.2 AA that the page breaks, each with the first element that does. */
export async function brokenRules(page: Page): Promise<string[]> {
  // injected by the browser itself: the page's policy lets no foreign script in
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe.source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `${ANIMATIONS_ENDED}
      .then(() => axe.run({ runOnly: ${JSON.stringify(RULES)} }))
      .then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[]; // built by the expression
}
