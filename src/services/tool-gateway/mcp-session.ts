import type { ClientCapabilities } from "@modelcontextprotocol/server";
import { uuidv7 } from "uuidv7";

// The sessions of the older era of the protocol. They only say which requests belong together.

/** What a client can be asked stands in the id of its session: no replica has to remember it. */
const LETTERS = { elicitation: "e", sampling: "s", roots: "r" } as const;
/** Beside forms, or in their place, the client takes its user to an address. */
const VISITS = "v";
const WITHOUT_FORMS = "w";
const CAN = /^[\da-f-]{36}-([esrvw]{1,5})$/;

export function newSessionId(capabilities: ClientCapabilities): string {
  const { elicitation } = capabilities;
  const letters = Object.entries(LETTERS)
    .map(([name, letter]) => (name in capabilities ? letter : ""))
    .join("");
  const isVisiting = elicitation?.url !== undefined;
  const visits = isVisiting ? VISITS + (elicitation?.form ? "" : WITHOUT_FORMS) : "";
  return `${uuidv7()}${letters && `-${letters}${visits}`}`;
}

/** What the client said that it can be asked. */
export function capabilitiesOf(session: string): ClientCapabilities | undefined {
  const [, letters] = CAN.exec(session) ?? [];
  if (letters === undefined) return undefined;
  const names = Object.entries(LETTERS).filter(([, letter]) => letters.includes(letter));
  const can = Object.fromEntries(names.map(([name]) => [name, {}]));
  if (!letters.includes(VISITS)) return can;
  const elicitation: NonNullable<ClientCapabilities["elicitation"]> = { url: {} };
  if (!letters.includes(WITHOUT_FORMS)) elicitation.form = {};
  return { ...can, elicitation };
}

/** Empty for a client that has none. */
export function sessionIdOf(request: Request): string {
  return request.headers.get("mcp-session-id") ?? "";
}
