import { useEffect, useRef, useState } from "react";
import {
  deleteDraftFile,
  type Draft,
  EMPTY_DRAFT,
  loadDraft,
  saveDraft,
} from "../shell/drafts.ts";

type Change = Partial<Draft> | ((draft: Draft) => Partial<Draft>);

/** The unsent message of a conversation, stored with every change. */
export function useDraft(conversationKey: string) {
  const [state, setState] = useState({
    key: conversationKey,
    draft: loadDraft(conversationKey),
  });
  const current = useRef(state);
  if (current.current.key !== conversationKey) {
    current.current = { key: conversationKey, draft: loadDraft(conversationKey) };
  }
  useEffect(() => setState(current.current), [conversationKey]);
  const change = (next: Change) => {
    const { key, draft } = current.current;
    const changes = typeof next === "function" ? next(draft) : next;
    current.current = { key, draft: { ...draft, ...changes } };
    saveDraft(key, current.current.draft);
    setState(current.current);
  };
  return {
    draft: state.key === conversationKey ? state.draft : current.current.draft,
    change,
    /** Empties the page's draft; what is stored stays until `forget`. */
    clear() {
      current.current = { key: current.current.key, draft: EMPTY_DRAFT };
      setState(current.current);
    },
  };
}

/** Removes a stored draft once its message is stored by the server. */
export function forgetDraft(conversationKey: string, sent: Draft): void {
  const stored = loadDraft(conversationKey);
  for (const { key } of sent.files) void deleteDraftFile(key);
  if (stored.text === sent.text) saveDraft(conversationKey, EMPTY_DRAFT);
}
