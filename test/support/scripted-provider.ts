import type { Reply, Step } from "./fake-provider/script.ts";
import { startFakeProvider } from "./fake-provider/start-fake-provider.ts";

/** The provider's answer to one request of an end-to-end test. */
export interface Script {
  /** Pieces of text, each sent as a chunk. */
  text?: string[];
  reasoning?: string[];
  toolCalls?: { id?: string; name: string; arguments: object }[];
  finish?: "stop" | "length" | "content_filter";
  usage?: { inputTokens: number; outputTokens: number };
  /** The delay between chunks, in ms. */
  delayMs?: number;
  status?: number;
  /** Sends nothing, not even headers. */
  silent?: true;
  headers?: Record<string, string>;
  /**
   * `stall`: sends nothing more. `cut`: closes the socket. `garbage`: sends what is not a reply.
   * `long-line`: sends an endless line.
   */
  fault?: "stall" | "cut" | "garbage" | "long-line";
  /** The number of text chunks before the fault. Default 0. */
  faultAfter?: number;
}

interface AskedBody {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
  [field: string]: unknown;
}

export interface ScriptedProvider extends AsyncDisposable {
  /** Ends before /chat/completions. */
  url: string;
  /** Bodies of the requests, in order. */
  requests: AskedBody[];
  /** Requests whose client disconnected before the reply ended. */
  aborted: number;
  /** The answers from now on, by the number of the request (from 0) and its body. */
  answer(script: (index: number, body: AskedBody) => Script): void;
  /** Answers titles by itself, and everything else turn by turn; the last turn again and again. */
  answerTurns(...turns: Script[]): void;
  /** Bodies of the requests that were not for a title. */
  turns(): AskedBody[];
}

/** A provider with OpenAI's protocol whose answers a test changes at any time. */
export async function startScriptedProvider(
  first: (index: number, body: AskedBody) => Script = () => ({ text: ["Hello", " there"] }),
): Promise<ScriptedProvider> {
  let script = first;
  const provider = await startFakeProvider({
    wire: "openai",
    replies({ body, ended }, index) {
      const asked = body as AskedBody; // what our own client wrote
      scripted.requests.push(asked);
      void ended.then((how) => (scripted.aborted += how === "cut" ? 1 : 0));
      return replyOf(script(index, asked));
    },
  });
  const scripted: ScriptedProvider = {
    url: provider.url,
    requests: [],
    aborted: 0,
    answer: (next) => void (script = next),
    answerTurns(...turns) {
      let turn = 0;
      script = (_, body) =>
        isTitle(body)
          ? { text: ["A good title"] }
          : (turns[Math.min(turn++, turns.length - 1)] ?? {});
    },
    turns: () => scripted.requests.filter((body) => !isTitle(body)),
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  };
  return scripted;
}

/** Whether a request is for the title of a conversation. */
export function isTitle({ messages }: AskedBody): boolean {
  return String(messages[0]?.content).startsWith("Write a title");
}

const FAULTS: Record<NonNullable<Script["fault"]>, Step> = {
  stall: { stall: true },
  cut: { cut: true },
  garbage: { raw: "<html>bad gateway</html>\n" },
  "long-line": { raw: `data: ${"x".repeat(10 * 1024 * 1024)}` },
};

function replyOf(script: Script): Reply {
  const {
    text = [],
    reasoning = [],
    toolCalls = [],
    delayMs = 0,
    status = 200,
    headers = {},
    fault,
    faultAfter = 0,
  } = script;
  if (script.silent) return { silent: true };
  if (status !== 200)
    return {
      status,
      headers,
      body: JSON.stringify({ error: { message: "planted-upstream-words", code: null } }),
    };
  const pieces: Step[] = [
    ...reasoning.map((part) => ({ reasoning: part })),
    ...text.map((part) => ({ text: part })),
  ];
  if (fault)
    return {
      headers,
      steps: [...paced(pieces.slice(0, faultAfter), delayMs), FAULTS[fault]],
    };
  const calls = toolCalls.map(({ id, name, arguments: given }, index) => ({
    id: id ?? `call_${index}`,
    name,
    arguments: { ...given },
  }));
  return {
    headers,
    steps: [...paced(pieces, delayMs), ...(calls.length > 0 ? [{ calls }] : [])],
    finish: script.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: script.usage ?? { inputTokens: 11, outputTokens: text.length },
  };
}

/** Sends each piece as a chunk. */
function paced(pieces: Step[], delayMs: number): Step[] {
  return pieces.flatMap((piece): Step[] => [piece, { pauseMs: delayMs }]);
}
