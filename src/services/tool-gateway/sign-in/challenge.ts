// Source: RFC 6750, section 3; RFC 9728, section 5.1; Model Context Protocol, authorization.

/** What a server that refuses a request says about the sign-in that it wants. */
export interface Challenge {
  /** Where its metadata is. */
  resourceMetadata?: string;
  /** The rights that the request needs. */
  scopes?: string[];
  error?: string;
}

const MAX_CHARACTERS = 8_192;
/** An address that is longer leads nowhere. */
const MAX_ADDRESS = 2_000;
const MAX_SCOPES = 100;
/** Of all scopes together: they stand in an address that a browser visits. */
const MAX_SCOPE_CHARACTERS = 4_000;
const SCHEME = /(?:^|,)\s{0,10}(?:Bearer|DPoP)\b/i;
const PARAM = /(?<![a-z_])([a-z_]{1,50})=(?:"([^"]*)"|([^\s",]+))/gi;

/** Reads `WWW-Authenticate`; undefined for one that asks for no token. */
export function readChallenge(header: string | null | undefined): Challenge | undefined {
  const text = header?.slice(0, MAX_CHARACTERS) ?? "";
  if (!SCHEME.test(text)) return undefined;
  const params = new Map<string, string>();
  for (const [, name = "", quoted, bare] of text.matchAll(PARAM))
    if (!params.has(name.toLowerCase()))
      params.set(name.toLowerCase(), quoted ?? bare ?? "");
  const resourceMetadata = params.get("resource_metadata")?.slice(0, MAX_ADDRESS);
  const scopes = readScopes(params.get("scope"));
  const error = params.get("error");
  return {
    ...(resourceMetadata && { resourceMetadata }),
    ...(scopes.length > 0 && { scopes }),
    ...(error && { error }),
  };
}

/** The scopes in a text that separates them by spaces. */
export function readScopes(text: unknown): string[] {
  if (typeof text !== "string") return [];
  const scopes = text.split(" ").filter((one) => one !== "" && one.length <= 500);
  return joinScopes(scopes);
}

/** Each scope once, the first of them where there are too many. */
export function joinScopes(...lists: readonly (readonly string[])[]): string[] {
  let left = MAX_SCOPE_CHARACTERS;
  return [...new Set(lists.flat())]
    .slice(0, MAX_SCOPES)
    .filter((scope) => (left -= scope.length + 1) >= 0);
}
