/** Text and JSON that cost much to parse, match, render or compare unless it is limited. */

const MEGABYTE = 1_000_000;
/** All runs of a text fit into the field of a body of a megabyte. */
const RUN_LENGTH = 15_000;

const fill = (part: string) =>
  part.repeat(Math.ceil(MEGABYTE / part.length)).slice(0, MEGABYTE);

/** Used wherever a request accepts text, cut to the permitted length. */
export const HOSTILE_TEXTS: Record<string, string> = {
  letters: fill("a"),
  lines: fill("\n"),
  dots: fill("."),
  brackets: fill("["),
  "open links": fill("[a](b"),
  emphasis: fill("*a_ "),
  quotes: fill("> "),
  wildcards: fill("*?"),
  "bait for nested repetition": `${fill("a").slice(1)}!`,
  "bait for addresses": fill("a@a."),
  spaces: `${fill(" ").slice(1)}x`,
  "combining marks": fill("e\u0301\u0323"),
  "joined emoji": fill("\u{1f469}\u200d"),
  "both directions": fill("\u202e\u05d0a"),
  commas: fill("a,"),
  braces: fill("{{a}}"),
  backslashes: fill("\\"),
  "images without an end": fill("!["),
  ...signs(),
};

/** Long runs of each other ASCII sign: what reads a run again from each of its places stalls. */
function signs(): Record<string, string> {
  const all = "\"'`~@#$%^&+=_|;:<>(){}]/!?-";
  const middle = all.length / 2;
  const runs = (some: string) =>
    fill([...some].map((sign) => `${sign.repeat(RUN_LENGTH)}a `).join(""));
  return {
    "runs of signs": runs(all.slice(0, middle)),
    "runs of other signs": runs(all.slice(middle)),
  };
}

/**
 * Used wherever a request accepts JSON. They are strings, because some of them must never be built.
 */
export const HOSTILE_JSON: Record<string, string> = {
  "deep lists": `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  "deep objects": `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
  "wide list": `[${"0,".repeat(400_000)}0]`,
  "many keys": `{${Array.from({ length: 60_000 }, (_, key) => `"k${key}":0`).join()}}`,
  "long key": `{"${fill("k")}":0}`,
  "large schema": schemaOf(2_900),
  "schema of patterns": patternsOf(500),
};

function schemaOf(ways: number): string {
  const anyOf = Array.from({ length: ways }, (_, way) => ({
    type: "object",
    properties: { [`p${way}`]: { type: "string", maxLength: way } },
  }));
  return JSON.stringify({ type: "object", anyOf });
}

function patternsOf(count: number): string {
  const patterns = Array.from({ length: count }, (_, way) => [
    `(a+)+${way}$`,
    { type: "string" },
  ]);
  return JSON.stringify({
    type: "object",
    patternProperties: Object.fromEntries(patterns),
  });
}
