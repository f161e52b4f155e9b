import type { RunEvent, RunRequest } from "../../agent/contract.ts";
import type { ConversationEvent } from "../conversations/contract.ts";
import { type OwnTool, runWithOwnTools } from "../conversations/own-tools.ts";
import { answerFromDocuments } from "./answer-from-documents.ts";
import type { Source } from "./contract.ts";
import { type PassageFinder, retrievalUnavailable } from "./find-passages.ts";
import type { RetrievalPlan } from "./plan-retrieval.ts";

export interface Asked {
  request: RunRequest;
  /** Absent: the reply needs no documents. */
  plan: RetrievalPlan | undefined;
  userId: string;
  /** Of the model, in tokens. */
  contextWindow: number;
  /** Passages that an earlier run of the same reply was given. */
  known?: readonly Source[] | undefined;
  /** Those of our own tools that the request may name. */
  tools?: readonly OwnTool[];
}

export type Answer = (asked: Asked, signal: AbortSignal) => AsyncIterable<(RunEvent | ConversationEvent)[]>;

interface Deps {
  /** Absent where no documents are searched. */
  find: PassageFinder | undefined;
  /** Asks the model. */
  run: (request: RunRequest, signal: AbortSignal) => AsyncIterable<RunEvent[]>;
}

/** How replies are made: with our own tools beside those of the gateway, and from documents where there is a plan. */
export function createAnswering({ find, run }: Deps): Answer {
  return ({ plan, tools = [], ...asked }, signal) => {
    const runWith = (request: RunRequest, more: readonly OwnTool[], until: AbortSignal) =>
      runWithOwnTools(run, request, [...tools, ...more], until);
    if (!plan) return runWith(asked.request, [], signal);
    if (!find) throw retrievalUnavailable();
    return answerFromDocuments({ find, run: runWith }, { ...asked, plan }, signal);
  };
}
