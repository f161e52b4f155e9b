import { isIP } from "node:net";
import type { Logger } from "../telemetry/log.ts";
import { keepFresh } from "../keep-fresh.ts";
import { isMetadataAddress, isMetadataName, isPrivate } from "./addresses.ts";
import { isOwnListener, targetOf, toGrant, type Target } from "./judge-address.ts";
import { openOutgoing, type OutgoingOptions } from "./open-outgoing.ts";
import type { Endpoints, GrantRefusal } from "./outgoing.ts";

interface EndpointsOptions extends Pick<OutgoingOptions, "allow" | "own"> {
  /** Reads the targets that administrators allowed. Absent: none is ever allowed. */
  read: (() => Promise<readonly string[]>) | undefined;
  log: Logger;
  /** Default 15 s. */
  intervalMs?: number;
}

const INTERVAL_MS = 15_000;
const RETRY_MS = 1_000;

/** Opens the calls to providers and tool servers, and follows which targets are allowed. */
export function openEndpoints({
  allow,
  own,
  read,
  log,
  intervalMs = INTERVAL_MS,
}: EndpointsOptions): Endpoints {
  let granted: ReadonlySet<string> = new Set();
  let isClosed = false;
  let failed = false;
  const update = async (from: NonNullable<typeof read>) => {
    try {
      const targets = (await from()).map(parseTarget).filter(isGrantable).map(toGrant);
      const isSame =
        targets.length === granted.size && targets.every((t) => granted.has(t));
      if (!isSame) granted = new Set(targets);
      failed = false;
    } catch (error) {
      if (!failed && !isClosed)
        log.warn({ err: error }, "cannot read the allowed addresses; using the last copy");
      failed = true;
    }
  };
  const copy =
    read &&
    keepFresh(
      () => update(read),
      () => (failed ? Math.min(RETRY_MS, intervalMs) : intervalMs),
    );
  const outgoing = openOutgoing({ allow, own, granted: () => granted });
  return {
    get dispatcher() {
      return outgoing.dispatcher;
    },
    fetch: outgoing.fetch,
    check: outgoing.check,
    refresh: async () => copy?.refresh(),
    explainRefusal: (text) => (read ? explainRefusal(parseTarget(text), own) : "off"),
    allowing(targets) {
      const more = new Set(
        read ? targets.map(parseTarget).filter(isGrantable).map(toGrant) : [],
      );
      return openOutgoing({ allow, own, granted: () => more });
    },
    only(urls) {
      const wanted = urls.map((url) => toGrant(targetOf(new URL(url))));
      const left = () => new Set(wanted.filter((target) => granted.has(target)));
      let of = granted;
      let narrow: ReadonlySet<string> = left();
      return openOutgoing({
        allow,
        own,
        isGrantable: false,
        granted() {
          // another set ends the connections of the former one
          if (of !== granted) [of, narrow] = [granted, left()];
          return narrow;
        },
      });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      copy?.close();
      await outgoing[Symbol.asyncDispose]();
    },
  };
}

function explainRefusal(
  target: Target | undefined,
  own: () => readonly number[],
): GrantRefusal | undefined {
  if (!target) return "malformed";
  if (!isGrantable(target)) return "reserved";
  const { hostname, port } = target;
  if (isIP(hostname) === 0) return undefined;
  if (!isPrivate(hostname)) return "public";
  return isOwnListener(hostname, port, own) ? "reserved" : undefined;
}

/** Whether a target may ever be allowed. What its name resolves to is judged at each call. */
function isGrantable(target: Target | undefined): target is Target {
  if (!target) return false;
  const { hostname } = target;
  return !isMetadataName(hostname) && !(isIP(hostname) > 0 && isMetadataAddress(hostname));
}

/** Reads `host:port`; an IPv6 address stands in brackets. */
function parseTarget(text: string): Target | undefined {
  const url = URL.parse(`http://${text}`);
  if (!url || !/:\d{1,5}$/.test(text)) return undefined;
  if (url.pathname !== "/" || url.username || url.password || url.search || url.hash)
    return undefined;
  // 80 is the port that a URL leaves out
  return { hostname: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port) || 80 };
}
