import pg from "pg";
import type { Logger } from "../telemetry/log.ts";

/** What NOTIFY brings, handed to those who asked for its channel. */
export interface Notifications extends AsyncDisposable {
  listen(channel: string, listener: (payload: string) => void): Promise<AsyncDisposable>;
}

type Listeners = Map<string, Set<(payload: string) => void>>;

const RETRY_MS = 1_000;

/**
 * Embedded: every notification comes on the one connection of the pool, which listens again
 * whenever it is replaced.
 */
export function poolNotifications(pool: pg.Pool): Notifications {
  const listeners: Listeners = new Map();
  pool.on("connect", (client) => {
    client.on("notification", tell(listeners));
    for (const channel of listeners.keys()) client.query(listenTo(channel)).catch(() => {});
  });
  return {
    listen: (channel, listener) =>
      join(listeners, channel, listener, async () => void (await pool.query(listenTo(channel)))),
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * On a server: one connection of its own, opened with the first listener and opened again when it
 * is lost.
 */
export function serverNotifications(connectionString: string, log: Logger): Notifications {
  const listeners: Listeners = new Map();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const opening = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: "parlance-listen",
    });
    client = opening;
    const lost = (error?: Error) => {
      if (closed || client !== opening) return;
      log.warn({ err: error }, "the connection that listens was lost");
      client = undefined;
      retry = setTimeout(connect, RETRY_MS).unref();
    };
    opening.on("error", lost);
    opening.on("end", () => lost());
    opening.on("notification", tell(listeners));
    retry = undefined;
    try {
      await opening.connect();
      for (const channel of listeners.keys()) await opening.query(listenTo(channel));
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
    }
  }

  return {
    listen: (channel, listener) =>
      join(listeners, channel, listener, async () => {
        if (client) await client.query(listenTo(channel)).catch(() => {});
        else if (!retry) await connect();
      }),
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}

async function join(
  listeners: Listeners,
  channel: string,
  listener: (payload: string) => void,
  first: () => Promise<void>,
): Promise<AsyncDisposable> {
  const those = listeners.get(channel);
  if (those) those.add(listener);
  else {
    listeners.set(channel, new Set([listener]));
    await first();
  }
  return {
    async [Symbol.asyncDispose]() {
      listeners.get(channel)?.delete(listener);
    },
  };
}

function tell(listeners: Listeners) {
  return ({ channel, payload = "" }: pg.Notification) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  };
}

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}
