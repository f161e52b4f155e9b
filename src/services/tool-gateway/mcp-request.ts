import type { ServerContext } from "@modelcontextprotocol/server";
import type { Cancellations } from "./cancel-calls.ts";
import type { ClientAnswers } from "./client-answers.ts";
import type { Gateway } from "./gateway.ts";
import type { McpSubscriptions } from "./mcp-subscriptions.ts";
import type { Offer } from "./offer.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import type { StateSeal } from "./request-state.ts";

export interface McpServerDeps {
  gateway: Gateway;
  cancellations: Cancellations;
  answers: ClientAnswers;
  subscriptions: McpSubscriptions;
  states: StateSeal;
}

export interface McpRequest {
  request: Request;
  /** Identifies the client, so that nobody cancels the calls of another one. */
  caller: string;
  /** Whose turn a call takes at a busy server; a service has none. */
  userId: string | undefined;
  tools: PermittedTools;
  offer: Offer;
  signal: AbortSignal;
}

/** What is known of a request while it is answered: a part of what the SDK knows. */
export interface RequestContext {
  mcpReq: Pick<
    ServerContext["mcpReq"],
    | "id"
    | "method"
    | "signal"
    | "_meta"
    | "envelope"
    | "notify"
    | "inputResponses"
    | "requestState"
  >;
}
