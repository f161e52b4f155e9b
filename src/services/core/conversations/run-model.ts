import { type Fetch, stream } from "../../../platform/http/call.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import { agentContract, type RunEvent, type RunRequest } from "../../agent/contract.ts";
import { completionContract, type CompletionRequest } from "../../completion/contract.ts";

interface Siblings {
  agent: Fetch;
  completion: Fetch;
  timeoutMs: number;
}

/** The agent service when tools are involved, the completion service otherwise, as one kind of stream. Source: requirements 1, POST /api/v1/conversation. */
export function runModel(
  { agent, completion, timeoutMs }: Siblings,
  request: RunRequest,
  signal: AbortSignal,
): AsyncIterable<RunEvent[]> {
  if (request.tools && request.tools.length > 0)
    return stream(agent, agentContract.run, { body: request }, { signal, timeoutMs });
  return completed(completion, request, signal, timeoutMs);
}

async function* completed(
  completion: Fetch,
  { model, messages, instructions, context, temperature }: RunRequest,
  signal: AbortSignal,
  timeoutMs: number,
): AsyncGenerator<RunEvent[]> {
  const body: CompletionRequest = {
    model,
    messages: instructions ? [{ role: "system", content: instructions }, ...messages] : messages,
    stream: true,
    ...(context && { context }),
    ...(temperature !== undefined && { temperature }),
  };
  let content = "";
  for await (const batch of stream(completion, completionContract.complete, { body }, { signal, timeoutMs })) {
    const events: RunEvent[] = [];
    for (const event of batch) {
      if (event.type === "text_delta") {
        content += event.delta;
        events.push(event);
      } else if (event.type === "reasoning_delta") {
        events.push(event);
      } else if (event.type === "done") {
        const finishReason = event.finishReason === "tool_calls" ? "stop" : event.finishReason;
        events.push({ type: "done", content, finishReason, iterations: 1, usage: event.usage });
      } else if (event.type === "error") {
        throw new BadGateway(event.code, event.error);
      }
    }
    yield events;
  }
}

const TITLE_TIMEOUT = 10_000;
const TITLE_TASK =
  "Write a title of at most six words for the conversation that begins with the user's message, in its language. Answer with the title alone.";

/** A title by the model, from the first words of the person. Bounded in time; throws when none was made. */
export async function makeTitle(
  completion: Fetch,
  content: string,
  { userId, conversationId, model }: { userId: string; conversationId: string; model: string },
  signal: AbortSignal,
): Promise<string> {
  const body: CompletionRequest = {
    model,
    messages: [
      { role: "system", content: TITLE_TASK },
      { role: "user", content: content.slice(0, 4_000) },
    ],
    stream: false,
    context: { userId, conversationId },
  };
  for await (const [event] of stream(completion, completionContract.complete, { body }, { signal, timeoutMs: TITLE_TIMEOUT })) {
    if (event?.type !== "message") break;
    const title = event.content
      .trim()
      .replace(/^["'“”]|["'“”.]$/g, "")
      .replace(/\s+/g, " ")
      .slice(0, 100);
    if (title) return title;
  }
  throw new BadGateway("title_empty", "The model made no title.");
}
