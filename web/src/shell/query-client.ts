import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  notifyManager,
  type Query,
  QueryClient,
} from "@tanstack/react-query";
import { toFailure } from "../api/failure.ts";
import { onLanguage } from "../texts/language.ts";

const MAX_RETRIES = 2;
const FRESH_MS = 30_000;

// a form knows that it is being sent before the second click of a double click comes
notifyManager.setScheduler(queueMicrotask);

export function createQueryClient(): QueryClient {
  const client = new PatientQueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: "always",
        retry: (count, error) => count < MAX_RETRIES && toFailure(error).isTemporary,
      },
      mutations: { networkMode: "always" },
    },
  });
  // what was read has names of built-in agents in the language before
  onLanguage(() => void client.invalidateQueries());
  return client;
}

/**
 * Reads again what changed, without cancelling what is being read: a page that somebody asked for
 * comes, and changes that follow each other closely do not keep a list from being read at all. What
 * is being read may hold what was before, so it is read again afterwards.
 */
class PatientQueryClient extends QueryClient {
  readonly #later = new Map<string, Promise<void>>();

  override async invalidateQueries(
    filters: InvalidateQueryFilters = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const busy = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.fetchStatus !== "idle");
    await Promise.all([
      super.invalidateQueries(filters, { ...options, cancelRefetch: false }),
      ...busy.map((query) => this.#readLater(query, options)),
    ]);
  }

  /** Once for all changes that come while it is being read. */
  #readLater(query: Query, options: InvalidateOptions): Promise<void> {
    const { queryHash, queryKey } = query;
    const waiting = this.#later.get(queryHash);
    if (waiting) return waiting;
    const read = async () => {
      await query.promise?.catch(() => {}); // who shows it shows why it failed
      this.#later.delete(queryHash);
      await this.invalidateQueries({ queryKey, exact: true }, options);
    };
    const later = read();
    this.#later.set(queryHash, later);
    return later;
  }
}
