import { PERMISSIONS } from "../../../src/services/users/contract-permissions.ts";
import { useLanguage } from "./language.ts";
import { nameOf } from "./name-of.ts";
import { permissionsDe } from "./permissions.de.ts";

/** What a permission lets people do, in the reader's language. */
export function usePermissionText(): (name: string) => string {
  const descriptions = { en: PERMISSIONS, de: permissionsDe }[useLanguage()];
  return (name) => nameOf(descriptions, name);
}
