/** The names that a preflight asks for: headers of the fetch standard, each a token (RFC 9110). */
const HEADER_NAMES = /^[a-z0-9!#$%&'*+.^_`|~-]+(?:, ?[a-z0-9!#$%&'*+.^_`|~-]+)*$/i;
const MAX_HEADER_NAMES_LENGTH = 2_000;
const METHODS = "GET, POST, PUT, PATCH, DELETE";
/** What scripts may read beside the few that they always may. */
const EXPOSED =
  "x-request-id, retry-after, content-disposition, www-authenticate, mcp-session-id, mcp-protocol-version";
const MAX_AGE_SECONDS = "600";

/** Lets scripts of other sites call the API, with a key: never with a cookie. */
export interface CrossOrigin {
  /** Answers the question of a browser whether it may ask; undefined for all other requests. */
  preflight(request: Request): Response | undefined;
  /** Lets the script that asked read the answer. */
  allow(request: Request, response: Response): Response;
}

/** @param origins such as `https://chat.example.org`; the scripts of others read nothing. */
export function crossOrigin(origins: readonly string[]): CrossOrigin {
  const allowed = new Set(origins);
  const originOf = ({ headers }: Request) => {
    const origin = headers.get("origin");
    return origin !== null && allowed.has(origin) ? origin : undefined;
  };
  return {
    preflight(request) {
      const origin = originOf(request);
      const asked = request.headers.get("access-control-request-method");
      if (request.method !== "OPTIONS" || !origin || asked === null) return undefined;
      const headers = new Headers({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": METHODS,
        "access-control-max-age": MAX_AGE_SECONDS,
        vary: "origin, access-control-request-headers",
      });
      const names = request.headers.get("access-control-request-headers") ?? "";
      if (names.length <= MAX_HEADER_NAMES_LENGTH && HEADER_NAMES.test(names))
        headers.set("access-control-allow-headers", names);
      return new Response(null, { status: 204, headers });
    },
    allow(request, response) {
      if (allowed.size === 0) return response;
      // a cache must not give the answer to one origin to another
      response.headers.append("vary", "origin");
      const origin = originOf(request);
      if (origin) {
        response.headers.set("access-control-allow-origin", origin);
        response.headers.set("access-control-expose-headers", EXPOSED);
      }
      return response;
    },
  };
}
