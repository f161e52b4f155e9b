import type { AnyInput, CallOptions, Row } from "./call-types.ts";
import { follow, open } from "./follow.ts";
import type { Operations } from "./operations.ts";
import { readJsonLines } from "./read-stream.ts";
import { type ClientOptions, send } from "./send.ts";
import { TABLE } from "./table.ts";

export type { CallOptions, ServerEvent } from "./call-types.ts";
export { ConnectionError, ParlanceError, TimeoutError } from "./errors.ts";
export type { Operations } from "./operations.ts";
export type * as Schemas from "./schemas.ts";
export type { ClientOptions } from "./send.ts";

/** All operations, by service: `client.core.listAgents()`. */
export type Client = Operations;

/** A client of one server. It opens nothing until it is used, and has nothing to close. */
export function createClient(options: ClientOptions): Client {
  const groups = Object.entries(TABLE).map(([group, rows]) => {
    const calls = Object.entries(rows).map(([name, row]) => [name, toCall(options, row)]);
    return [group, Object.fromEntries(calls) as object] as const;
  });
  // the table and the types are made from one document
  return Object.fromEntries(groups) as unknown as Client;
}

function toCall(client: ClientOptions, row: Row): unknown {
  const read = (input: AnyInput = {}, options: CallOptions = {}) =>
    send(client, row, input, options, async ({ response }) => {
      if (row.gives === "nothing") return void (await response.arrayBuffer());
      if (row.gives === "file") return response;
      return (await response.json()) as unknown;
    });
  if (row.gives === "events")
    return (input: AnyInput = {}, options: CallOptions = {}) =>
      follow(client, row, input, options);
  if (row.gives === "lines")
    return (input: AnyInput = {}, options: CallOptions = {}) =>
      lines(client, row, input, options);
  if (row.gives === "json-or-events") {
    const whole = (input: AnyInput = {}, options?: CallOptions) =>
      read(withStream(input, false), options);
    const stream = (input: AnyInput = {}, options: CallOptions = {}) =>
      follow(client, row, withStream(input, true), options);
    return Object.assign(whole, { stream });
  }
  const { pages } = row;
  if (pages === undefined) return read;
  const all = (input: AnyInput = {}, options?: CallOptions) =>
    allItems(pages, input, (page) => read(page, options));
  return Object.assign((...given: Parameters<typeof read>) => read(...given), { all });
}

async function* lines(
  client: ClientOptions,
  row: Row,
  input: AnyInput,
  options: CallOptions,
): AsyncGenerator<unknown> {
  const sent = await open(client, row, input, options);
  try {
    yield* readJsonLines(sent);
  } catch (error) {
    throw sent.toError(error);
  }
}

function withStream(input: AnyInput, stream: boolean): AnyInput {
  return { ...input, body: { ...(input.body as object | undefined), stream } }; // JSON objects
}

interface Answer {
  items?: unknown[];
  total?: number;
  limit?: number;
  next?: string | null;
  data?: unknown[];
  last_id?: string | null;
  has_more?: boolean;
}

const MAX_LIMIT = 100;

/** The items of all pages of a list, each read when it is wanted. */
async function* allItems(
  by: NonNullable<Row["pages"]>,
  input: AnyInput,
  read: (input: AnyInput) => Promise<unknown>,
): AsyncGenerator<unknown> {
  let query: Record<string, unknown> = { limit: MAX_LIMIT, ...input.query };
  while (true) {
    const answer = (await read({ ...input, query })) as Answer; // of an operation with pages
    const items = answer.items ?? answer.data ?? [];
    yield* items;
    const next = nextOf(by, answer, query);
    if (next === undefined || items.length === 0) return;
    query = { ...query, [by]: next };
  }
}

/** The value that asks for the following page; undefined after the last one. */
function nextOf(
  by: NonNullable<Row["pages"]>,
  { total = 0, limit = MAX_LIMIT, next, has_more, last_id }: Answer,
  query: Record<string, unknown>,
): unknown {
  if (by === "cursor") return next ?? undefined;
  if (by === "after") return has_more ? (last_id ?? undefined) : undefined;
  const page = Number(query["page"] ?? 1);
  return page * limit < total ? page + 1 : undefined;
}
