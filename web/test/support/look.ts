import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";

/** Takes a picture into `LOOK_DIR`, for a person to look at; nothing in a usual run. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env["LOOK_DIR"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled" });
}
