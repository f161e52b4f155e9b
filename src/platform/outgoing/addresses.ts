import ipaddr from "ipaddr.js";

/** What the operator lets us call although it is not public. */
export interface Allowed {
  /** Every private, loopback and link-local network. */
  anyPrivate: boolean;
  /** `host` or `host:port`. */
  hosts: ReadonlySet<string>;
  ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
}

/** From OUTGOING_ALLOW: host names, `host:port`, CIDR ranges, or `private`. */
export function readAllowed(entries: readonly string[]): Allowed {
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  const hosts = new Set<string>();
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else hosts.add(entry.toLowerCase());
  }
  return { anyPrivate: hosts.delete("private"), hosts, ranges };
}

/** The address that a packet would really reach: IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4) is unwrapped. */
export function unwrapped(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.parse(text.replace(/^\[|\]$/g, ""));
  if (!(address instanceof ipaddr.IPv6)) return address;
  const bytes = address.toByteArray();
  const v4 = (from: number) => new ipaddr.IPv4(bytes.slice(from, from + 4));
  const zeros = (to: number) => bytes.slice(0, to).every((byte) => byte === 0);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (zeros(12) && bytes.slice(12).some((byte) => byte > 1)) return v4(12);
  if (address.range() === "rfc6052") return v4(12);
  if (address.range() === "6to4") return v4(2);
  return address;
}

/** Whether an address may be called: public ones, and what the operator allows. Source: security row 12. */
export function mayCall(text: string, allowed: Allowed): boolean {
  const address = unwrapped(text);
  if (address.range() === "unicast") return true;
  if (
    allowed.anyPrivate &&
    ["private", "loopback", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(address.range())
  )
    return true;
  return allowed.ranges.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range as ipaddr.IPv4, bits),
  ); // the same kind
}
