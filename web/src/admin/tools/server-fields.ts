import { textOf } from "../../ui/form-dialog.tsx";
import type { NewServer, ToolServer } from "./queries.ts";

/** Lines of `name: value` or `name = value`. A line without a value is left out. */
export function readPairs(text: string, separator: string): Record<string, string> {
  const pairs = text.split("\n").flatMap((line) => {
    const at = line.indexOf(separator);
    const [name, value] = [
      line.slice(0, Math.max(at, 0)).trim(),
      line.slice(at + 1).trim(),
    ];
    return name && value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(pairs);
}

export function writePairs(
  pairs: Record<string, string> | undefined,
  separator: string,
): string {
  return Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}${separator}${value}`)
    .join("\n");
}

/** A stored server as it is sent back: headers that are left out stay. */
export function toUnchanged({
  headers: _,
  registeredAt: _at,
  oauth,
  ...server
}: ToolServer): NewServer {
  const { clientSecret: _secret, ...shown } = oauth ?? {};
  return {
    ...server,
    ...(oauth && { oauth: shown }),
    hide: server.hide ?? [],
    rename: server.rename ?? {},
  };
}

/** What is entered about the sign-in of users; undefined for nothing. A secret left out stays. */
function readOAuth(fields: FormData, stored: ToolServer | undefined): NewServer["oauth"] {
  const {
    clientSecret: _,
    clientId: _id,
    issuer: _issuer,
    scopes: _scopes,
    ...others
  } = stored?.oauth ?? {};
  const [clientId, clientSecret, issuer] = ["clientId", "clientSecret", "issuer"].map(
    (name) => textOf(fields, name).trim(),
  );
  const scopes = textOf(fields, "scopes")
    .split(/[\s]/)
    .filter((scope) => scope !== "");
  const oauth = {
    ...others,
    ...(clientId && { clientId }),
    ...(clientSecret && { clientSecret }),
    ...(issuer && { issuer }),
    ...(scopes.length > 0 && { scopes }),
  };
  return Object.keys(oauth).length > 0 ? oauth : undefined;
}

/** Reads the form of a tool server. Headers that are not replaced are left out, and so are kept. */
export function readServer(fields: FormData, stored: ToolServer | undefined): NewServer {
  const hasNewHeaders = stored === undefined || fields.has("replaceHeaders");
  const headers = readPairs(textOf(fields, "headers"), ":");
  const isEmpty = Object.keys(headers).length === 0;
  const { oauth: _, ...unchanged } = stored ? toUnchanged(stored) : { enabled: true };
  const oauth = readOAuth(fields, stored);
  return {
    ...unchanged,
    ...(oauth && { oauth }),
    name: stored?.name ?? textOf(fields, "name"),
    url: textOf(fields, "url"),
    trusted: fields.has("trusted"),
    ...(hasNewHeaders && !(stored === undefined && isEmpty) && { headers }),
    hide: textOf(fields, "hide")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
    rename: readPairs(textOf(fields, "rename"), "="),
  };
}
