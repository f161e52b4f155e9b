import { setImmediate as nextTurn } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import type { CompletionEvent, CompletionRequest, Message } from "./contract.ts";
import { argumentsOf } from "./openai/read-stream.ts";
import type { Provider } from "./provider.ts";
import { quotePassages } from "./quote-passages.ts";

const NOTICE =
  "I am Parlance's built-in offline model, not a language model: I quote what I am given and call tools when told to.";
const HINT =
  "Connect a model to get real answers: set OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider's variables and restart.";

/**
 * A model without a model, so that a fresh machine shows everything at work: it calls the tool that
 * the last message names (with the JSON object that stands there as arguments), quotes what tools
 * and documents gave, and says plainly what it is.
 */
export const offline: Provider = async function* ({ request, signal }) {
  const call = wantedCall(request);
  const text = call ? "" : answer(request.messages);
  const usage = {
    inputTokens: countTokens(JSON.stringify(request.messages)),
    outputTokens: countTokens(text),
  };
  if (call) {
    yield [call, { type: "done", finishReason: "tool_calls", usage }];
    return;
  }
  for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
    await nextTurn(undefined, { signal });
    yield [{ type: "text_delta", delta: word }];
  }
  yield [{ type: "done", finishReason: "stop", usage }];
};

/** The tool that the person names in the newest message, unless it was already answered. */
function wantedCall({
  messages,
  tools = [],
  toolChoice,
}: CompletionRequest): CompletionEvent | undefined {
  const last = messages.at(-1);
  if (last?.role !== "user" || toolChoice === "none") return undefined;
  const text = textOf(last);
  const named = tools
    .filter(({ name }) => new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`).test(text))
    .sort((a, b) => b.name.length - a.name.length)[0];
  const tool = named ?? (toolChoice === "required" ? tools[0] : undefined);
  if (!tool) return undefined;
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  return {
    type: "tool_call",
    id: `call_${uuidv7()}`,
    name: tool.name,
    arguments: argumentsOf(json),
  };
}

function answer(messages: readonly Message[]): string {
  const asked = messages.findLast(({ role }) => role === "user");
  const question = asked ? textOf(asked).trim() : "";
  const system = messages.find(({ role }) => role === "system");
  if (system && /^write a title/i.test(textOf(system)))
    return question.split(/\s+/).slice(0, 6).join(" ");
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === "user"))
    .filter(({ role }) => role === "tool");
  if (results.length > 0)
    return `${results.map((result) => `> ${textOf(result).trim().slice(0, 4_000)}`).join("\n\n")}\n\n${NOTICE}`;
  const quotes = system && quotePassages(textOf(system), question);
  if (quotes !== undefined) return `${quotes}\n\n${NOTICE}`;
  return `${NOTICE} You wrote: “${question.slice(0, 500)}” ${HINT}`;
}

function textOf({ content }: Message): string {
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

/** About four characters a token, where nobody counts for us. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
