import type { IncomingMessage } from "node:http";
import { hostname } from "node:os";
import { unwrapped } from "../outgoing/addresses.ts";
import { ApiError, Forbidden } from "./errors.ts";

const WILDCARDS = ["0.0.0.0", "::"];

/**
 * Headers that browsers send and services do not. `Sec-Fetch-Mode` is not among them, because the
 * `fetch` of Node.js sends it too.
 */
const BROWSER_HEADERS = [
  "origin",
  "cookie",
  "sec-fetch-site",
  "sec-fetch-dest",
  "sec-fetch-user",
  "sec-fetch-storage-access",
];

/** Returns the names that clients may use for a listener on `host`, besides its address. */
export function ownNames(host: string): ReadonlySet<string> {
  const names = ["localhost", hostname().toLowerCase()];
  return new Set(WILDCARDS.includes(host) ? names : [...names, host.toLowerCase()]);
}

/**
 * Returns why a listener without credentials refuses a request: a web page may have made a browser
 * send it. A page whose name resolves to this machine (DNS rebinding) sends its own name as the
 * host.
 */
export function refuseBrowser(
  incoming: IncomingMessage,
  names: ReadonlySet<string>,
): ApiError | undefined {
  if (!isOwnHost(incoming, names))
    return new ApiError(
      421,
      "host_unknown",
      "This port answers only to its own names. Call it by its IP address or as localhost.",
    );
  if (BROWSER_HEADERS.some((name) => incoming.headers[name] !== undefined))
    return new Forbidden(
      "browser_refused",
      "This port is for services, not for browsers. Use PORT and sign in.",
    );
  return undefined;
}

function isOwnHost(
  { headers, url, socket }: IncomingMessage,
  names: ReadonlySet<string>,
): boolean {
  // a request target with a host in it overrides the header (RFC 9112, 3.2.2)
  if (!url?.startsWith("/")) return false;
  const host = `http://${headers.host ?? ""}`;
  if (!URL.canParse(host)) return false;
  const name = new URL(host).hostname;
  return names.has(name) || isSameAddress(name, socket.localAddress);
}

function isSameAddress(name: string, local: string | undefined): boolean {
  if (local === undefined) return false;
  try {
    return unwrapped(name).toString() === unwrapped(local).toString();
  } catch {
    return false; // the name is no address
  }
}
