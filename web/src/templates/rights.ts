import { usePermission } from "../shell/queries.ts";
import type { Template } from "./queries.ts";

/** What the reader's roles and shares let them do with a template. */
export function useRights() {
  const mayUpdate = usePermission("template:update");
  const mayDelete = usePermission("template:delete");
  return {
    update: ({ role }: Template) => mayUpdate && (role === "owner" || role === "editor"),
    delete: ({ role, builtIn }: Template) => mayDelete && role === "owner" && !builtIn,
  };
}
