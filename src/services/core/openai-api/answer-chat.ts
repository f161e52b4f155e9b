import { deliver, type Emit, pushed, thenThrow } from "../../../platform/batches.ts";
import { stream } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import { toReplyEvents } from "../../agent-loop/contract-model-events.ts";
import { completionContract } from "../../completion/contract.ts";
import { nameOfOption, RARE_OPTIONS } from "../../completion/contract-model-parameters.ts";
import { type Afforded, affordModel } from "../usage/afford-model.ts";
import { planReply, type PlanDeps, type ReplyPlan } from "../replies/plan-reply.ts";
import { type CarriedLabel, joinLabels } from "../../users/contract-judge-labels.ts";
import type { PreparedReply } from "../replies/reply-to-make.ts";
import { firstLabels, type ReplyDeps, runReply } from "../replies/run-reply.ts";
import type { FilesOf } from "../given-files/given-files.ts";
import { agentIdOf } from "./list-models.ts";
import type { CompletionOptions } from "./to-messages.ts";

export interface AnswerDeps extends ReplyDeps, PlanDeps {
  filesOf: FilesOf;
}

export interface Answer {
  events: AsyncIterable<ReplyEvent[]>;
  /** Whether the client runs the tools. */
  clientRunsTools: boolean;
}

/** What any of the protocols asks. */
export interface ChatToAnswer {
  /** A model's id, or an agent's. */
  model: string;
  options: CompletionOptions;
  /** Of what the messages hold. */
  labels?: readonly CarriedLabel[];
}

/** Answers by a model, whose calls go to the client, or by an agent, which runs its own tools. */
export async function answerChat(
  deps: AnswerDeps,
  user: User,
  { model: name, options, labels = [] }: ChatToAnswer,
  signal: AbortSignal,
): Promise<Answer> {
  const agentId = agentIdOf(name);
  const { unpaid } = await deps.budgets.admit({ userId: user.userId, agentId });
  if (agentId === undefined) {
    const asked = await deps.use.chooseModel(user, name);
    const afforded = await affordModel(deps.use, user, asked, unpaid);
    const events = runClientModel(
      deps,
      user,
      afforded,
      { ...options, labels: [...labels] },
      signal,
    );
    return { events, clientRunsTools: true };
  }
  if (options.tools)
    throw new BadRequest(
      "agent_has_tools",
      "An agent uses its own tools. Send none, or name a model instead of an agent.",
    );
  refuseSettings(options);
  const reply = await planAgentRun(deps, user, { agentId, options, unpaid });
  if (labels.length > 0) reply.labels = joinLabels(labels, await firstLabels(deps, reply));
  return { events: runReply(deps, reply, signal), clientRunsTools: false };
}

function runClientModel(
  { completion, timeoutMs }: AnswerDeps,
  { userId }: User,
  { chosen: { model }, answeredBy }: Afforded,
  options: CompletionOptions & { labels: CarriedLabel[] },
  signal: AbortSignal,
): AsyncIterable<ReplyEvent[]> {
  const body = { ...options, model, stream: true, context: { userId } };
  const limits = { signal, timeoutMs };
  const events = stream(completion, completionContract.complete, { body }, limits);
  return pushed(async (emit) => {
    if (answeredBy) await emit([{ type: "answered_by", ...answeredBy }]);
    await deliver(events, (batch) => emit(toReplyEvents(batch)));
  });
}

/** @throws BadRequest for what an agent decides by itself. */
function refuseSettings(options: CompletionOptions): void {
  const { topP, stop, responseFormat } = options;
  const settings = { stop, responseFormat, topP: topP === 1 ? undefined : topP };
  const rare = RARE_OPTIONS.map((name) => [name, options[name]] as const);
  const named = [...Object.entries(settings), ...rare].find(
    ([, value]) => value !== undefined,
  );
  if (!named) return;
  const option = named[0];
  const name = option === "providerFields" ? nameOfOption(option, options) : option;
  throw new BadRequest(
    "agent_has_settings",
    `An agent answers with its own settings. Leave out ${name}, or name a model instead of an agent.`,
    { params: { name } },
  );
}

/** the client keeps the conversation, so the reply belongs to none here */
async function planAgentRun(
  deps: AnswerDeps,
  user: User,
  {
    agentId,
    options: { messages, temperature, maxTokens },
    unpaid,
  }: { agentId: string; options: CompletionOptions; unpaid: ApiError | undefined },
): Promise<PreparedReply> {
  const agent = await deps.use.findAgent(user, agentId);
  const options = { agentId, approval: "destructive" as const };
  const asked = { options, agent, documents: [], unpaid };
  const plan: ReplyPlan = await planReply(deps, user, asked);
  if (temperature !== undefined) plan.temperature = temperature;
  const reply: PreparedReply = { plan, userId: user.userId, messages };
  if (maxTokens !== undefined) reply.maxTokens = maxTokens;
  return reply;
}

/** Emits the lines of the events, as `write` adds those of each. */
export function deliverLines<Event>(
  batches: AsyncIterable<readonly Event[]>,
  write: (event: Event, lines: string[]) => void,
  emit: Emit<string[]>,
): Promise<void> {
  return deliver(batches, (events) => {
    const lines: string[] = [];
    try {
      for (const event of events) write(event, lines);
    } catch (error) {
      // what came before it is still sent
      return thenThrow(lines.length > 0 ? emit(lines) : undefined, error);
    }
    return lines.length > 0 ? emit(lines) : undefined;
  });
}

/** The protocols of others have no place for a question to the user. */
export function approvalNeeded(tool: string): ApiError {
  return new ApiError(
    409,
    "approval_needed",
    `The agent calls "${tool}", which needs a user's approval. Use a conversation for that.`,
  );
}
