import { CHANGED_TYPES, changedBy } from "../platform/changes/contract-changes.ts";
import {
  type AnyRoute,
  type Contract,
  isForUsers,
  waysInto,
} from "../platform/http/route.ts";
import { PERMISSIONS } from "../services/users/contract-permissions.ts";

/**
 * Stops the start when a route that users may call names no permission or an unknown one, or when a
 * route that may write does not say what it changes.
 * @throws Error that names every such route.
 */
export function checkContracts(
  services: readonly { name: string; contract: Contract }[],
): void {
  const problems = services.flatMap(({ name, contract }) =>
    Object.entries(contract).flatMap(([operation, route]) =>
      [...problemsOfPermission(route), ...problemsOfChanges(route)].map(
        (problem) => `${name}.${operation} (${route.method} ${route.path}) ${problem}`,
      ),
    ),
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

function problemsOfPermission(route: AnyRoute): string[] {
  const { permission } = route;
  if (permission === "signed-in" || (permission && permission in PERMISSIONS)) return [];
  if (permission) return [`names the permission "${permission}", which is not in the list`];
  return isForUsers(route) ? ["may be called by users and names no permission"] : [];
}

function problemsOfChanges(route: AnyRoute): string[] {
  const { method, path, changes } = route;
  if (changes === undefined)
    return method === "get" ? [] : [`may write and has no \`changes\`; "none" is one`];
  const changed = changedBy(changes);
  const isAnnounced = isForUsers(route) || waysInto(route).includes("scim-token");
  if (changed.length > 0 && !isAnnounced)
    return ['announces changes, but only requests of users are announced: use "none"'];
  return changed.flatMap(({ type, parameter }) => {
    if (!CHANGED_TYPES.includes(type)) return [`changes "${type}", which is no type`];
    if (parameter && !path.split("/").includes(`:${parameter}`))
      return [`names "${type}" by :${parameter}, which is not in its path`];
    return [];
  });
}
