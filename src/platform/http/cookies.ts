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
