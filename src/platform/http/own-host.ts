import type { IncomingMessage } from "node:http";
import { hostname } from "node:os";
import { unwrapped } from "../outgoing/addresses.ts";
import { ApiError, Forbidden } from "./errors.ts";

const WILDCARDS = ["0.0.0.0", "::"];

/**
 * Headers that browsers send and services do not. `Sec-Fetch-Mode` is not among them: the `fetch`
 * of Node.js sends it, too.
 */
const BROWSER_HEADERS = [
  "origin",
  "cookie",
  "sec-fetch-site",
  "sec-fetch-dest",
  "sec-fetch-user",
  "sec-fetch-storage-access",
];

/** The names under which a listener on `host` may be called, besides the address of the socket. */
export function ownNames(host: string): ReadonlySet<string> {
  const names = ["localhost", hostname().toLowerCase()];
  return new Set(WILDCARDS.includes(host) ? names : [...names, host.toLowerCase()]);
}

/**
 * Why a listener that asks no credential refuses a request: a web page makes a browser send it.
 * A page whose name resolves to this machine (DNS rebinding) sends its own name as the host.
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

function isOwnHost({ headers, url, socket }: IncomingMessage, names: ReadonlySet<string>): boolean {
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
