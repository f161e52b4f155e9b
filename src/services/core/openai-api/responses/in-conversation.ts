import { pushed } from "../../../../platform/batches.ts";
import type { Cache } from "../../../../platform/cache/cache.ts";
import type { User } from "../../../../platform/http/caller.ts";
import { ApiError, BadRequest, Forbidden } from "../../../../platform/http/errors.ts";
import type { ReplyEvent } from "../../../agent-loop/contract-events.ts";
import { conversationNotFound } from "../../conversations/access.ts";
import type { ReceiveDeps } from "../../replies/begin-reply.ts";
import { SendMessage } from "../../replies/contract.ts";
import { streamReply } from "../../replies/read-reply.ts";
import { receiveMessage } from "../../replies/receive-message.ts";
import type { ReplyRunner } from "../../replies/reply-runner.ts";
import { toOwnId } from "../conversations/ids.ts";
import { agentIdOf } from "../list-models.ts";
import { FileId } from "../../../documents/openai-api/contract-ids.ts";
import type { ResponseRequest } from "./contract.ts";
import type { Item, Part, StoredItem } from "./contract-items.ts";

export interface InConversationDeps extends ReceiveDeps {
  cache: Cache;
  runner: ReplyRunner;
}

interface ResponseInput {
  request: ResponseRequest;
  /** What the request adds, with its files read. */
  items: readonly StoredItem[];
  /** The ids of documents among its files. */
  documents: readonly string[];
  /** Of the response: a reply that is read no more goes on. */
  signal: AbortSignal;
  /** Whether the end of the signal stops the reply. */
  stops: boolean;
}

/** The id of the conversation that a request names. */
export function conversationOf({ conversation }: ResponseRequest): string | undefined {
  if (!conversation) return undefined;
  return typeof conversation === "string" ? conversation : conversation.id;
}

/**
 * Adds a message to a conversation of the web app, and returns the events of its reply: the
 * conversation has the messages before, and keeps both.
 * @throws BadRequest for what a conversation decides by itself, NotFound
 * `conversation_not_found`, and what `receiveMessage` throws.
 */
export async function answerInConversation(
  deps: InConversationDeps,
  user: User,
  { request, items, documents, signal, stops }: ResponseInput,
): Promise<AsyncIterable<ReplyEvent[]>> {
  const conversationId = toOwnId("conv", conversationOf(request) ?? "");
  if (conversationId === undefined) throw conversationNotFound();
  refuseSettings(request);
  if (documents.length > 0 && !(await deps.use.readsDocuments(user))) throw notRead();
  const agentId = agentIdOf(request.model);
  const message = SendMessage.safeParse({
    conversationId,
    content: textOf(items),
    files: [...documents],
    stream: true,
    ...(request.instructions && { instructions: request.instructions }),
    ...(agentId === undefined ? { agentId: null, model: request.model } : { agentId }),
  });
  if (!message.success) throw onlyText();
  const { toMake, reply } = await receiveMessage(deps, user, message.data, undefined);
  if (toMake) void deps.runner.start(toMake);
  const stop = () => void deps.runner.stop(reply.conversationId, reply.id);
  if (stops) signal.addEventListener("abort", stop, { once: true });
  return pushed(async (emit) => {
    const events = streamReply(deps, user, reply, { from: 0, signal });
    for await (const texts of events) {
      const read = texts.flatMap(readEvents);
      if (read.length > 0) await emit(read);
    }
    signal.throwIfAborted();
  });
}

/** The items without the documents that they name, which the conversation has as its own files. */
export function takeDocuments<Given extends Item>(
  items: readonly Given[],
): { items: Given[]; documents: string[] } {
  const documents = new Set<string>();
  const isOther = (part: Part) => {
    const id = FileId.safeParse(part.type === "input_file" ? part.file_id : "").data;
    if (id !== undefined) documents.add(id);
    return id === undefined;
  };
  const left = items.map((item) =>
    item.type === "message" && Array.isArray(item.content)
      ? { ...item, content: item.content.filter(isOther) }
      : item,
  );
  return { items: left, documents: [...documents] };
}

/** Events in wire form, as the conversation publishes them. */
function readEvents(encoded: string): ReplyEvent[] {
  return encoded.split("\n\n").flatMap((text) => {
    const [, type, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? [];
    if (type === undefined || data === undefined) return [];
    const event = { type, ...(JSON.parse(data) as object) } as ReplyEvent; // our own
    if (event.type === "approval") throw waits(event.name);
    return [event];
  });
}

/** @throws BadRequest for anything but text of the user. */
function textOf(items: readonly StoredItem[]): string {
  const texts = items.map((item) => {
    if (item.type !== "message" || item.role !== "user") throw onlyText();
    if (typeof item.content === "string") return item.content;
    return item.content
      .map((part) => {
        if (!("text" in part)) throw onlyText();
        return part.text;
      })
      .join("\n\n");
  });
  return texts.join("\n\n");
}

/** @throws BadRequest for what an answer in a conversation does not take. */
function refuseSettings(request: ResponseRequest): void {
  const { text, tools = [], tool_choice: choice } = request;
  const format = text?.format?.type;
  const given = {
    previous_response_id: request.previous_response_id,
    store: request.store === false ? false : undefined,
    temperature: request.temperature,
    top_p: request.top_p === 1 ? undefined : request.top_p,
    max_output_tokens: request.max_output_tokens,
    "text.format": format === "text" ? undefined : format,
    "text.verbosity": text?.verbosity,
    "reasoning.effort": request.reasoning?.effort,
    // those of other kinds are left out, as everywhere
    tools: tools?.find(({ type }) => CLIENT_TOOLS.includes(type)),
    tool_choice: choice === "auto" || choice === "none" ? undefined : choice,
  };
  const named = Object.entries(given).find(
    ([, value]) => value !== undefined && value !== null,
  );
  if (!named) return;
  const [name] = named;
  throw new BadRequest(
    "conversation_has_settings",
    `A conversation answers with its own messages, settings and tools. Leave out ${name}, or the ` +
      "conversation.",
    { params: { name } },
  );
}

const CLIENT_TOOLS = ["function", "custom", "namespace", "file_search"];

function notRead(): Forbidden {
  return new Forbidden(
    "permission_missing",
    "Your roles, or the scopes of the key, do not permit document:read. Send the file itself.",
    { params: { permission: "document:read" } },
  );
}

function onlyText(): BadRequest {
  return new BadRequest(
    "conversation_takes_text",
    "A conversation takes messages of its user, with text and files that are read as text. Send those " +
      "as input.",
  );
}

function waits(tool: string): ApiError {
  return new ApiError(
    409,
    "approval_needed",
    `The agent calls "${tool}", which waits for a decision. Look into the conversation, and decide there.`,
  );
}
