import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { meQuery } from "../shell/queries.ts";
import { waitingRepliesQuery } from "../shell/waiting-queries.ts";
import { failedRunsQuery } from "./failed-runs-queries.ts";
import { failedDocumentsQuery } from "./needs-queries.ts";
import { newSharesQuery } from "./new-shares-queries.ts";
import { useAreNamed } from "./tool-name.ts";

export type Needs = ReturnType<typeof useNeeds>;

/** What waits for the person: decisions first, then what failed, then what others shared. */
export function useNeeds() {
  const { data: me } = useQuery(meQuery);
  const may = (permission: string) => me?.permissions.includes(permission) ?? false;
  const replies = useInfiniteQuery(waitingRepliesQuery(may("tool:approve")));
  const runs = useQuery({ ...failedRunsQuery, enabled: may("automation:read") });
  const owner = may("document:read") ? me?.id : undefined;
  const documents = useQuery(failedDocumentsQuery(owner));
  const shares = useQuery({ ...newSharesQuery, enabled: may("share:read") });
  const lists = [replies, runs, documents, shares];
  const areNamed = useAreNamed(replies.data?.items.map(({ name }) => name));
  const counts = [
    replies.data?.items.length,
    runs.data?.items.length,
    documents.data?.items.length,
    shares.data?.length,
  ];
  return {
    replies,
    runs: runs.data,
    documents: documents.data,
    shares: shares.data ?? [],
    /** Whether it is known: what fails to load is not waited for. */
    isKnown: areNamed && !lists.some(awaitsFirst),
    isEmpty: !counts.some((count) => count),
  };
}
