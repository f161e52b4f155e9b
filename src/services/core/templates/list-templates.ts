import type { User } from "../../../platform/http/caller.ts";
import { type TemplateDeps, toVisibleTemplates } from "./access.ts";
import type { Template } from "./contract.ts";
import { listTemplates, type TemplateFilter } from "./store.ts";

/** Lists templates of the organisation, of the user, and shared with the user, by name. */
export async function listVisibleTemplates(
  deps: TemplateDeps,
  user: User,
  filter: Omit<TemplateFilter, "userId" | "sharedIds">,
  limit: number,
  offset: number,
): Promise<{ items: Template[]; total: number }> {
  const sharedIds =
    filter.scope === "organization"
      ? []
      : await deps.sharing.listShared("template", user.userId);
  const page = await listTemplates(
    deps.db,
    { ...filter, userId: user.userId, sharedIds },
    limit,
    offset,
  );
  return { items: await toVisibleTemplates(deps, user, page.items), total: page.total };
}
