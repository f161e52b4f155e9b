import { createHash } from "node:crypto";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Cache } from "../../platform/cache/cache.ts";

/** A session of the older era, which is its caller's alone. */
export interface SessionKey {
  caller: string;
  session: string;
}

interface Change {
  uri: string;
  isWanted: boolean;
}

/**
 * Which resources the sessions of MCP clients wait for, on all replicas: a client subscribes by one
 * request, and hears of changes in the stream of another. What a session wants is a log of its
 * changes, kept for a day after the last one.
 */
export interface McpSubscriptions {
  /** @throws ProtocolError for a session that wants too much. */
  change(key: SessionKey, change: Change): Promise<void>;
  /** The addresses of the resources that a session wants now. */
  wanted(key: SessionKey): Promise<Set<string>>;
  /** Calls back at each change. */
  listen(key: SessionKey, onChange: () => void): Promise<AsyncDisposable>;
}

const CHANNEL = "mcp-subscriptions";
const KEPT_MS = 24 * 3_600_000;
const MAX_WANTED = 100;
const MAX_CHANGES = 1_000;

export function createMcpSubscriptions(cache: Cache): McpSubscriptions {
  const read = async (key: SessionKey) => {
    const entries = await cache.read(logOf(key), 0, MAX_CHANGES);
    return (entries ?? []).map((entry) => JSON.parse(entry) as Change); // `change` wrote it
  };
  return {
    wanted: async (key) => wantedOf(await read(key)),
    async change(key, change) {
      const changes = await read(key);
      const wanted = wantedOf([...changes, change]);
      if (changes.length >= MAX_CHANGES || wanted.size > MAX_WANTED) throw tooMany();
      const entry = JSON.stringify(change);
      await cache.append(logOf(key), [entry], KEPT_MS, { begins: true });
      await cache.publish(CHANNEL, logOf(key));
    },
    listen: (key, onChange) =>
      cache.subscribe(CHANNEL, (log) => log === logOf(key) && onChange()),
  };
}

function wantedOf(changes: readonly Change[]): Set<string> {
  const wanted = new Set<string>();
  for (const { uri, isWanted } of changes)
    if (isWanted) wanted.add(uri);
    else wanted.delete(uri);
  return wanted;
}

/** Callers choose the ids of their sessions. */
function logOf({ caller, session }: SessionKey): string {
  const hash = createHash("sha256").update(JSON.stringify([caller, session]));
  return `mcp-subscriptions:${hash.digest("base64url")}`;
}

function tooMany(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `A session subscribes to at most ${MAX_WANTED} resources, and changes that at most ` +
      `${MAX_CHANGES} times. Unsubscribe from some, or initialize a new session.`,
  );
}
