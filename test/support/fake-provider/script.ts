/** The protocols that the fake speaks, named after who defines them. */
export type Wire = "openai" | "mistral" | "anthropic" | "google" | "bedrock";

export interface ScriptedCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** One thing that the provider does while it replies, in order. */
export type Step =
  | { text: string }
  | { reasoning: string }
  /** Several calls of one step come interleaved, where the protocol allows it. */
  | { calls: ScriptedCall[] }
  /** Bytes as they are, such as garbage or a comment. */
  | { raw: string }
  | { pauseMs: number }
  /** Goes on when it resolves. */
  | { until: Promise<unknown> }
  /** Nothing more comes, and the connection stays open. */
  | { stall: true }
  /** The socket closes in the middle of the body. */
  | { cut: true };

export interface Reply {
  /** Other than 200: answered with `body` at once. */
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The error's body is sent, and does not end. */
  unended?: boolean;
  /** Nothing is sent, not even a head. */
  silent?: boolean;
  steps?: Step[];
  finish?: "stop" | "length" | "tool_calls" | "content_filter";
  usage?: { inputTokens: number; outputTokens: number; cachedInputTokens?: number };
}
