import type { Kind, Look } from "./document.ts";
import type { Random } from "./random.ts";

const FONTS = [
  "DejaVu Sans",
  "DejaVu Serif",
  "Liberation Sans",
  "Liberation Serif",
  "FreeSerif",
  "FreeSans",
] as const;
const DARK = ["#1f3864", "#7b241c", "#145a32", "#4a235a", "#333333", "#0b5394"] as const;
const PALE = ["#eaf2f8", "#f4ecf7", "#e8f8f5", "#f2f2f2", "#fef5e7", "#dae8fc"] as const;

export function makeLook(random: Random, kind: Kind): Look {
  const step = random.pick([0, 0.1, 0.2, 0.35, 0.5]);
  const smallest = random.pick([1, 1.05, 1.15, 1.25]);
  return {
    font: random.pick(FONTS),
    size: random.pick([8.5, 9, 10, 10.5, 11, 12]),
    leading: random.pick([1.15, 1.25, 1.35, 1.5, 1.65]),
    paper: random.pick(["a4", "a4", "letter", "a5"]),
    margin: random.pick([14, 18, 22, 28]),
    justified: random.chance(0.4),
    headingSizes: [
      smallest + step * 3 + 0.2,
      smallest + step * 2,
      smallest + step,
      smallest,
    ],
    // headings of nearly body size must be bold, or nothing would distinguish them
    headingBold: smallest <= 1.15 || random.chance(0.7),
    headingColour: random.chance(0.5) ? random.pick(DARK) : "#000000",
    headingStyle: random.pick([
      "plain",
      "plain",
      "plain",
      "centred",
      "underlined",
      "band",
      "italic",
    ]),
    accent: random.pick(DARK),
    pale: random.pick(PALE),
    tagged: random.chance(0.4),
    framed: kind === "framed-page",
    running: random.chance(0.3),
    cellPadding: random.pick([1, 2, 3, 5]),
  };
}
