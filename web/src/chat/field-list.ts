import { type RefObject, useEffect } from "react";

/** What lists share that are opened by typing, while the focus stays in the text. */

/** Says of the field which list belongs to it, and which of its options is the current one. */
export function useFieldState(
  input: RefObject<HTMLTextAreaElement | null>,
  state: { list: string; option: string } | undefined,
): void {
  const { list, option } = state ?? {};
  useEffect(() => {
    const field = input.current;
    if (!field || list === undefined || option === undefined) return undefined;
    const attributes = {
      "aria-autocomplete": "list",
      "aria-controls": list,
      "aria-activedescendant": option,
    };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(name);
    };
  }, [input, list, option]);
}

/** As on the start page, where a list above would leave the screen. */
export function isInUpperHalf(field: HTMLElement | null): boolean {
  return field !== null && field.getBoundingClientRect().top < innerHeight / 2;
}

/** For the current option of a list that scrolls. */
export function scrollTo(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
