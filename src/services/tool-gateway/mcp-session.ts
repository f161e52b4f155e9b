import type { ClientCapabilities } from "@modelcontextprotocol/server";
import { uuidv7 } from "uuidv7";

// The sessions of the older era of the protocol. They only say which requests belong together.

/** What a client can be asked stands in the id of its session: no replica has to remember it. */
const LETTERS = { elicitation: "e", sampling: "s", roots: "r" } as const;
const CAN = /^[\da-f-]{36}-([esr]{1,3})$/;

export function newSessionId(capabilities: ClientCapabilities): string {
  const letters = Object.entries(LETTERS)
    .map(([name, letter]) => (name in capabilities ? letter : ""))
    .join("");
  return `${uuidv7()}${letters && `-${letters}`}`;
}

/** What the client said that it can be asked. */
export function capabilitiesOf(session: string): ClientCapabilities | undefined {
  const [, letters] = CAN.exec(session) ?? [];
  if (letters === undefined) return undefined;
  const names = Object.entries(LETTERS).filter(([, letter]) => letters.includes(letter));
  return Object.fromEntries(names.map(([name]) => [name, {}]));
}

/** Empty for a client that has none. */
export function sessionIdOf(request: Request): string {
  return request.headers.get("mcp-session-id") ?? "";
}
