import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { ClientAnswer } from "./client-answers.ts";

/** A request of the protocol. */
export interface Ask {
  method: string;
  params: Record<string, unknown>;
}

/** What a server may ask in the middle of a request. */
export const QUESTIONS: readonly string[] = [
  "elicitation/create",
  "sampling/createMessage",
  "roots/list",
];

/** A caller that can be asked. */
export interface Questions {
  capabilities: ClientCapabilities;
  ask(question: Ask): Promise<ClientAnswer>;
}
