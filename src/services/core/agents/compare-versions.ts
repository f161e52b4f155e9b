import { isDeepStrictEqual } from "node:util";
import type { RunOptions, Workers } from "../../../platform/workers/workers.ts";
import { compareTexts } from "../compare-texts.ts";
import type { TextChange } from "../contract-text-change.ts";
import type { Version } from "./contract.ts";

interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
  words?: TextChange[];
}

/** Fields whose texts are long enough to be compared word by word. */
const TEXTS = ["instructions", "description"];

/**
 * The fields in which two versions differ.
 * @throws what `compareTexts` throws.
 */
export async function compareVersions(
  workers: Workers,
  from: Version,
  to: Version,
  options: RunOptions,
): Promise<FieldChange[]> {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  const fields = Object.keys(after).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );
  const changes: FieldChange[] = [];
  for (const field of fields) {
    const change: FieldChange = { field, from: before[field], to: after[field] };
    if (TEXTS.includes(field)) {
      const texts = {
        before: String(change.from),
        after: String(change.to),
        by: "word",
      } as const;
      const words = await compareTexts(workers, texts, options);
      if (words) change.words = words.map(({ kind, text }) => ({ kind, text }));
    }
    changes.push(change);
  }
  return changes;
}

function fieldsOf({ definition, files }: Version): Record<string, unknown> {
  return { ...definition, files };
}
