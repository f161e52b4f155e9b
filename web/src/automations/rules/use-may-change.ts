import { useQuery } from "@tanstack/react-query";
import { meQuery, usePermission } from "../../shell/queries.ts";
import type { Rule } from "./queries.ts";

/** Whether a rule is the person's own, or they look after the organisation's. */
export function useMayChange({
  scope,
  user_id: userId,
}: Pick<Rule, "scope" | "user_id">): boolean {
  const { data: me } = useQuery(meQuery);
  const administers = usePermission("automation:administer");
  return administers || (scope === "personal" && userId === me?.id);
}
