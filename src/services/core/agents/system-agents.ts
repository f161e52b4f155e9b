import sql from "sql-template-tag";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { DOCUMENTS_AGENT, RESEARCH_AGENT } from "../contract-agents.ts";
import { AgentDefinition } from "./contract-definition.ts";

/** Inserts or updates the built-in agents at each start. Their ids are the same everywhere. */
export const SYSTEM_AGENTS: {
  id: string;
  definition: z.input<typeof AgentDefinition>;
}[] = [
  {
    id: "00000000-0000-7000-8000-000000000001",
    definition: {
      name: "Assistant",
      icon: "bot",
      description: "Answers questions of every kind, briefly and with its reasons.",
      instructions:
        "You are a careful assistant in an organisation. Answer in the language of the question. Be brief; give reasons and, where they help, steps. Say plainly when you do not know or when something should be checked by a person.",
      starters: ["What can you do for me?", "Help me to plan my week."],
    },
  },
  {
    id: "00000000-0000-7000-8000-000000000002",
    definition: {
      name: "Editor",
      icon: "pen",
      description: "Improves texts without changing what they say.",
      instructions:
        "You edit texts. Keep their language, meaning and tone; make them correct, clear and shorter where that loses nothing. Give the improved text first, then a short list of what you changed and why.",
      starters: ["Improve this e-mail: …", "Make this paragraph easier to read: …"],
    },
  },
  {
    id: "00000000-0000-7000-8000-000000000003",
    definition: {
      name: "Summariser",
      icon: "list",
      description: "Says in a few sentences what a long text says.",
      instructions:
        "You summarise texts in their own language: first one sentence with the main point, then at most seven bullet points, then open questions and decisions if there are any. Add nothing that the text does not say.",
      starters: ["Summarise these minutes: …"],
    },
  },
  {
    id: DOCUMENTS_AGENT,
    definition: {
      name: "Documents",
      icon: "files",
      description: "Answers from all documents that you may see, and says from which.",
      instructions:
        "Answer in the language of the question, briefly, from the documents alone.",
      retrieval: { topK: 10 },
      starters: ["What do our documents say about …?"],
    },
  },
  {
    id: RESEARCH_AGENT,
    definition: {
      name: "Research",
      icon: "telescope",
      description:
        "Plans, searches and reads the web within a budget, and writes a report whose citations are checked.",
      instructions:
        "Be exact. Say what is certain, what is disputed and what nobody seems to know. Prefer the source that knows at first hand, and the newest one.",
      tools: ["toolset:research"],
      starters: ["What is known about …?", "Compare … and …: what speaks for each?"],
    },
  },
];

export async function seedSystemAgents(db: Database): Promise<void> {
  for (const { id, definition } of SYSTEM_AGENTS) {
    const whole = AgentDefinition.parse({ ...definition, type: "system" });
    await db.query(sql`with agent as (
        insert into core.agents (id, owner_id, client_id, type, name, definition) values (${id}, '', '', 'system', ${whole.name}, ${jsonb(whole)})
        on conflict (id) do update set name = excluded.name, definition = excluded.definition, version = core.agents.version + 1, updated_at = now()
          where core.agents.definition <> excluded.definition
        returning id, version, definition)
      insert into core.agent_versions (agent_id, version, definition, files, changed_by) select id, version, definition, '{}', '' from agent`);
  }
}
