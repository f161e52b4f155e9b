import type { AnyRoute } from "@tanstack/react-router";

type Search = Record<string, unknown>;

/**
 * The router adds what `validateSearch` returns to what stands in the address, so that a bad value
 * stays unless it is overwritten. With this, a page gets nothing that its `validateSearch` did not
 * return. A layout keeps the values of the pages below it.
 */
export function dropInvalidSearch(route: AnyRoute): void {
  const children = Object.values((route.children ?? {}) as Record<string, AnyRoute>);
  for (const child of children) dropInvalidSearch(child);
  const { validateSearch } = route.options;
  if (children.length > 0 || typeof validateSearch !== "function") return;
  route.options.validateSearch = (search: Search) => ({
    ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])),
    ...validateSearch(search),
  });
}
