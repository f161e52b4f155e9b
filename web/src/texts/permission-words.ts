import { PERMISSIONS } from "../../../src/services/users/contract-permissions.ts";
import { nameOf } from "./name-of.ts";
import { permissionsDe } from "./permissions.de.ts";

const WORDS = { en: PERMISSIONS, de: permissionsDe };

/** What a permission lets people do. */
export function permissionWords(language: keyof typeof WORDS, name: string): string {
  return nameOf(WORDS[language], name);
}
