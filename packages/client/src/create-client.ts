import type { AnyInput, CallOptions, Row } from "./call-types.ts";
import { follow, open } from "./follow.ts";
import type { Operations } from "./operations.ts";
import { allItems } from "./pages.ts";
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
