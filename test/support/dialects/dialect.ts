import type { ProviderKind } from "../../../src/services/completion/contract-provider-kinds.ts";
import type { Wire } from "../fake-provider/script.ts";

/** How a server writes replies, errors and lists of models. */
export interface Dialect {
  kind: ProviderKind;
  /** Whose addresses it has. */
  wire?: Wire;
  /** The model's name there. */
  model?: string;
  /** Whole bodies of a 200. */
  replies: {
    /** `Hello there.` */
    text: string;
    /** The same after the thought `A plan.` */
    thinking: string;
    /** Asks for the weather of Rome and of Bonn at once. */
    calls: string;
    /** Asks for the weather of Rome, and reaches the limit of tokens within a second call. */
    cutCall?: string;
    /** `Hello`, ended by the limit of tokens. */
    length: string;
    /** `Hello`, ended by a filter. */
    filtered: string;
    /** `Hello`, and the connection ends. */
    cut: string;
  };
  /** Of the reply `text`. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens?: number;
    cacheWriteInputTokens?: number;
  };
  errors: {
    /** In place of a reply: status, body, our code. */
    before: [status: number, body: string, code: string][];
    /** Within a reply: the whole body, which begins with the text `Hello`, and our code. */
    inside: [body: string, code: string][];
  };
  /** What must stand in the request that answers `calls`. */
  sentBack?: string[];
  /** A list of models, and the names that are read. */
  models?: [answer: unknown, ids: string[]];
}

export const json = (value: unknown) => JSON.stringify(value);
export const data = (value: unknown) => `data: ${json(value)}\n\n`;
export const DONE = "data: [DONE]\n\n";
export const ROME = '{"city":"Rome"}';
export const BONN = '{"city":"Bonn"}';

/** Writes chunks of OpenAI's protocol, with what a server adds to each. */
export function chunksOf(frame: object = {}) {
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    data({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m1",
      ...frame,
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...more,
    });
  const last = (more: object) =>
    data({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      ...frame,
      choices: [],
      ...more,
    });
  return { chunk, last };
}

export const call = (name: string, args: unknown, more: object = {}) => ({
  type: "function",
  function: { name, arguments: args },
  ...more,
});
