import type { AgentFields, VisibleAgent } from "./queries.ts";

/** A new agent before anything is set. */
export const NEW_FIELDS: AgentFields = {
  name: "",
  description: "",
  type: "simple",
  instructions: "",
  model: null,
  tools: [],
  flowId: null,
  retrieval: null,
  temperature: null,
  approval: "destructive",
  starters: [],
  icon: null,
  files: [],
  folderId: null,
};

export const NEW_RETRIEVAL = { topK: 20, grade: 0.2, mode: "step", docIds: [] } as const;

/** What a person sets of an agent. */
export function fieldsOf(agent: VisibleAgent): AgentFields {
  const names = Object.keys(NEW_FIELDS) as (keyof AgentFields)[];
  return Object.fromEntries(
    names.map((name) => [name, agent[name]]),
  ) as unknown as AgentFields; // the same names
}

/** The changes that make a difference. */
export function differing(
  fields: AgentFields,
  changes: Partial<AgentFields>,
): Partial<AgentFields> {
  const names = Object.keys(changes) as (keyof AgentFields)[];
  const differ = names.filter(
    (name) => JSON.stringify(changes[name]) !== JSON.stringify(fields[name]),
  );
  return Object.fromEntries(differ.map((name) => [name, changes[name]]));
}

/** A change of the type, with what another type must or must not have. */
export function withType(
  type: AgentFields["type"],
  { retrieval, flowId }: AgentFields,
): Partial<AgentFields> {
  const answersFromDocuments = type === "cortex" || type === "organization";
  const usual = type === "cortex" ? { ...NEW_RETRIEVAL, docIds: [] } : null;
  return {
    type,
    retrieval: answersFromDocuments ? (retrieval ?? usual) : null,
    flowId: type === "workflow" ? flowId : null,
  };
}
