import {
  type PermissionName,
  PERMISSIONS,
} from "../../../../src/services/users/contract-permissions.ts";
import { useLanguage } from "../../texts/language.ts";
import { permissionsDe } from "../../texts/permissions.de.ts";

/** Things with a `name` that is a permission, gathered by what the permission is about. */
export function byResource<Item extends { name: string }>(items: readonly Item[]) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const resource = item.name.split(":")[0] ?? "";
    groups.set(resource, [...(groups.get(resource) ?? []), item]);
  }
  return [...groups];
}

/** What a permission lets people do, in the reader's language. */
export function usePermissionText(): (name: string) => string {
  const descriptions = { en: PERMISSIONS, de: permissionsDe }[useLanguage()];
  return (name) => descriptions[name as PermissionName] ?? name; // another version may know more
}
