import { nameOf } from "./name-of.ts";
import { texts } from "./language.ts";

const en = { admin: "Administrator", user: "User", reader: "Reader" };
const de = {
  admin: "Administration",
  user: "Benutzer",
  reader: "Nur lesen",
} satisfies typeof en;
const useRoleNames = texts({ en, de });

/** Names roles: the built-in ones in the reader's language, others as they were named. */
export function useRoleName(): (name: string) => string {
  const words = useRoleNames();
  return (name) => nameOf(words, name);
}
