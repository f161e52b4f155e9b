import type { User } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Sharing } from "../sharing.ts";
import type { RetrievalPlan } from "../sources/plan-retrieval.ts";
import type { ReplyToMake } from "./reply-to-make.ts";

/**
 * Checks whether the user of a reply in progress may still have it.
 * @throws Forbidden when the account is disabled or deleted, or when the user's roles no longer
 * permit the model, a tool, or the search of documents that the reply uses.
 */
export type CheckRights = (toMake: Pick<ReplyToMake, "userId" | "plan">) => Promise<void>;

interface Deps {
  sharing: Pick<Sharing, "actingUser">;
  use: PermittedUse;
}

export function createCheckRights({ sharing, use }: Deps): CheckRights {
  return async ({ userId, plan: { model, tools, retrieval } }) => {
    const user = await sharing.actingUser(userId);
    await use.chooseModel(user, model);
    await use.tools(user, tools, []);
    if (retrieval) await requireDocuments(use, user, retrieval);
  };
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
