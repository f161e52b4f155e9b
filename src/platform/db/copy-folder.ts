import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Copies the files of a database that nobody has open. Reading and writing its 1,400 small files
 * one by one takes a tenth of the time of `fs.cp`, which asks the file system about each of them
 * several times. Blocking: a first start has nothing else to do.
 */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyFolder(source, target);
    else writeFileSync(target, readFileSync(source), { flag: "wx", mode: 0o600 });
  }
}
