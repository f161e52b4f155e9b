import { useUnsaved } from "../shell/use-unsaved.ts";
import { differing } from "./fields.ts";
import type { AgentFields } from "./queries.ts";

/** Changes that are not saved yet. */
interface Unsaved {
  /** The version that the changes were made from; 0 for a new agent. */
  baseVersion: number;
  changes: Partial<AgentFields>;
}

/**
 * The unsaved changes of an agent, stored with every key. Fields that were not changed show the
 * newest version, also when somebody else saves one in the meantime.
 */
export function useAgentDraft(key: string, stored: AgentFields, version: number) {
  const [unsaved, store] = useUnsaved<Unsaved>(`agent:${key}`);
  const changes = differing(stored, unsaved?.changes ?? {});
  const hasChanges = Object.keys(changes).length > 0;
  return {
    fields: { ...stored, ...changes },
    changes,
    hasChanges,
    /** The version that the changes were made from. */
    baseVersion: unsaved?.baseVersion ?? version,
    /** Whether somebody saved a version since the changes began. */
    isBehind: hasChanges && unsaved !== undefined && unsaved.baseVersion < version,
    change(more: Partial<AgentFields>) {
      const baseVersion = hasChanges && unsaved ? unsaved.baseVersion : version;
      const next = differing(stored, { ...changes, ...more });
      store(Object.keys(next).length > 0 ? { baseVersion, changes: next } : undefined);
    },
    /** Continues with the changes on top of the newest version. */
    rebase: () => store({ baseVersion: version, changes }),
    discard: () => store(undefined),
  };
}

export type AgentDraft = ReturnType<typeof useAgentDraft>;
