import type { AnyInput, CallOptions, Row, ServerEvent } from "./call-types.ts";
import { ConnectionError, isRecord, ParlanceError } from "./errors.ts";
import { readEvents } from "./read-stream.ts";
import { type ClientOptions, newKey, pause, send, type Sent } from "./send.ts";

type Event = ServerEvent<string, unknown>;

/** The operation that goes on with a reply whose connection was lost. */
const ATTACH = "/api/v1/conversation/{conversationId}/stream";
const LAST_EVENTS = ["done", "error"];
const MAX_RESUMPTIONS = 5;
const FIRST_PAUSE_MS = 500;

/**
 * The events of an operation. After a lost connection it goes on behind the last event: with
 * `Last-Event-ID` where the operation takes it, and replies of conversations at their own stream.
 */
export async function* follow(
  client: ClientOptions,
  row: Row,
  input: AnyInput,
  options: CallOptions,
): AsyncGenerator<Event, void, undefined> {
  let at: { row: Row; input: AnyInput } = { row, input };
  let lastId: string | undefined;
  let losses = 0;
  let last = "";
  // a request that is sent again before its first event gets the same reply
  const idempotencyKey = options.idempotencyKey ?? (row.once ? newKey() : undefined);
  const keyed = idempotencyKey === undefined ? options : { ...options, idempotencyKey };
  while (true) {
    const sent = await open(client, at.row, at.input, withLastId(keyed, lastId));
    try {
      for await (const event of readEvents(sent)) {
        losses = 0;
        lastId = event.id ?? lastId;
        last = event.event;
        at = resumption(at, event) ?? at;
        yield event;
      }
      // a proxy may end the stream of a reply as if it were complete
      if (at.row === row || LAST_EVENTS.includes(last)) return;
      throw new ConnectionError(`The stream ended after ${last}.`);
    } catch (error) {
      const failure = sent.toError(error);
      losses += 1;
      const mayResume = lastId === undefined ? at.row.once : at.row.resumes;
      if (!isLost(failure) || !mayResume || losses > MAX_RESUMPTIONS) throw failure;
      await pause(FIRST_PAUSE_MS * 2 ** (losses - 1), options.signal);
    }
  }
}

/** Opens a stream; from here on only silence and the caller's signal end it. */
export async function open(
  client: ClientOptions,
  row: Row,
  input: AnyInput,
  options: CallOptions,
): Promise<Sent> {
  const headers = {
    accept: row.gives === "lines" ? "application/x-ndjson" : "text/event-stream",
    ...options.headers,
  };
  return send(client, row, input, { ...options, headers }, (sent) => {
    sent.release();
    return Promise.resolve(sent);
  });
}

/** Where a reply is read on, once it has said which one it is. */
function resumption({ row }: { row: Row }, { event, data }: Event) {
  if (row.method !== "POST" || event !== "conversation" || !isRecord(data))
    return undefined;
  const { conversationId, messageId } = data;
  if (typeof conversationId !== "string") return undefined;
  return {
    row: { method: "GET", path: ATTACH, gives: "events", resumes: true } as const,
    input: { params: { conversationId }, query: { messageId } },
  };
}

function isLost(failure: unknown): boolean {
  return failure instanceof ParlanceError && failure.status === 0;
}

function withLastId(options: CallOptions, lastId: string | undefined): CallOptions {
  if (lastId === undefined) return options;
  return { ...options, headers: { ...options.headers, "last-event-id": lastId } };
}
