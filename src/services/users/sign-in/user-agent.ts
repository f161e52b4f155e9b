import { shortenText } from "../../../platform/shorten-text.ts";
import { MAX_USER_AGENT_CHARACTERS } from "../contract-sessions.ts";

/** What a client calls itself, for the list of sessions. */
export function userAgentOf({ headers }: Request): string {
  const printable = (headers.get("user-agent") ?? "").replace(/\p{C}+/gu, " ").trim();
  return shortenText(printable, MAX_USER_AGENT_CHARACTERS);
}
