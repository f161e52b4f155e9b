import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Opens an address, and waits until nothing of it is loading. */
export async function showPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("h1, h2, textarea").locator("visible=true").first().waitFor();
  const loading = () => page.locator(".animate-pulse").count();
  await expect.poll(loading).toBe(0);
}
