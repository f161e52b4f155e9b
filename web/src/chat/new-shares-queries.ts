import { queryOptions } from "@tanstack/react-query";
import { sharingContract } from "../../../src/services/users/contract-sharing.ts";
import { call } from "../api/call.ts";
import { readTitles, type SharedType } from "../shell/shared-title-queries.ts";
import { keepInBrowser } from "../api/keep-in-browser.ts";

const READ_SHARES = 20;
const DAY_MS = 86_400_000;
/** What was shared before this is not new any more. */
const RECENT_MS = 7 * DAY_MS;
const KEY = "parlance.shares-read";

/** Something that others shared lately. */
export interface NewShare {
  type: SharedType;
  id: string;
  title: string;
  role: "viewer" | "commenter" | "editor" | "owner";
  byName: string | null;
  at: string;
}

/** What others shared with the person in the last days, and is not yet marked as read here. */
export const newSharesQuery = queryOptions({
  queryKey: ["shares", "new"],
  async queryFn({ signal }): Promise<NewShare[]> {
    const query = { since: unreadSince(), limit: READ_SHARES };
    const { items } = await call(sharingContract.sharedWithMe, { query }, { signal });
    const titles = await titlesOf(items, signal);
    // what its owner deleted has no title, and is not shown
    return items.flatMap(({ resourceType: type, resourceId: id, role, through }) => {
      const [share] = through;
      const title = titles.get(id);
      if (!share || title === undefined) return [];
      return [{ type, id, title, role, byName: share.grantedByName, at: share.createdAt }];
    });
  },
});

/** Marks what is listed as read, in this browser, whose clock may be another than the server's. */
export function markSharesRead(listed: readonly NewShare[]): void {
  const newest = Math.max(...listed.map(({ at }) => Date.parse(at)));
  keepInBrowser(KEY, new Date(newest + 1).toISOString());
}

/** From when on something that was shared is new. */
export function unreadSince(): string {
  const recent = new Date(Date.now() - RECENT_MS).toISOString();
  const read = localStorage.getItem(KEY) ?? "";
  return read > recent ? read : recent;
}

async function titlesOf(
  items: readonly { resourceType: SharedType; resourceId: string }[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const byType = Map.groupBy(items, ({ resourceType }) => resourceType);
  const lists = await Promise.all(
    [...byType].map(([type, things]) =>
      readTitles(type, things.map(({ resourceId }) => resourceId).join(","), signal),
    ),
  );
  return new Map(lists.flat().map(({ id, title }) => [id, title]));
}
