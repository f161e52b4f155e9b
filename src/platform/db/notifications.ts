import pg from "pg";
import { singleFlight } from "../single-flight.ts";
import type { Logger } from "../telemetry/log.ts";

/** Passes notifications (NOTIFY) on to the listeners of their channel. */
export interface Notifications extends AsyncDisposable {
  listen: Listen;
}

/**
 * Calls `listener` after each commit with a notification of the channel, and `onGap` when some may
 * have been lost, because the connection was.
 */
export type Listen = (
  channel: string,
  listener: (payload: string) => void,
  onGap?: () => void,
) => Promise<AsyncDisposable>;

interface Listener {
  hear: (payload: string) => void;
  onGap: (() => void) | undefined;
}
type Listeners = Map<string, Set<Listener>>;

const RETRY_MS = 1_000;
/** The kernel's default is two hours, and a firewall forgets a silent connection sooner. */
const KEEP_ALIVE_MS = 30_000;

/**
 * For the embedded database: notifications arrive on the one connection of the pool. A new
 * connection listens to all channels again.
 */
export function poolNotifications(pool: pg.Pool): Notifications {
  const listeners: Listeners = new Map();
  pool.on("connect", (client) => {
    client.on("notification", dispatch(listeners));
    for (const channel of listeners.keys())
      // a broken connection is replaced, and listens again
      client.query(listenStatement(channel)).catch(() => {});
    sayGap(listeners);
  });
  return {
    listen: (channel, hear, onGap) =>
      addListener(
        listeners,
        channel,
        { hear, onGap },
        async () => void (await pool.query(listenStatement(channel))),
      ),
    async [Symbol.asyncDispose]() {},
  };
}

export interface ProbeTimes {
  everyMs: number;
  timeoutMs: number;
}
const PROBES: ProbeTimes = { everyMs: 30_000, timeoutMs: 10_000 };

/**
 * For a PostgreSQL server: notifications arrive on a separate connection. It is opened with the
 * first listener, and again when it is lost, or does not answer: one that only listens would not
 * notice that the other side is gone.
 */
export function serverNotifications(
  connectionString: string,
  log: Logger,
  probes = PROBES,
): Notifications {
  const listeners: Listeners = new Map();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let probing: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const opening = new pg.Client({
      connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: 5_000,
      application_name: "parlance-listen",
    });
    client = opening;
    const lost = (error?: Error) => {
      if (isClosed || client !== opening) return;
      log.warn(
        { err: error },
        "the connection for notifications was lost; it is opened again",
      );
      client = undefined;
      clearInterval(probing);
      void discard(opening);
      retry = setTimeout(connect, RETRY_MS).unref();
    };
    opening.on("error", lost);
    opening.on("end", () => lost());
    opening.on("notification", dispatch(listeners));
    retry = undefined;
    try {
      await opening.connect();
      for (const channel of listeners.keys()) await opening.query(listenStatement(channel));
      sayGap(listeners);
      if (client === opening && !isClosed) probing = probe(opening, lost, probes);
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
    }
  }

  return {
    listen: (channel, hear, onGap) =>
      addListener(listeners, channel, { hear, onGap }, async () => {
        // a broken connection is replaced, and listens again
        if (client) await client.query(listenStatement(channel)).catch(() => {});
        else if (!retry) await connect();
      }),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(probing);
      if (client) await discard(client);
    },
  };
}

/** Asks the server now and then whether it is there, and says when it is not. */
function probe(
  client: pg.Client,
  lost: (error: Error) => void,
  { everyMs, timeoutMs }: ProbeTimes,
): NodeJS.Timeout {
  const question = { text: "select 1", query_timeout: timeoutMs };
  const ask = singleFlight(() => client.query(question));
  return setInterval(() => void ask().catch(lost), everyMs).unref();
}

async function discard(client: pg.Client): Promise<void> {
  // it may be broken
  await client.end().catch(() => {});
}

async function addListener(
  listeners: Listeners,
  channel: string,
  listener: Listener,
  listenFirst: () => Promise<void>,
): Promise<AsyncDisposable> {
  const sameChannel = listeners.get(channel);
  if (sameChannel) sameChannel.add(listener);
  else {
    listeners.set(channel, new Set([listener]));
    await listenFirst();
  }
  return {
    async [Symbol.asyncDispose]() {
      listeners.get(channel)?.delete(listener);
    },
  };
}

function dispatch(listeners: Listeners) {
  return ({ channel, payload = "" }: pg.Notification) => {
    for (const { hear } of listeners.get(channel) ?? []) hear(payload);
  };
}

function sayGap(listeners: Listeners): void {
  for (const sameChannel of listeners.values())
    for (const { onGap } of sameChannel) onGap?.();
}

function listenStatement(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}
