import { useState } from "react";
import type { Choice } from "./picker.tsx";

const MODEL_KEY = "parlance.model";

/**
 * Who answers in a conversation. A new one begins with the model that was chosen last; in an old one
 * answers who answered before, until another is chosen.
 */
export function useChoice(conversationKey: string): [Choice, (choice: Choice) => void] {
  const [chosen, setChosen] = useState<{ key: string; choice: Choice }>();
  const isNew = conversationKey === "new";
  const initial = isNew ? { model: localStorage.getItem(MODEL_KEY) ?? undefined } : {};
  const choice = chosen?.key === conversationKey ? chosen.choice : initial;
  const choose = (next: Choice) => {
    if (next.model) localStorage.setItem(MODEL_KEY, next.model);
    setChosen({ key: conversationKey, choice: next });
  };
  return [choice, choose];
}
