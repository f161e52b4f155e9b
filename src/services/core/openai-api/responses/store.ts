import sql from "sql-template-tag";
import type { Database } from "../../../../platform/db/database.ts";
import { jsonb } from "../../../../platform/db/jsonb.ts";
import { repeatUntilNone } from "../../../../platform/db/repeat-until-none.ts";
import {
  isExpired,
  isHeld,
  leaseEnd,
  type RowLease,
} from "../../../../platform/lease/row-lease.ts";
import { MAX_BODY_BYTES } from "../../../../platform/http/route.ts";
import { BadRequest, NotFound } from "../../../../platform/http/errors.ts";
import type { StoredItem } from "./contract-items.ts";
import type { OutputItem, ResponseView } from "./contract-view.ts";

/** What one user may have stored. Beyond it the oldest are deleted. */
const MAX_RESPONSES = 1_000;
const MAX_BYTES = 200 * 2 ** 20;
/** As long as OpenAI keeps them. */
const RETENTION_DAYS = 30;
const ROWS_PER_BATCH = 200;
/** Responses that one request may continue. */
const MAX_CHAIN = 500;

/** A response of a process that is gone counts as failed when this ends. */
export const RESPONSE_LEASE: RowLease = {
  table: sql`core.responses`,
  until: sql`running_until`,
  durationMs: 60_000,
};

const ID = /^resp_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The key in the database, or undefined for what is no id of a response. */
export function responseKey(id: string): string | undefined {
  const parts = ID.exec(id);
  return parts ? parts.slice(1).join("-") : undefined;
}

export function responseId(key: string): string {
  return `resp_${key.replaceAll("-", "")}`;
}

export interface StoredResponse {
  input: StoredItem[];
  response: ResponseView;
}

interface Storing extends StoredResponse {
  labels: readonly string[];
  /** Whether it is made in the background now. */
  isRunning: boolean;
}

/** Stores a response, and deletes the user's oldest ones beyond what one may have. */
export async function insertResponse(
  db: Database,
  userId: string,
  { input, response, labels, isRunning }: Storing,
): Promise<void> {
  const { output, ...head } = response;
  const previous = response.previous_response_id;
  await db.query(sql`
    insert into core.responses
      (id, user_id, previous_id, input, output, head, labels, running_until, bytes)
    select ${responseKey(response.id)}::uuid, ${userId},
      ${previous === null ? null : responseKey(previous)}::uuid, given.input, given.output,
      given.head, ${[...labels]}::uuid[],
      ${isRunning ? leaseEnd(RESPONSE_LEASE.durationMs) : sql`null`},
      octet_length(given.input::text) + octet_length(given.output::text)
        + octet_length(given.head::text)
    from (select ${jsonb(input)}::jsonb as input, ${jsonb(output)}::jsonb as output,
      ${jsonb(head)}::jsonb as head) given`);
  await deleteOldest(db, userId);
}

/**
 * Stores how a response in the background ended. @returns false where it was cancelled or deleted
 * before: nothing is kept then.
 */
export async function endResponse(
  db: Database,
  userId: string,
  { response, labels }: Pick<Storing, "response" | "labels">,
): Promise<boolean> {
  const { output, ...head } = response;
  const ended = await db.query(sql`
    update core.responses kept set output = given.output, head = given.head,
      labels = ${[...labels]}::uuid[], running_until = null,
      bytes = octet_length(kept.input::text) + octet_length(given.output::text)
        + octet_length(given.head::text)
    from (select ${jsonb(output)}::jsonb as output, ${jsonb(head)}::jsonb as head) given
    where kept.id = ${responseKey(response.id)}::uuid and kept.user_id = ${userId}
      and kept.running_until is not null returning kept.id`);
  if (ended.length > 0) await deleteOldest(db, userId);
  return ended.length > 0;
}

/**
 * Cancels a response in the background, if it has not ended. What it has written is not kept.
 * @throws NotFound `response_not_found`, BadRequest `response_not_in_background`.
 */
export async function cancelResponse(
  db: Database,
  userId: string,
  id: string,
): Promise<ResponseView> {
  const before = await findResponse(db, userId, id);
  if (!before.response.background) throw notInBackground(id);
  await db.query(sql`
    update core.responses set head = head || '{"status": "cancelled"}', running_until = null
    where id = ${responseKey(id)}::uuid and user_id = ${userId} and ${isHeld(RESPONSE_LEASE.until)}`);
  return (await findResponse(db, userId, id)).response;
}

async function deleteOldest(db: Database, userId: string): Promise<void> {
  await db.query(sql`
    delete from core.responses where id in (
      select id from (
        select id, row_number() over newest as place, sum(bytes) over newest as total
        from core.responses where user_id = ${userId}
        window newest as (order by created_at desc, id desc)
      ) kept
      where place > 1 and (place > ${MAX_RESPONSES} or total > ${MAX_BYTES}))`);
}

/** @throws NotFound `response_not_found`, also for another user's. */
export async function findResponse(
  db: Database,
  userId: string,
  id: string,
): Promise<StoredResponse> {
  const [row] = await db.query<{
    input: StoredItem[];
    output: OutputItem[];
    head: Omit<ResponseView, "output">;
    isLost: boolean;
  }>(sql`
    select input, output, head, coalesce(${isExpired(RESPONSE_LEASE.until)}, false) as "isLost"
    from core.responses where id = ${responseKey(id)}::uuid and user_id = ${userId}`);
  if (!row) throw notFound(id);
  const { input, output, head, isLost } = row;
  // of those that were stored before there was a background
  const later = {
    background: head.background ?? false,
    conversation: head.conversation ?? null,
  };
  const response = { ...head, ...later, output };
  return { input, response: isLost ? { ...response, ...LOST } : response };
}

/** What a response is whose process ended before it did. */
const LOST = {
  status: "failed" as const,
  error: {
    code: "server_error",
    message: "The server that made this response has stopped. Ask again.",
  },
};

/** @throws NotFound `response_not_found`, also for another user's. */
export async function deleteResponse(
  db: Database,
  userId: string,
  id: string,
): Promise<void> {
  const deleted = await db.query(sql`
    delete from core.responses where id = ${responseKey(id)}::uuid and user_id = ${userId}
    returning id`);
  if (deleted.length === 0) throw notFound(id);
}

/** What a response continues. */
export interface Chain {
  items: StoredItem[];
  /** The ids of the labels of what it was made from. */
  labels: string[];
}

/**
 * The items of a response and of all that it continues, the oldest first.
 * @throws BadRequest `previous_response_not_found` when one of them is gone, or another user's;
 *   `conversation_too_long`.
 */
export async function readChain(db: Database, userId: string, id: string): Promise<Chain> {
  const [measured] = await db.query<{ bytes: number; ends: boolean; keys: string[] }>(sql`
    with recursive chain as (
      select id, previous_id, bytes, 1 as depth from core.responses
        where id = ${responseKey(id)}::uuid and user_id = ${userId} and running_until is null
      union all
      select before.id, before.previous_id, before.bytes, depth + 1
        from chain join core.responses before on before.id = chain.previous_id
        where before.user_id = ${userId} and depth <= ${MAX_CHAIN}
    )
    select coalesce(sum(bytes), 0)::int8::float8 as bytes,
      coalesce(bool_or(previous_id is null), false) as ends,
      coalesce(array_agg(id::text order by depth desc), '{}') as keys from chain`);
  if (!measured || measured.keys.length === 0) throw previousNotFound(id);
  if (measured.keys.length > MAX_CHAIN || measured.bytes > MAX_BODY_BYTES) throw tooLong();
  if (!measured.ends) throw previousNotFound(id);
  const rows = await db.query<Chain>(sql`
    select input || output as items, labels from core.responses
    where id = any(${measured.keys}::uuid[])
    order by array_position(${measured.keys}::uuid[], id)`);
  return {
    items: rows.flatMap(({ items }) => items),
    labels: [...new Set(rows.flatMap(({ labels }) => labels))],
  };
}

/** An item with the labels of its response. */
interface FoundItem {
  item: OutputItem;
  labels: string[];
}

/** Items that responses of the user wrote, by their ids. */
export async function findItems(
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, FoundItem>> {
  const keys = new Set(
    ids.flatMap((id) => responseKey(`resp_${id.split("_")[1] ?? ""}`) ?? []),
  );
  if (keys.size === 0) return new Map();
  const rows = await db.query<{ output: OutputItem[]; labels: string[] }>(sql`
    select output, labels from core.responses
    where id = any(${[...keys].slice(0, MAX_CHAIN)}::uuid[]) and user_id = ${userId}`);
  return new Map(
    rows.flatMap(({ output, labels }) =>
      output.map((item) => [item.id, { item, labels }] as const),
    ),
  );
}

/** Deletes what is older than anybody may expect to find. */
export async function purgeResponses(db: Database, signal: AbortSignal): Promise<void> {
  await repeatUntilNone(
    db,
    async () => {
      const rows = await db.query(sql`
      delete from core.responses where id in (
        select id from core.responses
        where created_at < now() - make_interval(days => ${RETENTION_DAYS})
        limit ${ROWS_PER_BATCH}) returning id`);
      return rows.length;
    },
    signal,
  );
}

function notFound(id: string): NotFound {
  return new NotFound(
    "response_not_found",
    `There is no stored response "${id}": it was not stored, is older than ${RETENTION_DAYS} ` +
      "days, or was deleted. Ask again.",
  );
}

function notInBackground(id: string): BadRequest {
  return new BadRequest(
    "response_not_in_background",
    `"${id}" was not made in the background. Leave its request to end it.`,
  );
}

function previousNotFound(id: string): BadRequest {
  return new BadRequest(
    "previous_response_not_found",
    `"${id}", or a response that it continues, is not stored any more, or not there yet. Send the ` +
      "whole conversation as input, or wait for it.",
  );
}

function tooLong(): BadRequest {
  return new BadRequest(
    "conversation_too_long",
    "The responses before are too long together. Send what still matters as input, without " +
      "previous_response_id.",
  );
}
