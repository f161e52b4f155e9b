import {
  differing,
  type FieldNames,
  keysOf,
  overwritten,
  pick,
  toLateFailure,
} from "./late-changes.ts";
import { useUnsaved } from "./use-unsaved.ts";

interface Unsaved<Values> {
  /** What was stored in the changed fields when they were changed. */
  base: Partial<Values>;
  changes: Partial<Values>;
}

/**
 * What was changed in a form is a draft until it is saved: it survives a reload. Fields that were
 * not changed show what is stored, also when somebody else changes it in the meantime.
 */
export function useFormDraft<Values extends object>(id: string, stored: Values) {
  const [unsaved, save] = useUnsaved<Unsaved<Values>>(id);
  const { base, changes } = unsaved ?? { base: {}, changes: {} };
  const store = (next: Unsaved<Values>) =>
    save(keysOf(next.changes).length > 0 ? next : undefined);
  return {
    values: { ...stored, ...changes },
    /** Only what differs from what is stored. */
    changes,
    isChanged: keysOf(changes).length > 0,
    change(more: Partial<Values>) {
      const next = differing<Values>(stored, { ...changes, ...more });
      const keys = keysOf(next);
      store({ base: pick({ ...stored, ...base }, keys), changes: next });
    },
    /**
     * What to save. Refuses where somebody else changed the same since; whoever saves again
     * replaces that.
     */
    async toSave(
      readNewest: () => Promise<Values>,
      names: FieldNames<Values>,
    ): Promise<{ changes: Partial<Values>; merged: Values }> {
      const newest = await readNewest();
      const late = overwritten<Values>(base, changes, newest);
      if (late.length === 0) return { changes, merged: { ...newest, ...changes } };
      store({ base: { ...base, ...pick<Values>(newest, late) }, changes });
      throw toLateFailure(late, newest, names);
    },
    /** Called after saving, or to start again. */
    forget: () => store({ base: {}, changes: {} }),
  };
}

export type FormDraft<Values extends object> = ReturnType<typeof useFormDraft<Values>>;
