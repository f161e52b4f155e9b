import { pushed } from "../../../../platform/batches.ts";
import type { User } from "../../../../platform/http/caller.ts";
import { toApiError } from "../../../../platform/http/reported-error.ts";
import { optionUnsupported } from "../../../completion/contract-option-unsupported.ts";
import type { ReplyEvent } from "../../../agent-loop/contract-events.ts";
import {
  answerChat,
  type AnswerDeps,
  approvalNeeded,
  deliverLines,
  type ChatToAnswer,
} from "../answer-chat.ts";
import { OPENAI_ACCOUNTING } from "../provider-fields.ts";
import { toCompletionOptions } from "../to-messages.ts";
import type { TextCompletion, TextRequest } from "./contract.ts";

/** A text to be written by a model that only chats: its prompt is the message of a user. */
interface Text {
  question: ChatToAnswer;
  /** What stands before it. */
  prefix: string;
}

type Head = Pick<TextCompletion, "id" | "object" | "created" | "model">;
type Choice = TextCompletion["choices"][number];

/** Fields that chat has, or that are acted on here. */
const KNOWN = [
  "model",
  "prompt",
  "stream",
  "stream_options",
  "n",
  "echo",
  "temperature",
  "top_p",
  "max_tokens",
  "stop",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "seed",
  ...OPENAI_ACCOUNTING,
];

/**
 * The texts that are asked for, in the order of their choices.
 * @throws BadRequest `option_unsupported` for what no model that chats can do.
 */
export function toTexts(request: TextRequest): Text[] {
  const { model, prompt, n, echo, max_tokens: limit } = request;
  const { temperature, top_p, stop, seed } = request;
  const { frequency_penalty, presence_penalty, logit_bias } = request;
  const unknown = Object.entries(request).find(
    ([name, value]) => !KNOWN.includes(name) && !isNeutral(name, value, n ?? 1),
  );
  if (unknown) throw optionUnsupported(unknown[0]);
  if (limit === 0) throw optionUnsupported("max_tokens: 0");
  const prompts = typeof prompt === "string" ? [prompt] : prompt;
  return prompts.flatMap((text) => {
    if (typeof text !== "string") throw optionUnsupported("a prompt of tokens");
    const options = toCompletionOptions({
      model,
      max_tokens: limit,
      temperature,
      top_p,
      stop,
      seed,
      frequency_penalty,
      presence_penalty,
      logit_bias,
      messages: [{ role: "user", content: text }],
    });
    const one = { question: { model, options }, prefix: echo ? text : "" };
    return Array.from({ length: n ?? 1 }, () => one);
  });
}

/** Values that change nothing, which some clients always send. */
function isNeutral(name: string, value: unknown, n: number): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return name === "best_of" && (value === 1 || value === n);
}

/** The texts one after the other, as events in wire form. */
export function streamTexts(
  deps: AnswerDeps,
  user: User,
  texts: readonly Text[],
  { head, showsUsage }: { head: Head; showsUsage: boolean },
  signal: AbortSignal,
): AsyncIterable<string[]> {
  const chunk = (choices: Choice[], usage?: TextCompletion["usage"]) =>
    `data: ${JSON.stringify({ ...head, choices, ...(showsUsage && { usage: usage ?? null }) })}\n\n`;
  return pushed(async (emit) => {
    const used = noUsage();
    for (const [index, { question, prefix }] of texts.entries()) {
      let before = prefix;
      const part = (text: string, finish: string | null = null) => {
        const choice = {
          text: before + text,
          index,
          logprobs: null,
          finish_reason: finish,
        };
        before = "";
        return chunk([choice]);
      };
      const { events } = await answerChat(deps, user, question, signal);
      await deliverLines(
        events,
        (event, lines) => {
          if (event.type === "text_delta") lines.push(part(event.delta));
          const end = endOf(event);
          if (!end) return;
          addUsage(used, end.usage);
          lines.push(part("", end.finish));
        },
        emit,
      );
    }
    await emit([...(showsUsage ? [chunk([], used)] : []), "data: [DONE]\n\n"]);
  });
}

/** The texts as one answer. @throws ApiError of the first that fails. */
export async function wholeTexts(
  deps: AnswerDeps,
  user: User,
  texts: readonly Text[],
  head: Head,
  signal: AbortSignal,
): Promise<TextCompletion> {
  const used = noUsage();
  const choices: Choice[] = [];
  for (const [index, { question, prefix }] of texts.entries()) {
    const choice: Choice = { text: prefix, index, logprobs: null, finish_reason: null };
    const { events } = await answerChat(deps, user, question, signal);
    for await (const batch of events)
      for (const event of batch) {
        if (event.type === "text_delta") choice.text += event.delta;
        const end = endOf(event);
        if (!end) continue;
        choice.finish_reason = end.finish;
        addUsage(used, end.usage);
      }
    choices.push(choice);
  }
  return { ...head, choices, usage: used };
}

type Used = NonNullable<TextCompletion["usage"]>;

function noUsage(): Used {
  return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
}

function addUsage(used: Used, { inputTokens, outputTokens }: Done["usage"]): void {
  used.prompt_tokens += inputTokens;
  used.completion_tokens += outputTokens;
  used.total_tokens += inputTokens + outputTokens;
}

type Done = Extract<ReplyEvent, { type: "done" }>;

/** How the text ended, with the event that ends it. @throws ApiError of the reply. */
function endOf(event: ReplyEvent): { finish: string; usage: Done["usage"] } | undefined {
  if (event.type === "error") throw toApiError(event);
  if (event.type === "approval") throw approvalNeeded(event.name);
  if (event.type !== "done") return undefined;
  const { finishReason: reason, usage } = event;
  const isOther = reason === "length" || reason === "content_filter";
  return { finish: isOther ? reason : "stop", usage };
}
