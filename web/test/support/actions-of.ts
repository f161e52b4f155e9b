import type { Locator, Page } from "playwright-core";

/**
 * The menu button of a row in the page itself. A conversation of the same name can stand in the
 * sidebar, where it arrives when it pleases.
 */
export function actionsOf(page: Page, whose: string | RegExp): Locator {
  const name = typeof whose === "string" ? `Actions for ${whose}` : whose;
  return page.getByRole("main").getByRole("button", { name });
}
