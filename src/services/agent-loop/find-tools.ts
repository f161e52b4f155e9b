import { z } from "zod";
import { shortenText } from "../../platform/shorten-text.ts";
import { CHARACTERS_PER_TOKEN } from "../../platform/estimate-tokens.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";
import { rankTools } from "./rank-tools.ts";
import type { Toolbox } from "./toolbox.ts";

export const FIND_TOOLS = "find_tools";
/** The share of the model's context that definitions of tools may fill. */
const TOOLS_SHARE = 0.15;
/** What one search adds. */
const MAX_FOUND = 8;
const MAX_DESCRIPTION_CHARACTERS = 300;
/** An earlier search is made again where a run goes on. */
const MAX_EARLIER = 50;

const Input = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(400)
    .describe("What the tool should do, in a few words, as its description may say it"),
});

/** It looks through a list alone: nobody has to decide on that. */
export const FINDER: ListedTool = {
  name: FIND_TOOLS,
  description:
    "Finds further tools by what they do. There are more than are listed; those that are found " +
    "can be called from then on.",
  inputSchema: z.toJSONSchema(Input),
  server: "parlance",
  effect: "read_only",
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  fingerprint: "1",
};

/**
 * A long list of tools costs context with each turn, and models choose badly from it. The model is
 * always sent those of the platform. Beyond `max` others, or their share of the model's context,
 * it is sent of the others those that it used, and one that finds them. What may be called, and
 * which calls wait for a decision, stays as it was.
 */
export function narrowTools(toolbox: Toolbox, request: RunRequest, max: number): Toolbox {
  const { tools } = toolbox;
  const always = new Set(request.platformTools?.tools.map(({ name }) => name));
  const others = tools.filter(({ name }) => !always.has(name));
  const isShort = others.length <= max && fitsContext(others, request.contextWindow);
  if (isShort || tools.some(({ name }) => name === FIND_TOOLS)) return toolbox;
  const rank = lazy(() => rankTools(others));
  const offered = new Map<string, ListedTool>();
  const offer = (more: readonly ListedTool[]) => {
    for (const tool of more) offered.set(tool.name, tool);
  };
  offer(tools.filter(({ name }) => always.has(name)));
  offer([FINDER]);
  const { used, queries } = readEarlier(request);
  offer(tools.filter(({ name }) => used.has(name)));
  for (const query of queries) offer(rank()(query, MAX_FOUND));
  return {
    ...toolbox,
    tools: [...tools, FINDER],
    get offered() {
      return [...offered.values()];
    },
    async call(name, values, signal, endsBecause, callId) {
      if (name !== FIND_TOOLS)
        return toolbox.call(name, values, signal, endsBecause, callId);
      const input = Input.safeParse(values);
      if (!input.success)
        return {
          content: `tool_arguments_invalid: ${z.prettifyError(input.error)}`,
          isError: true,
        };
      const found = rank()(input.data.query, MAX_FOUND);
      offer(found);
      return { content: describe(found), isError: false };
    },
  };
}

function fitsContext(tools: readonly ListedTool[], contextWindow = Infinity): boolean {
  let room = contextWindow * TOOLS_SHARE * CHARACTERS_PER_TOKEN;
  for (const { name, description, inputSchema } of tools) {
    room -= name.length + description.length + JSON.stringify(inputSchema).length;
    if (room < 0) return false;
  }
  return true;
}

/** What the messages before the run called and looked for. The search gives the same again. */
function readEarlier({ messages }: RunRequest): { used: Set<string>; queries: string[] } {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const queries = calls
    .filter(({ name }) => name === FIND_TOOLS)
    .slice(-MAX_EARLIER)
    .flatMap(({ arguments: values }) => {
      const input = Input.safeParse(values);
      return input.success ? [input.data.query] : [];
    });
  return { used: new Set(calls.map(({ name }) => name)), queries };
}

function describe(found: readonly ListedTool[]): string {
  if (found.length === 0) return "No tool has these words. Try others.";
  const lines = found.map(
    ({ name, description }) =>
      `${name}: ${shortenText(description, MAX_DESCRIPTION_CHARACTERS)}`,
  );
  return `These tools can be called now:\n\n${lines.join("\n\n")}`;
}

function lazy<Result>(make: () => Result): () => Result {
  let made: { result: Result } | undefined;
  return () => (made ??= { result: make() }).result;
}
