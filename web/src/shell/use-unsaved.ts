import { useState } from "react";
import { EMPTY_DRAFT, loadDraft, saveDraft } from "./drafts.ts";

/**
 * What was changed in a form and is not saved: stored with every key, so that it survives a reload.
 * @returns it and a function that replaces it; undefined where there is none.
 */
export function useUnsaved<Unsaved extends object>(id: string) {
  const [unsaved, setUnsaved] = useState(() => read<Unsaved>(id));
  const store = (next: Unsaved | undefined) => {
    saveDraft(id, next ? { text: JSON.stringify(next), files: [] } : EMPTY_DRAFT);
    setUnsaved(next);
  };
  return [unsaved, store] as const;
}

function read<Unsaved>(id: string): Unsaved | undefined {
  const { text } = loadDraft(id);
  return text === "" ? undefined : (JSON.parse(text) as Unsaved); // written above
}
