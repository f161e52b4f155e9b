import { setImmediate as nextTurn } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import type { CompletionEvent, CompletionRequest, Message } from "../contract.ts";
import { estimateTokens } from "../../../platform/estimate-tokens.ts";
import { estimateInput } from "../usage-meter.ts";
import { textOf } from "../message-text.ts";
import { readArguments } from "../openai-client/read-arguments.ts";
import type { ProviderClient } from "../provider-client.ts";
import { quotePassages } from "./quote-passages.ts";

const NOTICE =
  "I am Parlance's built-in offline model, not a language model: " +
  "I quote what I am given and call tools when told to.";
const HINT =
  "Connect a model to get real answers: in the web app, under Administration, Models. Or set " +
  "OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider's variables and restart.";
const MAX_RESULT_CHARACTERS = 4_000;
const MAX_ECHO_CHARACTERS = 500;
/** Hundreds of names are looked for in the start of a message. */
const MAX_COMMAND_CHARACTERS = 20_000;
const TITLE_WORDS = 6;

/**
 * Replies without a language model, so that a new installation shows everything working. It calls
 * the tool that the last message names, with the JSON object in that message as arguments. It
 * quotes results of tools and passages of documents, and says what it is.
 */
export const offlineModel: ProviderClient<unknown> = async function* ({ request, signal }) {
  const call = findCall(request);
  const text = call ? "" : toAnswer(request.messages);
  const usage = {
    inputTokens: estimateInput(request.messages),
    outputTokens: estimateTokens(text.length),
  };
  if (call) {
    yield [call, { type: "done", finishReason: "tool_calls", usage }];
    return;
  }
  // each word with the white space before it
  for (const word of text.split(/(?<=\S)(?=\s)/)) {
    await nextTurn(undefined, { signal });
    yield [{ type: "text_delta", delta: word }];
  }
  yield [{ type: "done", finishReason: "stop", usage }];
};

/** A call of the tool that the last message names, unless its result is there already. */
function findCall({
  messages,
  tools = [],
  toolChoice,
}: CompletionRequest): CompletionEvent | undefined {
  const last = messages.at(-1);
  if (last?.role !== "user" || toolChoice === "none") return undefined;
  const text = textOf(last, " ");
  const command = text.slice(0, MAX_COMMAND_CHARACTERS);
  const [named] = tools
    .filter(({ name }) =>
      new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`).test(command),
    )
    .sort((a, b) => b.name.length - a.name.length);
  const tool = named ?? (toolChoice === "required" ? tools[0] : undefined);
  if (!tool) return undefined;
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  const id = `call_${uuidv7()}`;
  return { type: "tool_call", id, name: tool.name, ...readArguments(json) };
}

function toAnswer(messages: readonly Message[]): string {
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  const question = textOf(messages[lastQuestion] ?? { content: "" }, " ").trim();
  const system = messages.find(({ role }) => role === "system");
  const instructions = system ? textOf(system, " ") : "";
  if (/^write a title/i.test(instructions))
    return question.split(/\s+/).slice(0, TITLE_WORDS).join(" ");
  const results = messages.slice(lastQuestion).filter(({ role }) => role === "tool");
  if (results.length > 0) return `${results.map(toQuote).join("\n\n")}\n\n${NOTICE}`;
  const quotes = quotePassages(instructions, question);
  if (quotes !== undefined) return `${quotes}\n\n${NOTICE}`;
  return `${NOTICE} You wrote: “${question.slice(0, MAX_ECHO_CHARACTERS)}” ${HINT}`;
}

function toQuote(result: Message): string {
  return `> ${textOf(result, " ").trim().slice(0, MAX_RESULT_CHARACTERS)}`;
}
