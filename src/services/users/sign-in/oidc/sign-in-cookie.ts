import { cookieHeader, readCookies } from "../../../../platform/http/session-cookie.ts";

/**
 * The cookie of the browser that started a sign-in: no other browser can finish it, so nobody can
 * sign somebody else in to their own account. Over HTTPS, its prefix keeps other subdomains from
 * setting it (RFC 6265bis, section 4.1.3.2).
 */
export function signInCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:");
  const name = isSecure ? "__Host-parlance_sign_in" : "parlance_sign_in";
  return {
    /** Returns the `Set-Cookie` header. */
    set: (value: string, ms: number) => cookieHeader(name, value, ms / 1000, isSecure),
    read: (request: Request): string | undefined => readCookies(request, name)[0],
  };
}
