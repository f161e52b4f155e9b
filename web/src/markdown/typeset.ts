import temml from "temml";
import "./typeset.css";

const MAX_EXPANSIONS = 1_000;
/** In `em`: a formula must not cover the page. */
const MAX_SIZE: [number, number] = [50, 50];

/** The MathML of a formula; undefined where it is wrong. */
export function toMathMl(tex: string, isBlock: boolean): ChildNode[] | undefined {
  const scratch = document.createElement("span");
  try {
    temml.render(tex, scratch, {
      displayMode: isBlock,
      trust: false,
      maxSize: MAX_SIZE,
      maxExpand: MAX_EXPANSIONS,
      throwOnError: true,
    });
  } catch {
    return undefined;
  }
  return [...scratch.childNodes];
}
