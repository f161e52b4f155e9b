import { createHash } from "node:crypto";
import { readFile, glob } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A document with the markdown that it should become. */
export interface Specimen {
  path: string;
  /** What is right, in any of these ways; empty where only the file's speed and its end count. */
  truths: string[];
}

/** What a truth's name adds to its document's. */
const TRUTHS = [".md", ".truth.md", ".truth-repeated.md"];

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
    specimens.push({ path, truths: await truthsOf(path) });
  }
  return specimens.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function truthsOf(path: string): Promise<string[]> {
  const truths: string[] = [];
  for (const ending of TRUTHS) {
    const truth = await readFile(path + ending, "utf8").catch(() => undefined);
    if (truth !== undefined) truths.push(truth);
  }
  if (truths.length > 0) return truths;
  // NAME.VARIANT.pdf is set from the same text as every other variant of NAME
  const [name, variant] = basename(path).split(".");
  if (variant === undefined || !(await isVariant(path))) return [];
  for await (const other of glob(`${name}.*.truth.md`, { cwd: dirname(path) }))
    return [await readFile(join(dirname(path), other), "utf8")];
  return [];
}

/** Which half of a generated set a document is of: one is for work, one is only scored. */
export function halfOf(path: string): "work" | "scored" {
  const digest = createHash("sha256").update(basename(path)).digest();
  return (digest[0] ?? 0) % 2 === 0 ? "work" : "scored";
}

/** Scans have no text: they are for text recognition. */
async function isVariant(path: string): Promise<boolean> {
  return /^[^._]+\.[a-z]+\.[a-z]+$/i.test(basename(path));
}
