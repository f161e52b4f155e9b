import { keptChoice } from "./kept-choice.ts";
import { theme } from "./theme.ts";

/** How large everything is, and how close together. */
export const textSize = keptChoice({
  name: "textSize",
  choices: ["normal", "small", "large", "larger"],
});
export const density = keptChoice({
  name: "density",
  choices: ["comfortable", "compact"],
});

/** Applies what this browser keeps, before the first render. */
export function startDisplay(): void {
  theme.start();
  textSize.start();
  density.start();
}
