import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, fetch as undiciFetch, buildConnector } from "undici";
import { BadGateway, BadRequest } from "../http/errors.ts";
import { readAllowed } from "./addresses.ts";
import {
  type AddressJudge,
  createAddressJudge,
  type Target,
  targetOf,
  toGrant,
} from "./judge-address.ts";
import type { Outgoing } from "./outgoing.ts";
import dns, { type LookupAddress, type LookupOptions } from "node:dns";

export interface OutgoingOptions {
  /** OUTGOING_ALLOW. */
  allow: readonly string[];
  /** Ports of our own listeners. They are refused on this machine in any case. */
  own: () => readonly number[];
  /**
   * Targets that administrators allow beside, as `host:port`. Another set than before ends the
   * connections that were opened under the former one.
   */
  granted?: () => ReadonlySet<string>;
  /** Whether administrators may allow what is refused. Default: where they can allow anything. */
  isGrantable?: boolean;
  connectTimeoutMs?: number;
}

/** The largest answer of a server, so that none can fill the memory. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** URLs that were checked before. */
const MAX_CHECKED = 1_000;

/** Opens guarded outgoing calls: to public addresses, those of OUTGOING_ALLOW and granted ones. */
export function openOutgoing({
  allow,
  own,
  granted,
  isGrantable = granted !== undefined,
  connectTimeoutMs = 10_000,
}: OutgoingOptions): Outgoing {
  const judge = createAddressJudge(readAllowed(allow), own, granted);
  const advice = isGrantable
    ? "Use a public address, allow this one for providers and tool servers in the administration, or have the operator add it to OUTGOING_ALLOW."
    : "Use a public address, or have the operator add it to OUTGOING_ALLOW.";
  const explain = (target: Target): Explanation => ({
    message: `${target.hostname} is not a public address. ${advice}`,
    options: { params: isGrantable ? { target: toGrant(target) } : {} },
  });
  const open = () =>
    new Agent({
      connect: guardedConnect(judge, connectTimeoutMs, explain),
      maxResponseSize: MAX_ANSWER_BYTES,
      headersTimeout: 120_000,
      bodyTimeout: 120_000,
      maxHeaderSize: 32 * 1024,
    });
  let dispatcher = open();
  let openedFor = granted?.();
  const checkAddress = addressCheck(judge, explain, granted === undefined);
  const check = (url: string) => {
    if (granted?.() !== openedFor) {
      openedFor = granted?.();
      // calls that run go on to their end
      dispatcher.close().catch(() => undefined);
      dispatcher = open();
    }
    checkAddress(url);
  };

  return {
    get dispatcher() {
      return dispatcher;
    },
    check,
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input);
      check(url);
      const given = input instanceof Request ? { ...requestInit(input), ...init } : init;
      try {
        // undici's types of Request and Response differ from Node's only in name
        return (await undiciFetch(url, {
          ...(given as object),
          dispatcher,
          redirect: "manual",
        })) as unknown as Response;
      } catch (error) {
        if (error instanceof Error && error.cause instanceof BadGateway) throw error.cause;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
    },
  };
}

interface Explanation {
  message: string;
  options: { params: Record<string, string> };
}

/**
 * Throws for an address that must not be called.
 * @param remembers whether the result depends on the URL and the settings only
 */
function addressCheck(
  judge: AddressJudge,
  explain: (target: Target) => Explanation,
  remembers: boolean,
): (text: string) => void {
  const checked = new Set<string>();
  return (text) => {
    if (checked.has(text)) return;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !["http:", "https:"].includes(url.protocol))
      throw notAllowed("The address must be a URL that begins with http:// or https://.");
    if (url.username || url.password)
      throw notAllowed(
        "The address must not hold a user name or password. Put credentials into their own field.",
      );
    const { hostname, port } = targetOf(url);
    const permitted = isIP(hostname)
      ? judge.permits({ hostname, port }, hostname)
      : judge.permitsName({ hostname, port });
    if (!permitted) {
      const { message, options } = explain({ hostname, port });
      throw new BadRequest("address_not_allowed", message, options);
    }
    if (!remembers) return;
    if (checked.size >= MAX_CHECKED) checked.clear();
    checked.add(text);
  };
}

function notAllowed(message: string): BadRequest {
  return new BadRequest("address_not_allowed", message);
}

function requestInit({ method, headers, body, signal }: Request) {
  return { method, headers, signal, ...(body && { body, duplex: "half" }) };
}

/**
 * Opens connections to permitted addresses only. Of the addresses of a name it tries none but those
 * that are permitted, and it checks the address that answered before it writes. So redirects, a
 * second resolution and other spellings of an address cannot bypass it.
 */
function guardedConnect(
  judge: AddressJudge,
  timeout: number,
  explain: (target: Target) => Explanation,
): buildConnector.connector {
  const connect = buildConnector({ timeout, keepAlive: true });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = Number(options.port) || (protocol === "https:" ? 443 : 80);
    const target: Target = { hostname: hostname.replace(/^\[|\]$/g, ""), port };
    const refuse = () => {
      const { message, options: more } = explain(target);
      callback(new BadGateway("address_not_allowed", message, more), null);
    };
    findPermitted(judge, target, (error, addresses) => {
      if (error) return callback(error, null);
      if (addresses.length === 0) return refuse();
      const connectTcp = buildConnector({
        timeout,
        keepAlive: true,
        lookup: (_name, wanted, found) => answer(addresses, wanted, found),
      });
      // TCP first, and TLS over it only when the address that answered is permitted
      connectTcp({ ...options, protocol: "http:" }, (failure, socket) => {
        if (failure) return callback(failure, null);
        if (!isPermitted(judge, target, socket as Socket)) {
          socket.destroy();
          return refuse();
        }
        if (protocol !== "https:") return callback(null, socket);
        connect({ ...options, httpSocket: socket as Socket }, callback);
      });
    });
  };
}

function findPermitted(
  judge: AddressJudge,
  target: Target,
  decide: (error: Error | null, addresses: LookupAddress[]) => void,
): void {
  const { hostname } = target;
  const permitted = (addresses: LookupAddress[]) =>
    addresses.filter(({ address }) => judge.permits(target, address));
  const family = isIP(hostname);
  if (family !== 0) return decide(null, permitted([{ address: hostname, family }]));
  if (!judge.permitsName(target)) return decide(null, []);
  dns.lookup(hostname, { all: true }, (error, addresses) =>
    decide(error, error ? [] : permitted(addresses)),
  );
}

/** The answer to a lookup that was made before. */
function answer(
  addresses: LookupAddress[],
  { all }: LookupOptions,
  found: Parameters<LookupFunction>[2],
): void {
  if (all) return found(null, addresses);
  const [first] = addresses;
  found(null, first?.address ?? "", first?.family);
}

function isPermitted(judge: AddressJudge, target: Target, socket: Socket): boolean {
  const { remoteAddress: remote, localAddress: local } = socket;
  if (remote === undefined || !judge.permits(target, remote)) return false;
  // a connection to its own address stays on this machine
  return remote !== local || !judge.isOwnListener("127.0.0.1", target.port);
}
