import { useState } from "react";
import { EMPTY_DRAFT, loadDraft, saveDraft } from "./drafts.ts";

/** What was changed in a form is a draft until it is saved: it survives a reload. */
export function useFormDraft<Values extends object>(id: string, stored: Values) {
  const [changes, setChanges] = useState<Partial<Values>>(() => readDraft<Values>(id));
  return {
    values: { ...stored, ...changes },
    /** Only what differs from what is stored. */
    changes,
    isChanged: Object.keys(changes).length > 0,
    change(more: Partial<Values>) {
      const next = { ...changes, ...more };
      saveDraft(id, { text: JSON.stringify(next), files: [] });
      setChanges(next);
    },
    /** Called after saving, or to start again. */
    forget() {
      saveDraft(id, EMPTY_DRAFT);
      setChanges({});
    },
  };
}

export type FormDraft<Values extends object> = ReturnType<typeof useFormDraft<Values>>;

function readDraft<Values extends object>(id: string): Partial<Values> {
  const { text } = loadDraft(id);
  return text === "" ? {} : (JSON.parse(text) as Partial<Values>); // written above
}
