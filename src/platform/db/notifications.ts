import pg from "pg";
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

/**
 * For a PostgreSQL server: notifications arrive on a separate connection. It is opened with the
 * first listener, and again when it is lost.
 */
export function serverNotifications(connectionString: string, log: Logger): Notifications {
  const listeners: Listeners = new Map();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const opening = new pg.Client({
      connectionString,
      keepAlive: true,
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
      // it may be broken
      await client?.end().catch(() => {});
    },
  };
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
