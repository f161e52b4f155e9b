/** Options of one call; those of the client are their defaults. */
export interface CallOptions {
  /** Ends the call, and a stream while it is read. */
  signal?: AbortSignal;
  /** Bounds one attempt, from the request to the end of the answer; of streams to their start. */
  timeoutMs?: number;
  /** How often a call is sent at most. 1: never again. */
  maxAttempts?: number;
  headers?: Record<string, string>;
  /**
   * Where the operation takes one: the same key gives the same result. By default each call has
   * a key of its own, so that it can be sent again.
   */
  idempotencyKey?: string;
}

/** What an upload of bare bytes sends. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** One server-sent event, its data read from JSON. */
export interface ServerEvent<Name, Data> {
  event: Name;
  data: Data;
  id?: string;
}

/** The input may be left out where nothing of it is required. */
type Arguments<Input> = {} extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

export type Call<Input, Answer> = (...given: Arguments<Input>) => Promise<Answer>;

/** A list: called, it gives one page; `all` gives the items of every page. */
export interface PagedCall<Input, Answer, Item> {
  (...given: Arguments<Input>): Promise<Answer>;
  all(...given: Arguments<Input>): AsyncGenerator<Item, void, undefined>;
}

/** Server-sent events, which go on after a lost connection where the operation can resume. */
export type StreamCall<Input, Event> = (
  ...given: Arguments<Input>
) => AsyncGenerator<Event, void, undefined>;

/** Lines of JSON. */
export type LinesCall<Input, Line> = (
  ...given: Arguments<Input>
) => AsyncGenerator<Line, void, undefined>;

/** Called, it gives the whole answer; `stream` gives its events as they are made. */
export interface JsonOrStreamCall<Input, Answer, Event> {
  (...given: Arguments<Input>): Promise<Answer>;
  stream(...given: Arguments<Input>): AsyncGenerator<Event, void, undefined>;
}

/** How an operation is called. */
export interface Row {
  method: string;
  path: string;
  sends?: "form" | "bytes";
  gives: "json" | "nothing" | "file" | "events" | "lines" | "json-or-events";
  /** The field of the query that asks for the next page. */
  pages?: "page" | "cursor" | "after";
  /** It takes an `Idempotency-Key`. */
  once?: boolean;
  /** It takes a `Last-Event-ID`. */
  resumes?: boolean;
}

/** The input of any operation. */
export interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: Record<string, unknown>;
  bytes?: Bytes;
}
