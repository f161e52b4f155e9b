import { createHash } from "node:crypto";
import { readFile, glob } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/** A document with its expected Markdown. */
export interface Specimen {
  path: string;
  /**
   * The correct outputs, any of which counts; empty where only speed and termination are tested.
   */
  truths: string[];
}

/** The endings of the names of expected outputs. */
const TRUTHS = [".md", ".truth.md", ".truth-repeated.md"];

/**
 * The documents of a folder with one of these `extensions`, with their expected outputs, if any.
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
  // NAME.truth.md beside NAME.pdf
  const bare = path.slice(0, -extname(path).length);
  const named = await readFile(`${bare}.truth.md`, "utf8").catch(() => undefined);
  if (named !== undefined) return [named];
  // NAME.VARIANT.pdf has the same text as every other variant of NAME
  const [name, variant] = basename(path).split(".");
  if (variant === undefined || !(await isVariant(path))) return [];
  for await (const other of glob(`${name}.*.truth.md`, { cwd: dirname(path) }))
    return [await readFile(join(dirname(path), other), "utf8")];
  return [];
}

/**
 * The half of a generated set that a document belongs to: `work` may be used to improve the code,
 * `scored` is only measured.
 */
export function halfOf(path: string): "work" | "scored" {
  const digest = createHash("sha256").update(basename(path)).digest();
  return (digest[0] ?? 0) % 2 === 0 ? "work" : "scored";
}

/** Scans have no text: they are for text recognition. */
async function isVariant(path: string): Promise<boolean> {
  return /^[^._]+\.[a-z]+\.[a-z]+$/i.test(basename(path));
}
