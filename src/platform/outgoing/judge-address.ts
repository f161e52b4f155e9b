import { networkInterfaces } from "node:os";
import {
  type Allowed,
  isMetadataAddress,
  isMetadataName,
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

/** @param own the ports of our own listeners. */
export function createAddressJudge(
  allowed: Allowed,
  own: () => readonly number[],
): AddressJudge {
  const isNamed = ({ hostname, port }: Target) => {
    const name = hostname.toLowerCase();
    const host = name.includes(":") ? `[${name}]` : name;
    return [name, host, `${host}:${port}`].some((entry) => allowed.hosts.has(entry));
  };
  const isOwnListener = (address: string, port: number) =>
    own().includes(port) && isThisMachine(address);
  return {
    isOwnListener,
    permitsName: (target) => !isMetadataName(target.hostname) || isNamed(target),
    permits(target, address) {
      if (isOwnListener(address, target.port)) return false;
      if (isMetadataAddress(address)) return namesAddress(address, target.port, allowed);
      return isNamed(target) || mayCall(address, allowed);
    },
  };
}

function isThisMachine(text: string): boolean {
  const address = unwrapped(text);
  if (["loopback", "unspecified"].includes(address.range())) return true;
  return Object.values(networkInterfaces())
    .flat()
    .some((local) => local && unwrapped(local.address).toString() === address.toString());
}
