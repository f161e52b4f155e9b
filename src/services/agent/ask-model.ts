import { BadGateway } from "../../platform/http/errors.ts";
import type {
  CompletionEvent,
  CompletionRequest,
  Message,
  ToolDescriptor,
} from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";
import type { FinishReason, ReplyEvent } from "./contract-events.ts";
import { toReplyEvents } from "./contract-model-events.ts";
import type { Transcript } from "./contract-transcript.ts";

export type Complete = (
  request: CompletionRequest,
  signal: AbortSignal,
) => AsyncIterable<CompletionEvent[]>;

/**
 * Asks the model for one turn. Its events are added to the transcript.
 * @returns why the turn ended.
 * @throws BadGateway with the code of the provider, or `completion_cut`.
 */
export async function* askModel(
  complete: Complete,
  request: CompletionRequest,
  transcript: Transcript,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent[], FinishReason> {
  let finishReason: FinishReason | undefined;
  for await (const batch of complete(request, signal)) {
    const events = toReplyEvents(batch);
    for (const event of events) {
      if (event.type === "error")
        throw new BadGateway(event.code, event.error, { params: event.params });
      if (event.type !== "done") {
        transcript.add(event);
        continue;
      }
      finishReason = event.finishReason;
      transcript.addUsage(event.usage);
    }
    if (events.at(-1)?.type === "done") events.pop();
    if (events.length > 0) yield events;
  }
  if (finishReason !== undefined) return finishReason;
  throw new BadGateway(
    "completion_cut",
    "The completion service stopped in the middle of a reply. Try again.",
  );
}

/** The request for a turn. `iteration` counts from 1. */
export function toCompletionRequest(
  request: RunRequest,
  messages: Message[],
  tools: readonly ListedTool[],
  iteration: number,
): CompletionRequest {
  const { model, stream, toolChoice, context, temperature, maxTokens } = request;
  const turn: CompletionRequest = { model, messages, stream };
  if (tools.length > 0) {
    turn.tools = tools.map(toDescriptor);
    // required holds for the first turn only, or the loop could not end
    const choice = toolChoice === "required" && iteration > 1 ? "auto" : toolChoice;
    if (choice) turn.toolChoice = choice;
  }
  if (context) turn.context = context;
  if (temperature !== undefined) turn.temperature = temperature;
  if (maxTokens !== undefined) turn.maxTokens = maxTokens;
  return turn;
}

function toDescriptor({ name, description, inputSchema }: ListedTool): ToolDescriptor {
  return { name, description, inputSchema };
}
