import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { type AccessRole, isAtLeast } from "../../users/contract-sharing.ts";
import type { Sharing } from "../sharing.ts";
import type { Conversation } from "./contract-messages.ts";
import { findConversations } from "./store.ts";

export interface AccessDeps {
  db: Database;
  sharing: Sharing;
}

/**
 * A conversation that the user owns, or that is shared with them in a sufficient role.
 * @throws NotFound `conversation_not_found` when the user may not see it, Forbidden
 * `conversation_read_only` when their role is too weak.
 */
export async function conversationFor(
  deps: AccessDeps,
  user: Pick<User, "userId">,
  id: string,
  needed: AccessRole,
): Promise<Conversation> {
  const [conversation] = await findConversations(deps.db, [id], undefined);
  if (!conversation) throw conversationNotFound();
  if (conversation.userId === user.userId) return conversation;
  const role = (await deps.sharing.rolesOf("conversation", [id], user.userId)).get(id);
  if (!role) throw conversationNotFound();
  if (!isAtLeast(role, needed))
    throw new Forbidden(
      "conversation_read_only",
      `This needs the role ${needed}; yours is ${role}. Ask the owner.`,
    );
  return conversation;
}

/** The conversations of these that the user may see. */
export async function visibleConversations(
  deps: AccessDeps,
  user: User,
  ids: string[],
): Promise<Conversation[]> {
  const found = await findConversations(deps.db, ids, undefined);
  const others = found.filter(({ userId }) => userId !== user.userId).map(({ id }) => id);
  const roles = await deps.sharing.rolesOf("conversation", others, user.userId);
  return found.filter(({ id, userId }) => userId === user.userId || roles.has(id));
}

export function conversationNotFound(): NotFound {
  return new NotFound(
    "conversation_not_found",
    "There is no such conversation that you may see. GET " +
      "/api/v1/conversation/chat-history lists yours.",
  );
}
