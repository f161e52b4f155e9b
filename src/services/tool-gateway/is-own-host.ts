import { isIP } from "node:net";

/**
 * Whether a request names this server as its host. A page elsewhere that rebinds its own name to
 * our address sends that name; it cannot make a browser send an address, or a name without a dot.
 * Source: security §4, "Origin/Host"; MCP, transports.
 */
export function namesUs(url: string, ourHosts: readonly string[]): boolean {
  const { hostname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return (
    isIP(name) > 0 || !name.includes(".") || name.endsWith(".localhost") || ourHosts.includes(name)
  );
}
