import { queryOptions } from "@tanstack/react-query";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { templatesContract } from "../../../src/services/core/templates/contract.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { call } from "../api/call.ts";
import { wordAgent } from "../texts/built-in-agents.ts";
import { currentLanguage } from "../texts/language.ts";

const SHOWN = 5;

/** A thing that the palette leads to. */
export interface NamedThing {
  kind: "agent" | "document" | "template";
  id: string;
  name: string;
}

const PERMISSIONS = {
  agent: "agent:read",
  document: "document:read",
  template: "template:read",
} as const;

/** Agents, documents and templates by a part of their name, as far as the roles permit. */
export function namedThingsQuery(words: string, permissions: readonly string[]) {
  const kinds = (["agent", "document", "template"] as const).filter((kind) =>
    permissions.includes(PERMISSIONS[kind]),
  );
  return queryOptions({
    queryKey: ["named-things", words, kinds],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(kinds.map((kind) => FIND[kind](words, signal)));
      return found.flat();
    },
    enabled: words.length > 1,
  });
}

const FIND: Record<
  NamedThing["kind"],
  (query: string, signal: AbortSignal) => Promise<NamedThing[]>
> = {
  async agent(query, signal) {
    const input = { query: { query, limit: SHOWN, scope: "all" as const } };
    const { items } = await call(agentsContract.listAgents, input, { signal });
    return items.map(wordAgent).map(({ id, name }) => ({ kind: "agent", id, name }));
  },
  async document(query, signal) {
    const input = { query: { query, limit: SHOWN } };
    const { items } = await call(documentsContract.list, input, { signal });
    return items.map(({ id, fileName }) => ({ kind: "document", id, name: fileName }));
  },
  async template(query, signal) {
    const builtInLanguage = currentLanguage();
    const input = { query: { query, limit: SHOWN, builtInLanguage } };
    const { items } = await call(templatesContract.listTemplates, input, { signal });
    return items.map(({ id, name }) => ({ kind: "template", id, name }));
  },
};
