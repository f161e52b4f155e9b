import sql, { type Sql } from "sql-template-tag";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { jsonLimit, watched } from "../../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { shortenText } from "../../../platform/shorten-text.ts";
import { isRedirectUri } from "./redirect-uri.ts";

export interface McpClient {
  id: string;
  name: string;
  redirectUris: string[];
  /** The host of its metadata document; null for one that registered itself. */
  host: string | null;
}

/** The start of the id of a client that registered itself. */
const REGISTERED = "mcp_client_";
const MAX_NAME = 100;
/** Registrations that nobody used for long make room for others. */
export const MAX_CLIENTS = 10_000;
/** Of those to which nobody granted anything: a twentieth, and of a site a tenth. */
const MAX_OF_NETWORK = 500;
const MAX_OF_SITE = 1_000;
const UNUSED_DAYS = 90;
/** A flood of registrations does not take those to which users granted something. */
const UNGRANTED = sql`not exists (select from users.mcp_grants granted
  where granted.client_id = client.id)`;
const MAX_DOCUMENT_BYTES = 64 * 1024;
const DOCUMENT_TIMEOUT_MS = 5_000;

/** Where a registration comes from: an address or an IPv6 /64, and the /48 around it. */
interface Origin {
  network: string;
  site: string;
}

/**
 * Registers a client, for which others make room: of its own network, where that has its share;
 * else of the site that has most, so that a flood takes nothing from others.
 * @throws BadRequest `mcp_redirect_invalid`.
 */
export async function registerClient(
  db: Database,
  { client_name: name = "", redirect_uris: uris }: RegistrationRequest,
  from: Origin,
): Promise<McpClient> {
  if (!uris.every(isRedirectUri)) throw redirectInvalid();
  const id = `${REGISTERED}${randomToken(16)}`;
  const client = { id, name: nameOf(name), redirectUris: uris, host: null };
  // addresses are personal data, and only their equality counts
  const [network, site] = [hashToken(from.network), hashToken(from.site)];
  await db.query(sql`delete from users.mcp_clients where id in (
    select id from users.mcp_clients client
    where used_at < now() - ${UNUSED_DAYS} * interval '1 day' and ${UNGRANTED} limit 1000)`);
  await forgetBeyond(db, sql`network = ${network}`, MAX_OF_NETWORK);
  await forgetBeyond(db, sql`site = ${site}`, MAX_OF_SITE);
  await makeRoom(db);
  await db.query(sql`insert into users.mcp_clients (id, name, redirect_uris, network, site)
    values (${id}, ${client.name}, ${uris}, ${network}, ${site})`);
  return client;
}

/** Leaves room for one more among those of one origin, by the one that was not used longest. */
async function forgetBeyond(db: Database, where: Sql, max: number): Promise<void> {
  await db.query(sql`delete from users.mcp_clients where id in (
    select id from users.mcp_clients client where ${where} and ${UNGRANTED}
    order by used_at desc offset ${max - 1})`);
}

async function makeRoom(db: Database): Promise<void> {
  const [{ total = 0 } = {}] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from users.mcp_clients client where ${UNGRANTED}`);
  if (total < MAX_CLIENTS) return;
  const [most] = await db.query<{ site: string; count: number }>(sql`
    select site, count(*)::int as count from users.mcp_clients client where ${UNGRANTED}
    group by site order by count desc, site limit 1`);
  if (most) await forgetBeyond(db, sql`site = ${most.site}`, most.count);
}

interface RegistrationRequest {
  client_name?: string | undefined;
  redirect_uris: string[];
}

/**
 * A client by its id: a registration, or the address of its metadata document. Source: OAuth Client
 * ID Metadata Document.
 * @throws BadRequest `mcp_client_unknown`, `mcp_client_document`, `address_not_allowed`.
 */
export async function findClient(
  { db, outgoing }: { db: Database; outgoing: Outgoing },
  id: string,
  signal: AbortSignal,
): Promise<McpClient> {
  if (id.startsWith("https://")) return readDocument(outgoing, id, signal);
  const [row] = await db.query<{ name: string; redirectUris: string[] }>(sql`
    update users.mcp_clients set used_at = now() where id = ${id}
    returning name, redirect_uris as "redirectUris"`);
  if (!row) throw unknownClient();
  return { id, ...row, host: null };
}

export function isRegistration(clientId: string): boolean {
  return clientId.startsWith(REGISTERED);
}

/** Keeps a registration as one that is used. @returns whether there is such a client. */
export async function keepClient(db: Database, id: string): Promise<boolean> {
  if (!isRegistration(id)) return true; // a document, which is not kept here
  const kept = await db.query(
    sql`update users.mcp_clients set used_at = now() where id = ${id} returning id`,
  );
  return kept.length > 0;
}

async function readDocument(
  outgoing: Outgoing,
  id: string,
  signal: AbortSignal,
): Promise<McpClient> {
  const url = URL.parse(id);
  // a document is a path of its own: the whole host speaks for nobody
  if (!url || url.href !== id || url.pathname === "/" || url.hash !== "")
    throw documentInvalid(id);
  outgoing.check(id);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DOCUMENT_TIMEOUT_MS)]);
  const body = await outgoing
    .fetch(id, { headers: { accept: "application/json" }, signal: limit })
    .then(async (response) => {
      const tooLarge = () => new Error("the document is too large");
      const text = await watched(response, jsonLimit(MAX_DOCUMENT_BYTES, tooLarge)).text();
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      return JSON.parse(text) as unknown; // read below
    })
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throw documentInvalid(id, error);
    });
  if (!isRecord(body) || body["client_id"] !== id) throw documentInvalid(id);
  const { token_endpoint_auth_method: method = "none", redirect_uris: uris } = body;
  const isGood = Array.isArray(uris) && uris.length <= 100 && method === "none";
  if (!isGood || !uris.every(isShort)) throw documentInvalid(id);
  const name = body["client_name"];
  return {
    id,
    name: nameOf(typeof name === "string" ? name : ""),
    redirectUris: uris,
    host: url.host,
  };
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= 2_000;
}

/** What a client calls itself, on one line. */
function nameOf(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return shortenText(plain, MAX_NAME) || "MCP client";
}

function redirectInvalid(): BadRequest {
  return new BadRequest(
    "mcp_redirect_invalid",
    "A redirect address must be one of https, of this machine, or of a program's own scheme. " +
      "Register it so.",
  );
}

function unknownClient(): BadRequest {
  return new BadRequest(
    "mcp_client_unknown",
    "This client is not registered here, or was not used for too long. Connect it again, so that " +
      "it registers.",
  );
}

function documentInvalid(id: string, cause?: unknown): BadRequest {
  const host = URL.parse(id)?.host ?? "";
  return new BadRequest(
    "mcp_client_document",
    `What ${host} says about the client cannot be used: its metadata document is missing or wrong. ` +
      "Ask its maker.",
    { params: { host }, cause },
  );
}
