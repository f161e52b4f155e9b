import { type AgentWords, builtInAgentsDe } from "./built-in-agents.de.ts";
import { currentLanguage } from "./language.ts";

/** An agent as the reader's language words it: the server words its built-in agents in English. */
export function wordAgent<Agent extends AgentWords & { id: string }>(agent: Agent): Agent {
  return { ...agent, ...wordsOf(agent.id) };
}

/** The name of an agent of which the server tells the name alone. */
export function wordAgentName<Name>(id: string, name: Name): Name | string {
  return wordsOf(id)?.name ?? name;
}

/** The ids of the built-in agents with these words in the name that the reader's language has. */
export function builtInAgentsNamed(words: string): string[] {
  if (currentLanguage() === "en") return [];
  const wanted = words.trim().toLocaleLowerCase();
  return Object.entries(builtInAgentsDe)
    .filter(([, { name }]) => name.toLocaleLowerCase().includes(wanted))
    .map(([id]) => id);
}

function wordsOf(id: string): AgentWords | undefined {
  return currentLanguage() === "de" ? builtInAgentsDe[id] : undefined;
}
