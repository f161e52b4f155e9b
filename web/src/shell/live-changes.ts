import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { BrowserEvent } from "../../../src/server/contract.ts";
import { followEvents } from "../api/events.ts";

/** Changes that come together are read once. */
const GATHER_MS = 250;

/**
 * Reads again what changed on the server. A change of the type `document` concerns the queries
 * `["document", id, …]` and `["documents", …]`.
 */
export function useLiveChanges(): void {
  const queries = useQueryClient();
  const [begunAt] = useState(() => performance.now());
  useEffect(() => {
    const controller = new AbortController();
    const waiting = new Map<string, BrowserEvent>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const apply = () => {
      timer = undefined;
      for (const event of waiting.values()) readAgain(queries, event);
      waiting.clear();
    };
    const take = (event: BrowserEvent) => {
      waiting.set(JSON.stringify(event), event);
      timer ??= setTimeout(apply, GATHER_MS);
    };
    followEvents(take, { begunAt, signal: controller.signal });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [queries, begunAt]);
}

function readAgain(queries: QueryClient, event: BrowserEvent): void {
  if (event.type === "ready") return;
  if (event.type === "resync") void queries.invalidateQueries();
  else
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => concerns(event, queryKey),
    });
}

/** Other kinds that show something of a kind, such as its name. */
const RELATED: Record<string, readonly string[]> = {
  conversation: ["approvals", "conversation-files", "view-contexts"],
  user: ["group", "groups"],
  group: ["user", "users"],
  role: ["user", "me"],
  provider: ["models"],
  session: ["settings"],
  share: ["link", "explanation"],
  "search-engine": ["toolsets"],
  "tool-server": ["toolsets", "tools"],
  flow: ["flow-permissions"],
};

/** Whether what a query holds may have changed. */
export function concerns(
  { type, id }: { type: string; id: string | null },
  [kind, subject]: readonly unknown[],
): boolean {
  if (kind === pluralOf(type)) return true;
  if (RELATED[type]?.includes(String(kind))) return true;
  return kind === type && (id === null || subject === id);
}

function pluralOf(type: string): string {
  return type.endsWith("s") ? `${type}es` : `${type}s`;
}
