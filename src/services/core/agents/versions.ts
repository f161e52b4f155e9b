import { isDeepStrictEqual } from "node:util";
import type { User } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { RunOptions, Workers } from "../../../platform/workers/workers.ts";
import { compareTexts } from "../compare-texts.ts";
import type { TextChange } from "../contract-text-change.ts";
import { agentFor } from "./access.ts";
import type { Agent, Version } from "./contract.ts";
import { type AgentDeps, changeAgent } from "./manage-agents.ts";
import { findVersion } from "./store.ts";

/** @throws NotFound `version_not_found`. */
export async function versionOf(
  deps: AgentDeps,
  user: User,
  id: string,
  version: number,
): Promise<Version> {
  await agentFor(deps, user, id, "viewer");
  const found = await findVersion(deps.db, id, version);
  if (!found) throw versionNotFound(version);
  return found;
}

export function versionNotFound(version: number): NotFound {
  return new NotFound(
    "version_not_found",
    `The agent has no version ${version}. GET /api/v1/agent/:id/versions lists them.`,
  );
}

export async function restoreVersion(
  deps: AgentDeps,
  user: User,
  id: string,
  version: number,
): Promise<Agent> {
  const { definition, files } = await versionOf(deps, user, id, version);
  return changeAgent(deps, user, id, { ...definition, files });
}

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
