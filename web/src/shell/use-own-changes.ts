import { useState } from "react";
import {
  differing,
  type FieldNames,
  overwritten,
  pick,
  toLateFailure,
} from "./late-changes.ts";

interface OwnChanges<Fields> {
  /** What is stored when the form opens. */
  stored: Fields;
  readNewest: () => Promise<Fields>;
  names: FieldNames<Fields>;
}

/**
 * Tells what was changed in a form: only that is saved, so that it overwrites nothing else.
 * Refuses where somebody else changed the same since; whoever saves again replaces that.
 */
export function useOwnChanges<Fields extends object>({
  stored,
  readNewest,
  names,
}: OwnChanges<Fields>) {
  const [base, setBase] = useState(stored);
  return async (values: Fields) => {
    const removed = Object.fromEntries(Object.keys(base).map((key) => [key, undefined]));
    const changes = differing<Fields>(base, { ...(removed as Partial<Fields>), ...values });
    const newest = await readNewest();
    const late = overwritten<Fields>(base, changes, newest);
    if (late.length === 0) return { changes, merged: { ...newest, ...changes } };
    setBase({ ...base, ...pick<Fields>(newest, late) });
    throw toLateFailure(late, newest, names);
  };
}
