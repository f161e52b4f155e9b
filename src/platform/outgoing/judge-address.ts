import { networkInterfaces } from "node:os";
import {
  type Allowed,
  isMetadataAddress,
  isMetadataName,
  isPrivate,
  mayCall,
  namesAddress,
  unwrapped,
} from "./addresses.ts";

/** The host and port of a URL. */
export interface Target {
  hostname: string;
  port: number;
}

/** Decides to which addresses outgoing calls may connect. */
export interface AddressJudge {
  /** Whether a name may be resolved. */
  permitsName(target: Target): boolean;
  /** Whether `address`, which is the target or its resolution, may be called. */
  permits(target: Target, address: string): boolean;
  /** Whether a listener of ours is at this address of this machine. */
  isOwnListener(address: string, port: number): boolean;
}

export function targetOf({ hostname, port, protocol }: URL): Target {
  return {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  };
}

/** The form in which an administrator allows a target: `host:port`. */
export function toGrant({ hostname, port }: Target): string {
  const name = hostname.toLowerCase();
  return `${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/**
 * @param own the ports of our own listeners.
 * @param granted targets as `host:port` that administrators allow on private networks.
 */
export function createAddressJudge(
  allowed: Allowed,
  own: () => readonly number[],
  granted?: () => ReadonlySet<string>,
): AddressJudge {
  const isNamed = (target: Target) => {
    const name = target.hostname.toLowerCase();
    const host = name.includes(":") ? `[${name}]` : name;
    return [name, host, toGrant(target)].some((entry) => allowed.hosts.has(entry));
  };
  const isOwn = (address: string, port: number) => isOwnListener(address, port, own);
  return {
    isOwnListener: isOwn,
    permitsName: (target) => !isMetadataName(target.hostname) || isNamed(target),
    permits(target, address) {
      if (isOwn(address, target.port)) return false;
      if (isMetadataAddress(address)) return namesAddress(address, target.port, allowed);
      if (isNamed(target) || mayCall(address, allowed)) return true;
      return isPrivate(address) && granted?.().has(toGrant(target)) === true;
    },
  };
}

/** Whether a listener of ours, of these ports, is at this address. */
export function isOwnListener(
  address: string,
  port: number,
  own: () => readonly number[],
): boolean {
  return own().includes(port) && isThisMachine(address);
}

function isThisMachine(text: string): boolean {
  const address = unwrapped(text);
  if (["loopback", "unspecified"].includes(address.range())) return true;
  return Object.values(networkInterfaces())
    .flat()
    .some((local) => local && unwrapped(local.address).toString() === address.toString());
}
