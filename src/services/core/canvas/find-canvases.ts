import type { User } from "../../../platform/http/caller.ts";
import { conversationFor } from "../conversations/access.ts";
import { findConversations } from "../conversations/store.ts";
import type { FindNames } from "../user-names.ts";
import type { CanvasDeps } from "./access.ts";
import { listCanvases } from "./store.ts";

interface Narrowing {
  conversationId?: string | undefined;
  scope: "own" | "shared";
}

/** Canvases that the user may see, with the names of their owners, the last changed first. */
export async function findCanvases(
  deps: CanvasDeps & { findNames: FindNames },
  user: User,
  narrowing: Narrowing,
  part: { limit: number; offset: number },
) {
  const { items, total } = await listCanvases(
    deps.db,
    await placesOf(deps, user, narrowing),
    part,
  );
  const owners = items.map(({ ownerId }) => ownerId);
  const names = await deps.findNames(owners, user.clientId);
  const named = items.map((item) => ({
    ...item,
    ownerName: names.get(item.ownerId) ?? null,
  }));
  return { items: named, total };
}

/** Whose canvases, or those of which conversations. */
async function placesOf(
  deps: CanvasDeps,
  user: User,
  { conversationId, scope }: Narrowing,
): Promise<{ userId: string } | { conversationIds: string[] }> {
  if (conversationId !== undefined) {
    await conversationFor(deps, user, conversationId, "viewer");
    return { conversationIds: [conversationId] };
  }
  if (scope === "own") return { userId: user.userId };
  const shared = await deps.sharing.listShared("conversation", user.userId);
  const stored = await findConversations(deps.db, shared, undefined);
  return { conversationIds: stored.map(({ id }) => id) };
}
