import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import type { Logger } from "../telemetry/log.ts";
import { isExpired, leaseEnd } from "./row-lease.ts";

/** A time-limited claim on a name. It is renewed until it is disposed. */
export interface Lease extends AsyncDisposable {
  /** Grows with each holder. A write that compares it refuses a former holder. */
  readonly fence: number;
  /** Aborts when the lease is lost: another holder may have begun. */
  readonly signal: AbortSignal;
}

export interface Leases {
  /** Takes a lease. @returns undefined while another holder has it. */
  take(name: string, durationMs?: number): Promise<Lease | undefined>;
  /**
   * Does work under a lease, and waits for another holder first.
   * @throws what `busy` returns after `waitMs`.
   */
  run<T>(
    name: string,
    options: WaitOptions,
    work: (lease: Lease) => Promise<T>,
  ): Promise<T>;
}

interface WaitOptions {
  waitMs: number;
  busy: () => Error;
}

/** How long the lease of a process that died blocks others. */
const LEASE_MS = 30_000;
const POLL_INTERVAL_MS = 200;
const RENEWALS_PER_LEASE = 3;

interface Options {
  db: Database;
  log: Logger;
}

export const LEASE_TABLES = {
  schema: "leases",
  folder: new URL("./migrations/", import.meta.url),
};

/** Opens the table of leases. Expired leases of holders that died are removed at each start. */
export async function openLeases({ db, log }: Options): Promise<Leases> {
  await migrate(db, { ...LEASE_TABLES, log });
  await db.query(sql`delete from leases.leases where ${isExpired(sql`expires_at`)}`);
  // after a pause of the process its leases look expired: it does not take over from itself
  const own = new Set<string>();
  const take: Leases["take"] = async (name, durationMs = LEASE_MS) => {
    if (own.has(name)) return undefined;
    own.add(name);
    const ended = () => own.delete(name);
    const holder = uuidv7();
    const takenAt = performance.now();
    const fence = await claim(db, name, holder, durationMs).catch((error: unknown) => {
      ended();
      throw error;
    });
    if (fence !== undefined)
      return keepLease({ db, log, name, holder, fence, durationMs, takenAt, ended });
    ended();
    return undefined;
  };
  return {
    take,
    async run(name, { waitMs, busy }, work) {
      const latest = performance.now() + waitMs;
      for (;;) {
        await using lease = await take(name);
        if (lease) return await work(lease);
        if (performance.now() > latest) throw busy();
        await sleep(POLL_INTERVAL_MS);
      }
    },
  };
}

interface HeldLease extends Options {
  name: string;
  holder: string;
  fence: number;
  durationMs: number;
  /** Read before the database is asked, so that the lease ends here no later than there. */
  takenAt: number;
  /** Called when the work under the lease has ended. */
  ended: () => void;
}

/** Renews a lease until it is disposed or lost. */
function keepLease(held: HeldLease): Lease {
  const { db, log, name, holder, fence, durationMs } = held;
  const lost = new AbortController();
  let renewedAt = held.takenAt;
  const renewOnce = async () => {
    const startedAt = performance.now();
    try {
      if (await renew(db, name, holder, durationMs)) renewedAt = startedAt;
      else lost.abort();
    } catch (error) {
      log.warn(
        { err: error, lease: name },
        "a lease could not be renewed; it is tried again",
      );
      if (performance.now() - renewedAt >= durationMs) lost.abort();
    }
  };
  // a lease that was taken inside a transaction is renewed outside of it
  const outside = AsyncLocalStorage.snapshot();
  const timer = setInterval(
    () => void outside(renewOnce),
    durationMs / RENEWALS_PER_LEASE,
  ).unref();
  return {
    fence,
    signal: lost.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      held.ended();
      await release(db, name, holder).catch((error: unknown) =>
        log.warn(
          { err: error, lease: name },
          "a lease could not be released; it expires by itself",
        ),
      );
    },
  };
}

/** @returns the fence, or undefined while another holder has the lease. */
async function claim(db: Database, name: string, holder: string, durationMs: number) {
  const [row] = await db.query<{ fence: string }>(sql`
    insert into leases.leases as l (name, holder, expires_at)
    values (${name}, ${holder}, ${leaseEnd(durationMs)})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at,
      fence = nextval('leases.fences')
    where ${isExpired(sql`l.expires_at`)}
    returning fence`);
  return row && Number(row.fence);
}

async function renew(db: Database, name: string, holder: string, durationMs: number) {
  const rows =
    await db.query(sql`update leases.leases set expires_at = ${leaseEnd(durationMs)}
    where name = ${name} and holder = ${holder} returning name`);
  return rows.length > 0;
}

async function release(db: Database, name: string, holder: string): Promise<void> {
  await db.query(
    sql`delete from leases.leases where name = ${name} and holder = ${holder}`,
  );
}
