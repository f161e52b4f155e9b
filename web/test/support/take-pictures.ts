import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Where `npm run pictures:web` puts pictures; empty in a usual run. */
export const PICTURES_FOLDER = process.env["PICTURES_DIR"] ?? "";

/** Takes a picture of what the window shows, once nothing of it is loading. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
  const path = join(PICTURES_FOLDER, `${name}.png`);
  await page.screenshot({ path, animations: "disabled" });
}
