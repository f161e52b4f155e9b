import sql from "sql-template-tag";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { BadRequest, Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { Endpoints, GrantRefusal } from "../../../platform/outgoing/outgoing.ts";
import {
  ADDRESSES_CHANGED,
  type AllowedAddress,
  MAX_ALLOWED,
} from "./contract-addresses.ts";

interface Deps {
  db: Database;
  cache: Cache;
  endpoints: Endpoints;
}

interface Row extends Omit<AllowedAddress, "allowedAt"> {
  allowedAt: Date;
}

const ADDRESS = sql`address, allowed_by as "allowedBy", allowed_at as "allowedAt"`;

const REFUSALS: Record<GrantRefusal, [code: string, sentence: string]> = {
  off: [
    "address_grants_off",
    "Administrators may not allow addresses here. Have the operator add it to OUTGOING_ALLOW.",
  ],
  malformed: [
    "address_malformed",
    "An address is a host and a port. Write it like 127.0.0.1:11434.",
  ],
  reserved: [
    "address_never_allowed",
    "This address is never allowed: it may give out a cloud's credentials, or it is this server itself. Use another address.",
  ],
  public: [
    "address_public",
    "This address is public and needs no permission. Use it as it is.",
  ],
};

/** All of them, for the services that call them. */
export async function readAllowedAddresses(db: Database): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    sql`select address from core.allowed_addresses order by address limit ${MAX_ALLOWED}`,
  );
  return rows.map(({ address }) => address);
}

export async function listAllowedAddresses(
  db: Database,
  limit: number,
  offset: number,
): Promise<{ items: AllowedAddress[]; total: number }> {
  const rows = await db.query<Row>(sql`
    select ${ADDRESS} from core.allowed_addresses order by address limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.allowed_addresses`,
  );
  return { items: rows.map(toAnswer), total: count?.total ?? 0 };
}

/**
 * @throws BadRequest `address_…`, Conflict `too_many_allowed_addresses`.
 */
export async function allowAddress(
  deps: Deps,
  address: string,
  allowedBy: string,
): Promise<AllowedAddress> {
  const { db, endpoints } = deps;
  const reason = endpoints.explainRefusal(address);
  if (reason !== undefined) throw new BadRequest(...REFUSALS[reason]);
  const row = await db.tx(async () => {
    await db.query(sql`lock table core.allowed_addresses in share row exclusive mode`);
    await db.query(sql`
      insert into core.allowed_addresses (address, allowed_by)
      select ${address}, ${allowedBy}
      where (select count(*) from core.allowed_addresses) < ${MAX_ALLOWED}
      on conflict do nothing`);
    const [stored] = await db.query<Row>(
      sql`select ${ADDRESS} from core.allowed_addresses where address = ${address}`,
    );
    return stored;
  });
  if (!row)
    throw new Conflict(
      "too_many_allowed_addresses",
      `At most ${MAX_ALLOWED} addresses can be allowed. Revoke one that is not used.`,
      { params: { max: MAX_ALLOWED } },
    );
  await announce(deps);
  return toAnswer(row);
}

/** @throws NotFound `allowed_address_not_found`. */
export async function revokeAddress(deps: Deps, address: string): Promise<void> {
  const gone = await deps.db.query(
    sql`delete from core.allowed_addresses where address = ${address} returning address`,
  );
  if (gone.length === 0)
    throw new NotFound(
      "allowed_address_not_found",
      "This address is not allowed. GET /api/v1/allowed-addresses lists those that are.",
    );
  await announce(deps);
}

/** Every process reads the addresses again, this one before the answer. */
async function announce({ cache, endpoints }: Deps): Promise<void> {
  await cache.publish(ADDRESSES_CHANGED, "");
  await endpoints.refresh();
}

function toAnswer(row: Row): AllowedAddress {
  return { ...row, allowedAt: row.allowedAt.toISOString() };
}
