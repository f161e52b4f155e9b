import { useState } from "react";
import { EMPTY_DRAFT, loadDraft, saveDraft } from "../shell/drafts.ts";
import type { Template } from "./queries.ts";

/** What a person sets of a template. */
export type Fields = Pick<
  Template,
  "name" | "description" | "content" | "variables" | "language" | "enabled" | "scope"
>;

/** The unsaved fields of a template, stored with every key. */
export function useTemplateDraft(key: string, stored: Fields) {
  const id = `template:${key}`;
  const [changes, setChanges] = useState<Partial<Fields>>(() => load(id));
  const store = (next: Partial<Fields>) => {
    const isEmpty = Object.keys(next).length === 0;
    saveDraft(id, isEmpty ? EMPTY_DRAFT : { text: JSON.stringify(next), files: [] });
    setChanges(next);
  };
  return {
    fields: { ...stored, ...changes },
    hasChanges: Object.keys(changes).length > 0,
    change: (more: Partial<Fields>) => store({ ...changes, ...more }),
    discard: () => store({}),
  };
}

function load(id: string): Partial<Fields> {
  const { text } = loadDraft(id);
  return text === "" ? {} : (JSON.parse(text) as Partial<Fields>); // written by `store`
}
