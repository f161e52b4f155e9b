import type { Locator, Page } from "playwright-core";

const MAX_STEPS = 300;
const MAX_ITEMS = 20;

export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(":focus"));
}

/** Presses Tab until an element has the focus. @throws where it cannot be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${String(target)}`);
}

/** Reaches an element and presses Enter on it. */
export async function enterOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Reaches a field and types into it, in place of what it holds. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Chooses an item of the menu that is open, and waits for it. */
export async function chooseItem(page: Page, name: string): Promise<void> {
  const target = page.getByRole("menuitem", { name, exact: true });
  await target.waitFor();
  for (let step = 0; step < MAX_ITEMS && !(await hasFocus(target)); step += 1)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}
