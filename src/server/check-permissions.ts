import { type Contract, isForUsers } from "../platform/http/route.ts";
import { PERMISSIONS } from "../services/users/contract-permissions.ts";

/**
 * Stops the start when a route that users may call names no permission, or an unknown one.
 * @throws Error that names every such route.
 */
export function checkPermissions(
  services: readonly { name: string; contract: Contract }[],
): void {
  const problems = services.flatMap(({ name, contract }) =>
    Object.entries(contract).flatMap(([operation, route]) => {
      const { permission } = route;
      const isDeclared =
        permission === "signed-in" || (permission && permission in PERMISSIONS);
      if (isDeclared || (permission === undefined && !isForUsers(route))) return [];
      const problem = permission
        ? `names the permission "${permission}", which is not in the list`
        : "may be called by users and names no permission";
      return [`${name}.${operation} (${route.method} ${route.path}) ${problem}`];
    }),
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
