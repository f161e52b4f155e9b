import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Reads and writes its folder, and tries another one. */
export default function useFolder(
  { write, other }: { write?: string; other?: string },
  _: Buffer,
  folder: string,
) {
  const found = readdirSync(folder).map((name) => [
    name,
    readFileSync(`${folder}/${name}`, "utf8"),
  ]);
  if (write !== undefined) writeFileSync(`${folder}/written`, write);
  return { folder, found, seesOther: other !== undefined && reaches(other) };
}

function reaches(path: string): boolean {
  try {
    return existsSync(path) && readdirSync(path).length >= 0;
  } catch {
    return false;
  }
}
