/** The protocols of the fake, named after their authors. */
export type Wire = "openai" | "mistral" | "anthropic" | "google" | "bedrock";

export interface ScriptedCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** One step of a reply, in order. */
export type Step =
  | { text: string }
  | { reasoning: string }
  /** Several calls of one step are interleaved, if the protocol allows it. */
  | { calls: ScriptedCall[] }
  /** Raw bytes, such as garbage or a comment. */
  | { raw: string }
  | { pauseMs: number }
  /** Continues when it resolves. */
  | { until: Promise<unknown> }
  /** Sends nothing more, and keeps the connection open. */
  | { stall: true }
  /** Closes the socket in the middle of the body. */
  | { cut: true };

export interface Reply {
  /** If not 200, answered with `body` at once. */
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The whole body of a 200, in place of steps. */
  whole?: string;
  /** Sends the error's body without ending it. */
  unended?: boolean;
  /** Sends nothing, not even headers. */
  silent?: boolean;
  steps?: Step[];
  finish?: "stop" | "length" | "tool_calls" | "content_filter";
  usage?: {
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens?: number;
    cacheWriteInputTokens?: number;
  };
}
