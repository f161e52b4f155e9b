import { stream } from "../platform/http/call.ts";
import { conversationsContract } from "../services/core/conversations/contract.ts";
import { DOCUMENTS_AGENT } from "../services/core/contract-agents.ts";
import type { Source } from "../services/core/sources/contract.ts";
import { type ClientOptions, clientTo, signInFrom } from "./client.ts";

interface AskOptions extends ClientOptions {
  model?: string | undefined;
  tools?: string | undefined;
  conversation?: string | undefined;
  agent?: string | undefined;
  /** Whether to answer from documents. */
  docs?: boolean | undefined;
}

const DIM = "\u001b[2m";
const PLAIN = "\u001b[0m";

/**
 * Streams an answer into the terminal: the text on standard output, tool calls and the rest on
 * standard error.
 */
export async function ask(
  question: string,
  options: AskOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (question.trim() === "") throw new Error('Ask something: parlance ask "…"');
  const token = await signInFrom(options, env);
  const note = (text: string) =>
    process.stderr.write(process.stderr.isTTY ? `${DIM}${text}${PLAIN}\n` : `${text}\n`);
  const agentId = options.agent ?? (options.docs ? DOCUMENTS_AGENT : undefined);
  const sources: Source[] = [];
  let text = "";
  const body = {
    content: question,
    ...(agentId && { agentId }),
    ...(options.model && { model: options.model }),
    ...(options.tools && { tools: options.tools.split(",") }),
    ...(options.conversation && { conversationId: options.conversation }),
  };
  const request = { headers: { authorization: `Bearer ${token}` }, timeoutMs: 300_000 };
  for await (const batch of stream(
    clientTo(options, env),
    conversationsContract.send,
    { body },
    request,
  )) {
    for (const event of batch) {
      if (event.type === "text_delta") {
        text += event.delta;
        process.stdout.write(event.delta);
      } else if (event.type === "sources") sources.push(...event.sources);
      else if (event.type === "warning") note(`! ${event.message}`);
      else if (event.type === "tool_call")
        note(`→ ${event.name} ${JSON.stringify(event.arguments)}`);
      else if (event.type === "tool_result")
        note(
          `${event.isError ? "✗" : "←"} ${event.name} (${event.durationMs} ms) ${event.content.slice(0, 500)}`,
        );
      else if (event.type === "approval")
        note(`? ${event.name} waits for approval: POST /api/v1/conversation/…/approve`);
      else if (event.type === "conversation") note(`conversation ${event.conversationId}`);
      else if (event.type === "done") {
        process.stdout.write("\n");
        for (const { index, fileName, pageNumber } of sources.filter((source) =>
          text.includes(`[${source.index}]`),
        ))
          note(`[${index}] ${fileName}${pageNumber === null ? "" : `, page ${pageNumber}`}`);
      } else if (event.type === "error") {
        note(`error: ${event.error}`);
        return 1;
      }
    }
  }
  return 0;
}
