import type { User } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { ActingUsers } from "../acting-users.ts";
import type { RetrievalPlan } from "../sources/plan-retrieval.ts";
import type { ReplyToMake } from "./reply-to-make.ts";

type Checked = Pick<ReplyToMake, "userId" | "plan">;

/**
 * Checks whether the users of replies in progress may still have them.
 * @returns of each reply, in their order, why not: the account is disabled or deleted, or the
 * user's roles no longer permit the model, a tool, or the search of documents that the reply uses.
 * While that is unknown the reply continues, because it has limits of its own. Never throws.
 */
export type CheckRights = (
  replies: readonly Checked[],
) => Promise<(Forbidden | undefined)[]>;

interface Deps {
  actingUsers: Pick<ActingUsers, "findAll">;
  use: PermittedUse;
}

export function createCheckRights({ actingUsers, use }: Deps): CheckRights {
  return async (replies) => {
    const userIds = new Set(replies.map(({ userId }) => userId));
    const users = await actingUsers.findAll([...userIds]);
    return Promise.all(
      replies.map(({ userId, plan }) => refusalOf(use, users.get(userId), plan)),
    );
  };
}

async function refusalOf(
  use: PermittedUse,
  user: User | Forbidden | undefined,
  { model, tools, retrieval }: Checked["plan"],
): Promise<Forbidden | undefined> {
  if (user === undefined || user instanceof Forbidden) return user;
  try {
    await use.chooseModel(user, model);
    await use.tools(user, tools, []);
    if (retrieval) await requireDocuments(use, user, retrieval);
  } catch (error) {
    if (error instanceof Forbidden) return error;
  }
  return undefined;
}

/** @throws Forbidden when a reply that uses documents is not the user's to have any more. */
export async function requireDocuments(
  use: PermittedUse,
  user: User,
  { mode, mayRead }: Pick<RetrievalPlan, "mode" | "mayRead">,
): Promise<void> {
  if (!(await use.searchesDocuments(user)))
    throw new Forbidden(
      "permission_missing",
      "Your roles no longer permit the search of documents. Ask an administrator.",
      { params: { permission: "document:search" } },
    );
  // passages that were found before are read by no tool
  if (mayRead && mode !== "step" && !(await use.readsDocuments(user)))
    throw new Forbidden(
      "permission_missing",
      "Your roles no longer permit reading documents. Ask an administrator.",
      { params: { permission: "document:read" } },
    );
}
