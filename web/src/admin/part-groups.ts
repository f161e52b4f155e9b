import type { Part } from "./parts.ts";

type Label = Part["label"];

/** What the parts of administration are divided into, and their order. The rest are rules. */
const GROUPS = {
  start: ["overview"],
  people: ["users", "groups", "roles"],
  models: ["models", "tools", "webSearch", "embedding", "parsing"],
  rules: [],
  operation: ["system", "queues", "locks", "audit", "feedback", "branding"],
} as const satisfies Record<string, readonly Label[]>;
type Group = keyof typeof GROUPS;

const NAMES: readonly Group[] = ["start", "people", "models", "rules", "operation"];

/** These parts by groups, without the groups that have none. */
export function groupParts(parts: readonly Part[]): { name: Group; parts: Part[] }[] {
  const groups = NAMES.map((name) => ({
    name,
    parts: parts
      .filter(({ label }) => groupOf(label) === name)
      .toSorted((one, other) => placeOf(name, one.label) - placeOf(name, other.label)),
  }));
  return groups.filter((group) => group.parts.length > 0);
}

function groupOf(label: Label): Group {
  return NAMES.find((name) => placeOf(name, label) >= 0) ?? "rules";
}

function placeOf(group: Group, label: Label): number {
  const labels: readonly Label[] = GROUPS[group];
  return labels.indexOf(label);
}
