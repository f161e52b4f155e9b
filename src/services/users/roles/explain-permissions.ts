import {
  type PermissionName,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "../contract-permissions.ts";
import type { GrantedPermission } from "../contract-roles.ts";
import type { ExplainedPermission } from "../contract-user-access.ts";

interface RolePermissions {
  name: string;
  permissions: readonly GrantedPermission[];
}

type Ground = ExplainedPermission["grantedBy"][number];

/** For each permission, the roles that grant it and those that forbid it, as the guard decides. */
export function explainPermissions(
  roles: readonly RolePermissions[],
): ExplainedPermission[] {
  return PERMISSION_NAMES.map((name) => {
    const about = roles.flatMap((role) =>
      role.permissions
        .filter((permission) => concerns(permission, name))
        .map(({ inverted, conditions }) => ({
          inverted,
          ground: { role: role.name, ...(conditions && { conditions }) },
        })),
    );
    const grounds = (forbids: boolean) =>
      about
        .filter(({ inverted }) => Boolean(inverted) === forbids)
        .map(({ ground }) => ground);
    const [grantedBy, forbiddenBy] = [grounds(false), grounds(true)];
    const allowed = decide(grantedBy, forbiddenBy);
    return { name, description: PERMISSIONS[name], allowed, grantedBy, forbiddenBy };
  });
}

/** `manage` grants every verb but `administer`, and forbids that one too. */
function concerns(
  { subject, action, inverted }: GrantedPermission,
  name: PermissionName,
): boolean {
  const [resource, verb] = name.split(":");
  if (subject !== "all" && subject !== resource) return false;
  if (action === "manage") return inverted === true || verb !== "administer";
  return action === verb;
}

function decide(
  grantedBy: readonly Ground[],
  forbiddenBy: readonly Ground[],
): ExplainedPermission["allowed"] {
  const isPlain = ({ conditions }: Ground) => conditions === undefined;
  if (grantedBy.length === 0 || forbiddenBy.some(isPlain)) return "no";
  return forbiddenBy.length === 0 && grantedBy.some(isPlain) ? "yes" : "conditional";
}
