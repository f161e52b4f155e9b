import { type Contract, isForUsers } from "../platform/http/route.ts";
import { PERMISSIONS } from "../services/users/contract-permissions.ts";

/**
 * Refuses to start with a route that users may call and that names no permission, or one that is
 * not in the list.
 * @throws Error with every such route.
 */
export function checkPermissions(services: readonly { name: string; contract: Contract }[]): void {
  const problems = services.flatMap(({ name, contract }) =>
    Object.entries(contract).flatMap(([operation, route]) => {
      const { permission } = route;
      const known = permission === "signed-in" || (permission && permission in PERMISSIONS);
      if (known || (permission === undefined && !isForUsers(route))) return [];
      const problem = permission
        ? `names the permission "${permission}", which is not in the list`
        : "may be called by users and names no permission";
      return [`${name}.${operation} (${route.method} ${route.path}) ${problem}`];
    }),
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
