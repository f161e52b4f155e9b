import { isReplaced } from "../services/completion/contract-load-shared.ts";
import { stream } from "../platform/http/call.ts";
import { describePlace } from "../services/embedding/contract-places.ts";
import { DOCUMENTS_AGENT } from "../services/core/contract-agents.ts";
import {
  type ConversationEvent,
  repliesContract,
} from "../services/core/replies/contract.ts";
import {
  type NotFound,
  type Source,
  describeNotFound,
} from "../services/core/sources/contract.ts";
import { type ClientOptions, clientTo, signInFrom } from "./client.ts";

interface AskOptions extends ClientOptions {
  model?: string | undefined;
  tools?: string | undefined;
  conversation?: string | undefined;
  agent?: string | undefined;
  /** Answer from documents. */
  docs?: boolean | undefined;
}

const DIM = "\u001b[2m";
const RESET = "\u001b[0m";
const TIMEOUT_MS = 300_000;
const MAX_RESULT_CHARACTERS = 500;

/**
 * Streams an answer into the terminal: the text to standard output, tool calls and notes to
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
    process.stderr.write(process.stderr.isTTY ? `${DIM}${text}${RESET}\n` : `${text}\n`);
  const agentId = options.agent ?? (options.docs ? DOCUMENTS_AGENT : undefined);
  const body = {
    content: question,
    ...(agentId && { agentId }),
    ...(options.model && { model: options.model }),
    ...(options.tools && { tools: options.tools.split(",") }),
    ...(options.conversation && { conversationId: options.conversation }),
  };
  const request = { headers: { authorization: `Bearer ${token}` }, timeoutMs: TIMEOUT_MS };
  const print = createPrinter(note);
  for await (const batch of stream(
    clientTo(options, env),
    repliesContract.send,
    { body },
    request,
  ))
    for (const event of batch) {
      print(event);
      if (event.type === "error") return 1;
    }
  return 0;
}

/** Prints text as it arrives, and at the end the sources that the text cites. */
function createPrinter(note: (text: string) => void): (event: ConversationEvent) => void {
  const sources: Source[] = [];
  let text = "";
  return (event) => {
    switch (event.type) {
      case "text_delta":
        text += event.delta;
        process.stdout.write(event.delta);
        return;
      case "sources":
        sources.push(...event.sources);
        if (event.notFound) describeNothing(event.notFound).forEach(note);
        return;
      case "done":
        process.stdout.write("\n");
        for (const source of sources)
          if (text.includes(`[${source.index}]`)) note(describeSource(source));
        return;
      default: {
        const line = describeEvent(event);
        if (line !== undefined) note(line);
      }
    }
  };
}

function describeSource({ index, fileName, pageNumber, place }: Source): string {
  const where = describePlace(place, pageNumber);
  return `[${index}] ${fileName}${where === undefined ? "" : `, ${where}`}`;
}

function describeNothing(notFound: NotFound): string[] {
  const nearest = notFound.nearest.map(
    (passage) =>
      `nearest: ${describeSource({ ...passage, index: 0 }).slice("[0] ".length)}`,
  );
  return [`! ${describeNotFound(notFound)}`, ...nearest];
}

function describeEvent(event: ConversationEvent): string | undefined {
  switch (event.type) {
    case "conversation":
      return `conversation ${event.conversationId}`;
    case "warning":
      return `! ${event.message}`;
    case "answered_by":
      if (!isReplaced(event)) return undefined;
      return `! ${event.name} answers in the place of ${event.insteadOf} (${event.code})`;
    case "tool_call":
      return `→ ${event.name} ${JSON.stringify(event.arguments)}`;
    case "tool_result": {
      const content = event.content.slice(0, MAX_RESULT_CHARACTERS);
      return `${event.isError ? "✗" : "←"} ${event.name} (${event.durationMs} ms) ${content}`;
    }
    case "approval":
      return `? ${event.name} waits for approval: POST /api/v1/conversation/…/approve`;
    case "error":
      return `error: ${event.error}`;
    default:
      return undefined;
  }
}
