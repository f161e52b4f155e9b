/**
 * The address as a path of this app, or undefined if it leads anywhere else. Browsers leave out
 * tabs and line breaks and take `\` for `/`, so the address is read as they read it.
 */
export function toPath(value: unknown, origin = location.origin): string | undefined {
  if (typeof value !== "string" || !value.startsWith("/")) return undefined;
  const address = URL.parse(value, origin);
  if (address?.origin !== origin) return undefined;
  const path = address.pathname + address.search + address.hash;
  return /^\/{2}/.test(path) ? undefined : path; // such as `/.//evil.example`
}
