import { useLanguage } from "./language.ts";
import { permissionWords } from "./permission-words.ts";

/** What a permission lets people do, in the reader's language. */
export function usePermissionText(): (name: string) => string {
  const language = useLanguage();
  return (name) => permissionWords(language, name);
}
