import { Forbidden, Unauthorized } from "./errors.ts";

/**
 * The names of a browser session's cookie. Its value begins with the mark of its name, so that a
 * cookie set by another subdomain, which cannot use the prefix `__Host-`, is never accepted as one
 * issued over HTTPS (RFC 6265bis, section 4.1.3.2).
 */
const COOKIE_NAMES = [
  { name: "__Host-parlance_session", mark: "sh_", isSecure: true },
  { name: "parlance_session", mark: "sp_", isSecure: false },
] as const;

/** The header that the web app sends with each request that changes something. */
const APP_HEADER = "x-parlance";
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];
/** The longest lifetime that browsers allow. The server decides when a session ends. */
const MAX_AGE_SECONDS = 400 * 86_400;

/** Returns the prefix of a new cookie's value. */
export function sessionMark(isSecure: boolean): string {
  return COOKIE_NAMES[isSecure ? 0 : 1].mark;
}

/** Returns the `Set-Cookie` header of a new session. */
export function setSessionCookie(value: string): string {
  const { name, isSecure } = cookieOf(value);
  return cookieHeader(name, value, MAX_AGE_SECONDS, isSecure);
}

/** Returns the `Set-Cookie` headers that remove the cookie under either name. */
export function clearSessionCookies(): string[] {
  return COOKIE_NAMES.map(({ name, isSecure }) => cookieHeader(name, "", 0, isSecure));
}

function cookieOf(value: string) {
  return COOKIE_NAMES.find(({ mark }) => value.startsWith(mark)) ?? COOKIE_NAMES[1];
}

/**
 * Returns the value of the session cookie, if the request has one.
 * @throws Unauthorized `session_ambiguous` for two cookies of one name.
 */
export function readSessionCookie(request: Request): string | undefined {
  if (!request.headers.get("cookie")?.includes("parlance_session=")) return undefined;
  for (const { name, mark } of COOKIE_NAMES) {
    const values = readCookies(request, name);
    if (values.length > 1)
      throw new Unauthorized(
        "session_ambiguous",
        "The browser sent two session cookies. Delete the cookies of this site and sign in again.",
      );
    const [value] = values;
    if (value?.startsWith(mark)) return value;
  }
  return undefined;
}

/** Whether the request has such a cookie. Whether its session is open is not known yet. */
export function hasSessionCookie(request: Request): boolean {
  return COOKIE_NAMES.some(({ name }) => readCookies(request, name).length > 0);
}

/**
 * Protects requests with a cookie against cross-site request forgery. Browsers send
 * `Sec-Fetch-Site` on HTTPS and on localhost; elsewhere `Origin` is checked. A form on another site
 * cannot set `X-Parlance`.
 * @throws Forbidden `cross_site_refused`.
 */
export function requireSameOrigin(
  { method, headers }: Request,
  publicOrigin?: string,
): void {
  if (SAFE_METHODS.includes(method)) return;
  const site = headers.get("sec-fetch-site");
  const isSameOrigin =
    site === null ? isOwnOrigin(headers, publicOrigin) : site === "same-origin";
  if (isSameOrigin && headers.has(APP_HEADER)) return;
  throw new Forbidden(
    "cross_site_refused",
    "With a session cookie, only pages of this server may change anything. Send the header " +
      '"X-Parlance: 1" from such a page, or use an access token instead of the cookie.',
  );
}

function isOwnOrigin(headers: Headers, publicOrigin: string | undefined): boolean {
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  if (origin === publicOrigin) return true;
  const { protocol, host } = new URL(origin);
  return /^https?:$/.test(protocol) && host === headers.get("host")?.toLowerCase();
}

/** Returns the `Set-Cookie` header of a cookie that scripts cannot read. */
export function cookieHeader(
  name: string,
  value: string,
  maxAgeSeconds: number,
  isSecure: boolean,
): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; ${attributes}${isSecure ? "; Secure" : ""}`;
}

/** Returns every value of a cookie: other subdomains can set another one of the same name. */
export function readCookies({ headers }: Request, name: string): string[] {
  const pairs = (headers.get("cookie") ?? "").split(/; */);
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
