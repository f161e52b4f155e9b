import { isIP } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { BadGateway, BadRequest } from "../http/errors.ts";
import { readAllowed } from "./addresses.ts";
import { guardedConnect } from "./guarded-connect.ts";
import { createAddressJudge } from "./judge-address.ts";
import type { Outgoing } from "./outgoing.ts";

interface OutgoingOptions {
  /** OUTGOING_ALLOW. */
  allow: readonly string[];
  /**
   * Ports of our own listeners: refused on this machine even where private networks are allowed.
   */
  own: () => readonly number[];
  connectTimeoutMs?: number;
}

/** No upstream may fill the memory with one answer. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** Addresses that are called again and again are judged once. */
const MAX_PASSED = 1_000;
const HOW = "Use a public address, or have the operator add it to OUTGOING_ALLOW.";

/** The guarded way out: public addresses and those that OUTGOING_ALLOW adds. */
export function openOutgoing({ allow, own, connectTimeoutMs = 10_000 }: OutgoingOptions): Outgoing {
  const judge = createAddressJudge(readAllowed(allow), own);
  const refusal = (host: string) =>
    new BadGateway("address_not_allowed", `${host} is not a public address. ${HOW}`);
  const dispatcher = new Agent({
    connect: guardedConnect(judge, connectTimeoutMs, refusal),
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
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const permitted = isIP(hostname)
      ? judge.permits({ hostname, port }, hostname)
      : judge.permitsName({ hostname, port });
    if (!permitted)
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
