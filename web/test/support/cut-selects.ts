import type { Page } from "playwright-core";

// runs in the page, where the types of this file are not known
const CUT = `(() => {
  const pen = document.createElement("canvas").getContext("2d");
  const ARROW_PIXELS = 20;
  const isCut = (select) => {
    const { appearance, font, paddingLeft, paddingRight } = getComputedStyle(select);
    // one that draws its own arrow keeps room for it in its padding
    const arrow = appearance === "none" ? 0 : ARROW_PIXELS;
    pen.font = font;
    const text = pen.measureText(select.selectedOptions[0]?.label ?? "").width;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return text > room - arrow + 1;
  };
  return [...document.querySelectorAll("select")]
    .filter((select) => select.checkVisibility() && isCut(select))
    .map((select) => (select.ariaLabel ?? select.name) + ": " + select.selectedOptions[0].label);
})()`;

/** The selects of a page that have no room for what is chosen in them. */
export function cutSelects(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(CUT);
}
