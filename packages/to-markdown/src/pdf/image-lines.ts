import { type Box, height, width } from "./geometry.ts";
import { RULE_THICKNESS } from "./path-shapes.ts";

/** Shorter ones are parts of drawings, or the lines of fractions. */
const MIN_LENGTH = 12;

/**
 * The pictures that are lines: some programs draw the lines of tables as pictures of one pixel. A
 * thin part of a picture that is cut into strips touches another one along its length.
 */
export function linesAmong(images: readonly Box[]): Box[] {
  const distinct = new Map(images.map((image) => [placeOf(image), image]));
  /** The first two pictures of each side: one of them is another than that which asks. */
  const sides = new Map<string, Box[]>();
  for (const image of distinct.values())
    for (const key of sidesOf(image)) {
      const known = sides.get(key);
      if (!known) sides.set(key, [image]);
      else if (known.length < 2) known.push(image);
    }
  return [...distinct.values()].filter(
    (image) =>
      Math.min(width(image), height(image)) < RULE_THICKNESS &&
      Math.max(width(image), height(image)) >= MIN_LENGTH &&
      !neighboursOf(image).some((key) => sides.get(key)?.some((other) => other !== image)),
  );
}

const placeOf = ({ left, top, right, bottom }: Box): string =>
  [left, top, right, bottom].map((at) => Math.round(at * 4)).join(" ");

/** Names of the sides of a picture: two that touch along the whole of a side share one. */
const keyOf = (side: string, at: number, from: number, to: number): string =>
  `${side} ${Math.round(at)} ${Math.round(from)} ${Math.round(to)}`;

const sidesOf = ({ left, top, right, bottom }: Box): string[] => [
  keyOf("top", top, left, right),
  keyOf("bottom", bottom, left, right),
  keyOf("left", left, top, bottom),
  keyOf("right", right, top, bottom),
];

/** The sides of others that would touch the long sides of a thin picture. */
function neighboursOf({ left, top, right, bottom }: Box): string[] {
  const near = (at: number) => [at - 0.5, at, at + 0.5];
  return right - left >= bottom - top
    ? [
        ...near(top).map((at) => keyOf("bottom", at, left, right)),
        ...near(bottom).map((at) => keyOf("top", at, left, right)),
      ]
    : [
        ...near(left).map((at) => keyOf("right", at, top, bottom)),
        ...near(right).map((at) => keyOf("left", at, top, bottom)),
      ];
}
