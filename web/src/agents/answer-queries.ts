import {
  type ConversationEvent,
  repliesContract,
} from "../../../src/services/core/replies/contract.ts";
import { newId } from "../api/new-id.ts";
import { stream, type Streamed } from "../api/stream.ts";
import { call } from "../api/call.ts";

export type AnswerEvents = AsyncGenerator<Streamed<ConversationEvent>[]>;

interface Question {
  agentId: string;
  agentVersion: number;
  content: string;
}

/** Asks a version of an agent, in a new conversation. */
export function askVersion(body: Question, signal: AbortSignal): AnswerEvents {
  const headers = { "idempotency-key": newId() };
  return stream(repliesContract.send, { body }, { headers, signal });
}

interface Again extends Omit<Question, "content"> {
  conversationId: string;
  /** The question. */
  messageId: string;
}

/** Asks the same question again: the answer stands beside the first one. */
export function askVersionAgain(
  { conversationId, ...body }: Again,
  signal: AbortSignal,
): AnswerEvents {
  const headers = { "idempotency-key": newId() };
  return stream(
    repliesContract.regenerate,
    { params: { conversationId }, body },
    { headers, signal },
  );
}

export function stopAnswer(conversationId: string, messageId: string) {
  return call(repliesContract.stop, { params: { conversationId }, body: { messageId } });
}
