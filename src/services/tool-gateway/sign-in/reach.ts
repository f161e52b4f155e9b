import { isLoopback } from "../../../platform/http/client-address.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";

/** A request of the sign-in of one tool server. */
export interface Asking {
  outgoing: Outgoing;
  /** The address of the tool server, whose word the other addresses are. */
  serverUrl: string;
  signal: AbortSignal;
}

/** What administrators entered about the sign-in of a server. */
export interface Named {
  /** The address of the tool server. */
  url: string;
  issuer?: string | undefined;
}

/**
 * The calls that the sign-in of a server may make: of the private addresses that administrators
 * allowed, to those that they entered for it alone.
 */
export type Reach = (named: Named) => Outgoing;

export function addressesIn({ url, issuer = "" }: Named): string[] {
  return URL.canParse(issuer) ? [url, issuer] : [url];
}

/** Opens what one sign-in asks, and closes it with it. */
export async function asking<T>(
  reach: Reach,
  named: Named,
  signal: AbortSignal,
  work: (asking: Asking) => Promise<T>,
): Promise<T> {
  await using outgoing = reach(named);
  return await work({ outgoing, serverUrl: named.url, signal });
}

/**
 * Secrets, and who gets them, go encrypted: but for a server without https to itself, and on this
 * machine.
 * @throws BadGateway `tool_sign_in_unencrypted`.
 */
export function checkEncrypted(address: string, serverUrl: string): void {
  if (!isEncrypted(address, serverUrl)) throw unencrypted(address, serverUrl);
}

function isEncrypted(address: string, serverUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const [{ protocol, host, hostname }, server] = [new URL(address), new URL(serverUrl)];
  if (protocol === "https:") return true;
  if (protocol !== "http:" || server.protocol !== "http:") return false;
  return host === server.host || (isLoopback(hostname) && isLoopback(server.hostname));
}

function unencrypted(address: string, serverUrl: string): BadGateway {
  const { host } = new URL(URL.canParse(address) ? address : serverUrl);
  return new BadGateway(
    "tool_sign_in_unencrypted",
    `The sign-in of the tool server at ${host} has an address without https. Ask its operator.`,
    { params: { host } },
  );
}
