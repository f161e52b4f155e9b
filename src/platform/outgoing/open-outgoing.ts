import { isIP } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { BadGateway, BadRequest } from "../http/errors.ts";
import { readAllowed } from "./addresses.ts";
import { guardedConnect } from "./guarded-connect.ts";
import { type AddressJudge, createAddressJudge } from "./judge-address.ts";
import type { Outgoing } from "./outgoing.ts";

interface OutgoingOptions {
  /** OUTGOING_ALLOW. */
  allow: readonly string[];
  /** Ports of our own listeners. They are refused on this machine in any case. */
  own: () => readonly number[];
  connectTimeoutMs?: number;
}

/** The largest answer of a server, so that none can fill the memory. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** URLs that were checked before. */
const MAX_CHECKED = 1_000;
const ADVICE = "Use a public address, or have the operator add it to OUTGOING_ALLOW.";

/** Opens guarded outgoing calls: to public addresses and those of OUTGOING_ALLOW. */
export function openOutgoing({
  allow,
  own,
  connectTimeoutMs = 10_000,
}: OutgoingOptions): Outgoing {
  const judge = createAddressJudge(readAllowed(allow), own);
  const refusal = (host: string) =>
    new BadGateway("address_not_allowed", `${host} is not a public address. ${ADVICE}`);
  const dispatcher = new Agent({
    connect: guardedConnect(judge, connectTimeoutMs, refusal),
    maxResponseSize: MAX_ANSWER_BYTES,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
    maxHeaderSize: 32 * 1024,
  });
  const check = addressCheck(judge);

  return {
    dispatcher,
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

/** Throws for an address that must not be called. */
function addressCheck(judge: AddressJudge): (text: string) => void {
  // the result depends on the URL and the settings only, which do not change
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
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const permitted = isIP(hostname)
      ? judge.permits({ hostname, port }, hostname)
      : judge.permitsName({ hostname, port });
    if (!permitted) throw notAllowed(`${url.hostname} is not a public address. ${ADVICE}`);
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
