import { isIP, type Socket } from "node:net";
import { Agent, buildConnector, fetch as undiciFetch } from "undici";
import { BadGateway, BadRequest } from "../http/errors.ts";
import { mayCall, readAllowed, unwrapped } from "./addresses.ts";
import type { Outgoing } from "./outgoing.ts";

interface OutgoingOptions {
  /** OUTGOING_ALLOW. */
  allow: readonly string[];
  /** Our own listeners: refused by address and port even where private networks are allowed. */
  own: () => readonly { port: number }[];
  connectTimeoutMs?: number;
}

/** No upstream may fill the memory with one answer. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** Addresses that are called again and again are judged once. */
const MAX_PASSED = 1_000;
const HOW = "Use a public address, or have the operator add it to OUTGOING_ALLOW.";

/**
 * The guarded way out. The address is judged at the socket, after the name was resolved and before a byte is written,
 * so neither a redirect, a second look-up nor another way to write an address goes around it.
 */
export function openOutgoing({ allow, own, connectTimeoutMs = 10_000 }: OutgoingOptions): Outgoing {
  const allowed = readAllowed(allow);
  const connect = buildConnector({ timeout: connectTimeoutMs, keepAlive: true });
  const ownPort = (address: string, port: number) =>
    ["loopback", "unspecified", "private", "linkLocal", "uniqueLocal"].includes(
      unwrapped(address).range(),
    ) && own().some((listener) => listener.port === port);
  const refusal = (host: string) =>
    new BadGateway("address_not_allowed", `${host} is not a public address. ${HOW}`);

  const dispatcher = new Agent({
    connect(options, callback) {
      const { hostname } = options;
      const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
      const named =
        allowed.hosts.has(hostname.toLowerCase()) ||
        allowed.hosts.has(`${hostname.toLowerCase()}:${port}`);
      const permitted = (address: string) =>
        !ownPort(address, port) && (named || mayCall(address, allowed));
      const literal = hostname.replace(/^\[|\]$/g, "");
      if (isIP(literal) && !permitted(literal)) return callback(refusal(hostname), null);
      // TCP first, and TLS over it only when the address behind the name was judged
      connect({ ...options, protocol: "http:" }, (error, socket) => {
        if (error) return callback(error, null);
        const { remoteAddress: remote, localAddress: local } = socket as Socket; // a TCP socket: no socketPath is ever given
        // from an address to the same one: this machine, under whatever public name
        const ourselves = remote === local && own().some((listener) => listener.port === port);
        if (remote === undefined || ourselves || !permitted(remote)) {
          socket.destroy();
          return callback(refusal(hostname), null);
        }
        if (options.protocol === "https:")
          connect({ ...options, httpSocket: socket as Socket }, callback);
        else callback(null, socket);
      });
    },
    maxResponseSize: MAX_ANSWER_BYTES,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
    maxHeaderSize: 32 * 1024,
  });

  /** Judged by what is written and the operator's list alone, which do not change. */
  const passed = new Set<string>();
  const check = (text: string) => {
    if (passed.has(text)) return;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !["http:", "https:"].includes(url.protocol))
      throw new BadRequest(
        "address_not_allowed",
        "The address must be a URL that begins with http:// or https://.",
      );
    if (url.username || url.password)
      throw new BadRequest(
        "address_not_allowed",
        "The address must not hold a user name or password. Put credentials into their own field.",
      );
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    const named = allowed.hosts.has(url.hostname) || allowed.hosts.has(url.host);
    if (isIP(literal) && !named && !mayCall(literal, allowed))
      throw new BadRequest(
        "address_not_allowed",
        `${url.hostname} is not a public address. ${HOW}`,
      );
    if (passed.size >= MAX_PASSED) passed.clear();
    passed.add(text);
  };

  return {
    dispatcher,
    check,
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input);
      check(url);
      const given = input instanceof Request ? { ...requestInit(input), ...init } : init;
      try {
        // undici's own types of Request and Response differ from Node's in name only
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

function requestInit({ method, headers, body, signal }: Request) {
  return { method, headers, signal, ...(body && { body, duplex: "half" }) };
}
