import type { Variable } from "./queries.ts";

const GAP = /\{\{\s*([a-zA-Z0-9]+)\s*\}\}/g;
const NAME = /^[a-z][a-zA-Z0-9]{0,39}$/;

/** The names of the gaps of a text, each once, in their order. */
export function findGaps(content: string): string[] {
  return [...new Set([...content.matchAll(GAP)].flatMap(([, name]) => name ?? []))];
}

/** A name that the server does not accept. */
export function isWrongName(name: string): boolean {
  return !NAME.test(name);
}

/**
 * The variables of a text's gaps: those that are known stay as they are, and a new gap gets one of
 * its own. The variable of a removed gap stays in `known`, for when the gap is added again.
 */
export function variablesOf(content: string, known: readonly Variable[]): Variable[] {
  return findGaps(content).map(
    (name) => known.find((one) => one.name === name) ?? newVariable(name),
  );
}

function newVariable(name: string): Variable {
  return { name, label: toLabel(name), default: null, required: true };
}

/** `dueDate` as "Due date". */
function toLabel(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
