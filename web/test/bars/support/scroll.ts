import type { Page } from "playwright-core";

interface Scrolled {
  framesPerSecond: number;
  /** The farthest that a message moved beyond the step of a frame. */
  jumpPx: number;
  distancePx: number;
}

/**
 * Scrolls the thread up by the same step in each frame. A message in sight moves by that step;
 * anything else is a jump, whatever the scroll position says.
 */
const SCROLL = `(durationMs) => new Promise((resolve) => {
  const STEP_PX = 40;
  const scroller = document.querySelector("[role=log]");
  const tops = () => {
    const { top, bottom } = scroller.getBoundingClientRect();
    const rows = [...scroller.querySelectorAll("[data-index]")]
      .map((row) => [row.dataset.index, row.getBoundingClientRect()])
      .filter(([, box]) => box.bottom > top && box.top < bottom);
    return new Map(rows.map(([index, box]) => [index, { first: box.top, last: box.bottom }]));
  };
  let [frames, jumpPx, distancePx] = [0, 0, 0];
  let before;
  const startedAt = performance.now();
  const next = (now) => {
    const shown = tops();
    if (before) {
      // a message that grows does not move: its nearer edge stays
      const moves = [...shown].flatMap(([index, { first, last }]) => {
        const old = before.get(index);
        return old ? [Math.min(Math.abs(first - old.first - STEP_PX), Math.abs(last - old.last - STEP_PX))] : [];
      });
      jumpPx = Math.max(jumpPx, ...moves);
      distancePx += STEP_PX;
    }
    frames += 1;
    if (now - startedAt > durationMs || scroller.scrollTop < STEP_PX * 2) {
      resolve({ framesPerSecond: (frames * 1_000) / (now - startedAt), jumpPx, distancePx });
      return;
    }
    before = shown;
    // as a hand does: the page hears of it before the next frame
    setTimeout(() => {
      scroller.scrollTop -= STEP_PX;
      requestAnimationFrame(next);
    });
  };
  requestAnimationFrame(next);
})`;

export async function scrollUp(page: Page, durationMs: number): Promise<Scrolled> {
  return (await page.evaluate(`(${SCROLL})(${durationMs})`)) as Scrolled;
}
