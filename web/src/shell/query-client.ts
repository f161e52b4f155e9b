import { QueryClient } from "@tanstack/react-query";
import { toFailure } from "../api/failure.ts";

const MAX_RETRIES = 2;
const FRESH_MS = 30_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: "always",
        retry: (count, error) => count < MAX_RETRIES && toFailure(error).isTemporary,
      },
      mutations: { networkMode: "always" },
    },
  });
}
