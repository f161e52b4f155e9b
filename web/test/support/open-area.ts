import type { Page } from "playwright-core";

/** Opens an area that the menu of the account leads to. */
export async function openArea(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}
