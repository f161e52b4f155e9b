import type { AllowedTool, RunEvent, RunRequest } from "../../agent/contract.ts";
import type { ConversationEvent } from "../conversations/contract.ts";
import { type OwnTool, runWithOwnTools } from "../conversations/own-tools.ts";
import { answerFromDocuments } from "./answer-from-documents.ts";
import {
  type FlowPlan,
  type Flows,
  flowsUnavailable,
  isFlowTool,
  sessionOf,
} from "../flows/flows.ts";
import type { Source } from "./contract.ts";
import { type PassageFinder, retrievalUnavailable } from "./find-passages.ts";
import type { RetrievalPlan } from "./plan-retrieval.ts";

export interface Asked {
  request: RunRequest;
  /** Absent: the reply needs no documents. */
  plan: RetrievalPlan | undefined;
  /** The flow that answers, and no model. */
  flow?: FlowPlan | undefined;
  userId: string;
  /** Of the model, in tokens. */
  contextWindow: number;
  /** Passages that an earlier run of the same reply was given. */
  known?: readonly Source[] | undefined;
  /** Those of our own tools that the request may name. */
  tools?: readonly OwnTool[];
}

export type Answer = (
  asked: Asked,
  signal: AbortSignal,
) => AsyncIterable<(RunEvent | ConversationEvent)[]>;

interface Deps {
  /** Absent where no documents are searched. */
  find: PassageFinder | undefined;
  /** Absent where no integrations service is. */
  flows?: Flows | undefined;
  /** Asks the model. */
  run: (request: RunRequest, signal: AbortSignal) => AsyncIterable<RunEvent[]>;
  /** The tools whose calls the person allows without being asked. */
  allowedTools: (userId: string) => Promise<AllowedTool[]>;
}

/**
 * How replies are made: by a flow, or with our own tools and flows beside the tools of the gateway,
 * from documents where there is a plan.
 */
export function createAnswering(deps: Deps): Answer {
  const { find, flows } = deps;
  return (asked, signal) => {
    const { plan, flow, userId, request } = asked;
    if (flow) {
      if (!flows) throw flowsUnavailable();
      return flows.answer(flow, userId, lastWords(request), signal);
    }
    if (plan && !find) throw retrievalUnavailable();
    return answerByModel(deps, asked, signal);
  };
}

async function* answerByModel(
  { find, flows, run, allowedTools }: Deps,
  { plan, tools = [], ...given }: Asked,
  signal: AbortSignal,
): ReturnType<typeof runWithOwnTools> {
  const { approval, tools: named = [] } = given.request;
  const allowed =
    approval === "destructive" && named.length > 0 ? await allowedTools(given.userId) : [];
  const asked = { ...given, request: { ...given.request, allowedTools: allowed } };
  const runWith = (request: RunRequest, more: readonly OwnTool[], until: AbortSignal) =>
    request.tools?.some(isFlowTool)
      ? runWithFlows({ flows, run }, asked.userId, request, [...tools, ...more], until)
      : runWithOwnTools(run, request, [...tools, ...more], until);
  if (plan && find) yield* answerFromDocuments({ find, run: runWith }, { ...asked, plan }, signal);
  else yield* runWith(asked.request, [], signal);
}

/** Flows are tools of our own; those that the person may not run now are not offered. */
async function* runWithFlows(
  { flows, run }: Pick<Deps, "flows" | "run">,
  userId: string,
  request: RunRequest,
  tools: readonly OwnTool[],
  signal: AbortSignal,
): ReturnType<typeof runWithOwnTools> {
  const named = request.tools ?? [];
  const session = sessionOf(request.context?.conversationId, request.messages);
  const ours = flows ? await flows.toolsOf(named.filter(isFlowTool), userId, session, signal) : [];
  const offered = named.filter(
    (name) => !isFlowTool(name) || ours.some((tool) => tool.name === name),
  );
  yield* runWithOwnTools(run, { ...request, tools: offered }, [...tools, ...ours], signal);
}

/** What the person said last. */
function lastWords({ messages }: RunRequest): string {
  const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
