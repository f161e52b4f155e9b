import { readFile, glob } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A document with the markdown that it should become. */
export interface Specimen {
  path: string;
  /** Undefined: only its speed and its end count. */
  truth?: string;
}

/** What a truth's name adds to its document's. */
const TRUTHS = [".md", ".truth.md"];

/**
 * The documents of a folder that end in one of `extensions`, with their truths where they have one.
 */
export async function readCorpus(
  folder: string,
  extensions: readonly string[],
): Promise<Specimen[]> {
  const specimens: Specimen[] = [];
  for await (const name of glob(`**/*.{${extensions.join(",")},}`, { cwd: folder })) {
    const path = join(folder, name);
    const truth = await truthOf(path);
    specimens.push({ path, ...(truth !== undefined && { truth }) });
  }
  return specimens.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function truthOf(path: string): Promise<string | undefined> {
  for (const ending of TRUTHS) {
    const truth = await readFile(path + ending, "utf8").catch(() => undefined);
    if (truth !== undefined) return truth;
  }
  // NAME.VARIANT.pdf is set from the same text as every other variant of NAME
  const [name, variant] = basename(path).split(".");
  if (variant === undefined || !(await isVariant(path))) return undefined;
  for await (const other of glob(`${name}.*.truth.md`, { cwd: dirname(path) }))
    return readFile(join(dirname(path), other), "utf8");
  return undefined;
}

/** Scans have no text: they are for text recognition. */
async function isVariant(path: string): Promise<boolean> {
  return /^[^._]+\.[a-z]+\.[a-z]+$/i.test(basename(path));
}
