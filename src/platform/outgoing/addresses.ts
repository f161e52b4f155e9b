import ipaddr from "ipaddr.js";

/** Addresses that the operator allows although they are not public. */
export interface Allowed {
  /** Every private and loopback network, but no metadata address. */
  anyPrivate: boolean;
  /** `host` or `host:port`. */
  hosts: ReadonlySet<string>;
  ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
}

/** Reads OUTGOING_ALLOW: host names, `host:port`, CIDR ranges, or `private`. */
export function readAllowed(entries: readonly string[]): Allowed {
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  const hosts = new Set<string>();
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else hosts.add(entry.toLowerCase());
  }
  return { anyPrivate: hosts.delete("private"), hosts, ranges };
}

/** The address that a packet reaches: unwraps IPv4 in IPv6 (mapped, compatible, NAT64, 6to4). */
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

/** What `private` allows. Link-local is excluded, because clouds serve credentials there. */
const PRIVATE_RANGES = ["private", "loopback", "uniqueLocal", "carrierGradeNat"];

/** Where clouds serve credentials, beside 169.254.0.0/16 and fe80::/10. */
const METADATA_ADDRESSES = new Set(
  [
    "100.100.100.200", // Alibaba Cloud
    "168.63.129.16", // Azure's platform
    "192.0.0.192", // Oracle Cloud
    "fd00:ec2::254", // Amazon EC2
    "fd00:ec2::23", // Amazon EKS
    "fd20:ce::254", // Google Cloud
    "fd00:42::42", // Scaleway
  ].map((text) => ipaddr.parse(text).toString()),
);
const METADATA_NAMES = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.tencentyun.com",
  "instance-data",
  "instance-data.ec2.internal",
]);

/** Whether a host name is that of the metadata service of a cloud. */
export function isMetadataName(name: string): boolean {
  return METADATA_NAMES.has(name.toLowerCase().replace(/\.$/, ""));
}

/**
 * Whether clouds serve credentials at an address. Only the literal address in OUTGOING_ALLOW allows
 * it: no `private`, no range, no name that resolves to it.
 */
export function isMetadataAddress(text: string): boolean {
  const address = unwrapped(text);
  return address.range() === "linkLocal" || METADATA_ADDRESSES.has(address.toString());
}

/** Whether the operator allows the literal address, for every port or for this one. */
export function namesAddress(text: string, port: number, { hosts }: Allowed): boolean {
  const address = unwrapped(text).toString();
  const host = address.includes(":") ? `[${address}]` : address;
  return [address, host, `${host}:${port}`].some((entry) => hosts.has(entry));
}

/** Whether an address is of a private network or of this machine. */
export function isPrivate(text: string): boolean {
  return !isMetadataAddress(text) && PRIVATE_RANGES.includes(unwrapped(text).range());
}

/** Whether an address may be called: public ones, and what the operator allows. */
export function mayCall(text: string, allowed: Allowed): boolean {
  const address = unwrapped(text);
  if (isMetadataAddress(text)) return false;
  if (address.range() === "unicast") return true;
  if (allowed.anyPrivate && isPrivate(text)) return true;
  return allowed.ranges.some(
    ([range, bits]) =>
      range.kind() === address.kind() && address.match(range as ipaddr.IPv4, bits),
  ); // the same kind
}
