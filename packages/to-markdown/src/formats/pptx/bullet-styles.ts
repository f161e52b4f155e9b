import { type Element, childOf, elementsOf, findAll, findIn } from "../xml-tree.ts";

export type Bullet = "none" | "sign" | "number";

export interface BulletStyles {
  /** The bullet of a paragraph of this placeholder at a level (from 0) that has none of its own. */
  of(placeholder: Element | undefined, level: number): Bullet;
  /** The shape of the layout or the master for this placeholder, which has its position. */
  shapeOf(placeholder: Element | undefined): Element | undefined;
}

/**
 * The list styles of layouts and masters, which most slides use. Source: ECMA-376 part 1, 19.3.1.51
 * and 21.1.2.4.
 */
export function bulletStyles(
  layout: Element | undefined,
  master: Element | undefined,
): BulletStyles {
  const shapes = [layout, master].map((part) =>
    findAll(part, "sp").map((shape) => ({
      shape,
      placeholder: childOf(shape, "nvSpPr", "nvPr", "ph"),
      list: childOf(shape, "txBody", "lstStyle"),
    })),
  );
  const sameIn = (depth: number, placeholder: Element) =>
    shapes[depth]?.find(
      ({ placeholder: other }) =>
        other &&
        (depth === 0 && placeholder.attributes["idx"] !== undefined
          ? other.attributes["idx"] === placeholder.attributes["idx"]
          : kindOf(other) === kindOf(placeholder)),
    );
  const texts = childOf(master, "txStyles");
  return {
    of(placeholder, level) {
      if (!placeholder) return bulletIn(childOf(texts, "otherStyle"), level) ?? "none";
      const type = placeholder.attributes["type"] ?? "obj";
      const found =
        bulletIn(sameIn(0, placeholder)?.list, level) ??
        bulletIn(sameIn(1, placeholder)?.list, level);
      if (found) return found;
      return bulletIn(childOf(texts, styleFor(type)), level) ?? "none";
    },
    shapeOf(placeholder) {
      if (!placeholder) return undefined;
      const own = sameIn(0, placeholder)?.shape;
      return own && findIn(own, "off") ? own : sameIn(1, placeholder)?.shape;
    },
  };
}

/** Maps the types of a layout to the few types of its master. */
function kindOf(placeholder: Element): string {
  const type = placeholder.attributes["type"] ?? "obj";
  if (/title/i.test(type) && type !== "subTitle") return "title";
  return /^(?:dt|ftr|sldNum)$/.test(type) ? type : "body";
}

function bulletIn(list: Element | undefined, level: number): Bullet | undefined {
  return ownBullet(childOf(list, `lvl${level + 1}pPr`));
}

export function ownBullet(properties: Element | undefined): Bullet | undefined {
  for (const { name } of elementsOf(properties)) {
    if (name === "buNone") return "none";
    if (name === "buChar" || name === "buBlip") return "sign";
    if (name === "buAutoNum") return "number";
  }
  return undefined;
}

/** The master's text style for a type of placeholder. */
function styleFor(type: string): string {
  if (/title/i.test(type)) return "titleStyle";
  return /^(?:body|obj|subTitle|tbl|chart|clipArt|dgm|media|pic)$/.test(type)
    ? "bodyStyle"
    : "otherStyle";
}
