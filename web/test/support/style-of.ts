import type { Locator } from "playwright-core";

/** What the page has, and the types of walks do not. */
interface Window {
  getComputedStyle(element: unknown): Record<string, string>;
}
interface Node {
  parentElement: Node | null;
  querySelectorAll(selector: string): Iterable<unknown>;
}

/** A property of an element, as the browser computes it. */
export function styleOf(shown: Locator, name: string): Promise<string> {
  return shown.evaluate(
    (element, property) =>
      (globalThis as unknown as Window).getComputedStyle(element)[property] ?? "",
    name,
  );
}

/** How much of an element is seen through those around it, from 0 to 1. */
export function opacityOf(shown: Locator): Promise<number> {
  return shown.evaluate((element) => {
    let opacity = 1;
    for (let one = element as unknown as Node | null; one; one = one.parentElement)
      opacity *= Number((globalThis as unknown as Window).getComputedStyle(one)["opacity"]);
    return opacity;
  });
}

/** The colours of what an element has, and of the grounds. */
export function coloursOf(shown: Locator): Promise<string[]> {
  return shown.evaluate((element) => {
    const all = [...(element as unknown as Node).querySelectorAll("*")];
    return all.flatMap((one) => {
      const style = (globalThis as unknown as Window).getComputedStyle(one);
      return [style["color"] ?? "", style["backgroundColor"] ?? ""];
    });
  });
}
