import { isIP } from "node:net";

/**
 * Whether a request names this server as its host. This stops DNS rebinding: a page elsewhere that
 * points its own name to our address sends that name, and cannot make a browser send an address or
 * a name without a dot. Source: Model Context Protocol, transports.
 */
export function isOwnHost(url: string, ownHosts: readonly string[]): boolean {
  const { hostname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(name) > 0 || !name.includes(".")) return true;
  return name.endsWith(".localhost") || ownHosts.includes(name);
}
