import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The proxies in front of this server: how many, or their addresses and CIDR ranges. */
export type TrustedProxies = number | readonly string[];

/** Finds the address of a client: of its connection, or what trusted proxies say about it. */
export type ClientAddress = (remote: string, forwardedFor: string | null) => string;

/**
 * Reads `X-Forwarded-For` from its end, to which each proxy adds the address that it sees. What
 * stands before the entry of the outermost trusted proxy was written by the client and does not
 * count. `Forwarded` (RFC 7239) is not read: proxies that set the other pass it on as the client
 * wrote it.
 */
export function clientAddressBehind(trusted: TrustedProxies | undefined): ClientAddress {
  if (trusted === undefined) return (remote) => readAddress(remote) ?? remote;
  const isProxy = proxyJudge(trusted);
  return (remote, forwardedFor) => {
    let nearest = readAddress(remote) ?? remote;
    const entries = (forwardedFor ?? "").split(",").filter((entry) => entry.trim() !== "");
    for (let hop = 0; isProxy(nearest, hop); hop += 1) {
      const seen = entries.at(-1 - hop);
      const address = seen === undefined ? undefined : readAddress(seen);
      // a proxy that names no address is the nearest that is known
      if (address === undefined) return nearest;
      nearest = address;
    }
    return nearest;
  };
}

/** Whether an address that is so many hops away is a trusted proxy. */
function proxyJudge(trusted: TrustedProxies): (address: string, hop: number) => boolean {
  if (typeof trusted === "number") return (_, hop) => hop < trusted;
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    proxies.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return (address) =>
    isIP(address) > 0 && proxies.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/**
 * Reads an address with or without a port, in brackets or not, and writes it in its one form. IPv4
 * in IPv6 is IPv4.
 */
function readAddress(text: string): string | undefined {
  const [, bracketed, v4] =
    /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text.trim()) ?? [];
  const [address = ""] = (bracketed ?? v4 ?? text.trim()).split("%", 1); // without its zone
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}

/** Whether only programs of this machine reach an address, or the name `localhost`. */
export function isLoopback(host: string): boolean {
  const address = readAddress(host);
  if (address === undefined) return host.toLowerCase() === "localhost";
  return ipaddr.process(address).range() === "loopback";
}
