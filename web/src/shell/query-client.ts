import { notifyManager, QueryClient } from "@tanstack/react-query";
import { toFailure } from "../api/failure.ts";
import { onLanguage } from "../texts/language.ts";

const MAX_RETRIES = 2;
const FRESH_MS = 30_000;

// a form knows that it is being sent before the second click of a double click comes
notifyManager.setScheduler(queueMicrotask);

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
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
