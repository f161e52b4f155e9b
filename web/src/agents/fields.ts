import type { AgentFields, VisibleAgent } from "./queries.ts";

/** What each part of the form gets. */
export interface FieldsProps {
  fields: AgentFields;
  change: (changes: Partial<AgentFields>) => void;
  isReadOnly: boolean;
}

/** The initial values of a new agent. */
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
  parameters: {},
  approval: "destructive",
  starters: [],
  icon: null,
  files: [],
  folderId: null,
};

export const NEW_RETRIEVAL = { topK: 20, grade: 0.2, mode: "step", docIds: [] } as const;

/** The fields of an agent that a user edits. */
export function fieldsOf(agent: VisibleAgent): AgentFields {
  const names = Object.keys(NEW_FIELDS) as (keyof AgentFields)[];
  return Object.fromEntries(
    names.map((name) => [name, agent[name]]),
  ) as unknown as AgentFields; // the same names
}

/** The changed fields whose values differ. */
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

/** A change of the type, with the fields that the new type requires or excludes. */
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
