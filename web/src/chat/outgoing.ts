import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Failure, toFailure } from "../api/failure.ts";
import type { DraftFile } from "../shell/drafts.ts";
import { addTurn } from "./add-turn.ts";
import { type MessageBody, type ReplyEvents, sendMessage } from "./queries.ts";
import { startFollowing } from "./replies.ts";
import { Store } from "./store.ts";
import { untilReachable } from "./until-reachable.ts";

/** A message that is on its way to the server. */
export interface Outgoing {
  /** The `Idempotency-Key` too. */
  key: string;
  /** Of the conversation, or `new`. */
  conversationKey: string;
  body: MessageBody;
  files: readonly DraftFile[];
  error?: Failure;
}

export interface Accepted {
  conversationId: string;
  userMessageId: string;
  messageId: string;
}

const MAX_ATTEMPTS = 20;
const outgoing = new Store<readonly Outgoing[]>([]);

export function useOutgoing(conversationKey: string): readonly Outgoing[] {
  const all = useSyncExternalStore(outgoing.subscribe, outgoing.get);
  return all.filter((one) => one.conversationKey === conversationKey);
}

/**
 * Sends a message, again where the network fails: the key makes sure that it is stored once.
 * @returns what the server made of it; `undefined` when it refused, which `error` then says.
 */
export async function send(
  queries: QueryClient,
  message: Outgoing,
): Promise<Accepted | undefined> {
  const others = outgoing.get().filter(({ key }) => key !== message.key);
  outgoing.set([...others, message]);
  const controller = new AbortController();
  for (let attempt = 0; ; attempt += 1) {
    try {
      const events = sendMessage(message.body, message.key, controller.signal);
      const { accepted, rest } = await readOpening(events);
      addTurn(queries, accepted, message);
      startFollowing(queries, accepted, rest);
      discard(message.key);
      return accepted;
    } catch (error) {
      const failure = toFailure(error);
      const mayRetry = failure.status === 0 && attempt < MAX_ATTEMPTS;
      if (!mayRetry) {
        replace({ ...message, error: failure });
        return undefined;
      }
      await untilReachable(attempt, controller.signal);
    }
  }
}

export function discard(key: string): void {
  outgoing.set(outgoing.get().filter((one) => one.key !== key));
}

function replace(message: Outgoing): void {
  outgoing.set(outgoing.get().map((one) => (one.key === message.key ? message : one)));
}

/** The first event says where the message and its reply are stored; the others follow. */
export async function readOpening(
  events: ReplyEvents,
): Promise<{ accepted: Accepted; rest: ReplyEvents }> {
  const first = await events.next();
  const [opening, ...others] = first.done ? [] : first.value;
  if (opening?.event.type !== "conversation") throw noOpening();
  async function* rest(): ReplyEvents {
    yield others;
    yield* events;
  }
  return { accepted: opening.event, rest: rest() };
}

/** The stream ended before its first event: the same request may be sent again. */
function noOpening(): Failure {
  return new Failure("connection_cut", "The answer ended before it began.");
}
