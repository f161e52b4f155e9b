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
    set(value: string, ms: number): string {
      const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${ms / 1000}`;
      return `${name}=${value}; ${attributes}${isSecure ? "; Secure" : ""}`;
    },
    read({ headers }: Request): string | undefined {
      const pairs = (headers.get("cookie") ?? "").split(/; */);
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
    },
  };
}
