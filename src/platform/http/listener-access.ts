import type { Logger } from "../telemetry/log.ts";

/** Through which door a request came. */
export interface Entrance {
  /** `edge`: PORT. `internal`: INTERNAL_PORT. `sibling`: a function call from a service of this process. */
  door: "edge" | "internal" | "sibling";
  /** The address of the socket's other end. */
  peer: string;
  /** Of the request, where it came over a socket. */
  httpVersion?: string;
}

/** Whether routes between services answer without a credential. */
export interface ListenerAccess {
  open(request: Request, entrance: Entrance): boolean;
}

interface ListenerAccessOptions {
  /** Host names that a direct caller on this machine uses. */
  hosts: readonly string[];
  /** PORT is bound to loopback, and neither PUBLIC_URL nor TRUST_PROXY says that others are led to it. */
  edgeIsPrivate: boolean;
  log: Logger;
}

/**
 * Headers that only a browser or a proxy sends. `Sec-Fetch-Mode` is not among them: Node's own fetch sends it.
 */
const FOREIGN_HEADERS = [
  "origin",
  "sec-fetch-site",
  "cookie",
  "referer",
  "forwarded",
  "x-real-ip",
  "via",
  "true-client-ip",
];
const FOREIGN_PREFIXES = ["x-forwarded-", "cf-"];

/**
 * Two listeners: INTERNAL_PORT asks no credential for routes between services; PORT does so only on a fresh machine, and the first
 * sign of a proxy or a browser shuts it until restart. Source: design "Public, between services"; security §3.
 */
export function createListenerAccess({
  hosts,
  edgeIsPrivate,
  log,
}: ListenerAccessOptions): ListenerAccess {
  let latched = false;
  return {
    open(request, { door, httpVersion }) {
      if (door === "sibling") return true;
      if (door === "edge" && (!edgeIsPrivate || latched)) return false;
      const sign = foreignSign(request, httpVersion, door === "edge" ? hosts : undefined);
      if (sign === undefined) return true;
      if (door === "edge") {
        latched = true;
        log.warn(
          { sign },
          "A request between services came by a proxy or a browser. PORT now asks a credential for such routes until restart; set PUBLIC_URL to say that a proxy is meant.",
        );
      }
      return false;
    },
  };
}

function foreignSign(
  request: Request,
  httpVersion: string | undefined,
  hosts: readonly string[] | undefined,
): string | undefined {
  // nginx, told nothing but where to pass requests to, adds no header and puts our own address into Host
  if (httpVersion === "1.0") return "HTTP/1.0";
  for (const name of FOREIGN_HEADERS) if (request.headers.has(name)) return name;
  for (const name of request.headers.keys())
    if (FOREIGN_PREFIXES.some((prefix) => name.startsWith(prefix))) return name;
  if (hosts && !hosts.includes(new URL(request.url).hostname)) return "host";
  return undefined;
}
