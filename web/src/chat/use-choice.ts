import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Choice } from "./picker.tsx";
import { modelsQuery } from "./queries.ts";

const MODEL_KEY = "parlance.model";

/**
 * Decides who answers in a conversation. A new one starts with the model that was chosen last. In
 * an existing one, the agent or model that answered `before` continues: `asked` contains only what
 * was chosen here, so that the server decides the rest.
 */
export function useChoice(conversationKey: string, before: Choice) {
  const { data: models } = useQuery(modelsQuery);
  const [chosen, setChosen] = useState<{ key: string; choice: Choice }>();
  const isNew = conversationKey === "new";
  const { agent } = useSearch({ strict: false });
  const remembered = localStorage.getItem(MODEL_KEY) ?? undefined;
  const isOffered = models?.items.some(({ id }) => id === remembered) ?? false;
  const initial: Choice = {
    ...(isNew && isOffered && { model: remembered }),
    ...(isNew && agent !== undefined && { agentId: agent, model: undefined }),
  };
  const asked = chosen?.key === conversationKey ? chosen.choice : initial;
  return {
    asked,
    shown: { ...before, ...asked },
    choose(next: Choice) {
      if (next.model) localStorage.setItem(MODEL_KEY, next.model);
      setChosen({ key: conversationKey, choice: next });
    },
  };
}
