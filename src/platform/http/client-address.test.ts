import { describe, expect, test } from "vitest";
import { held } from "../../../test/support/held.ts";
import { clientAddressBehind, isLoopback, type TrustedProxies } from "./client-address.ts";

const client = (trusted: TrustedProxies | undefined, remote: string, header?: string) =>
  clientAddressBehind(trusted)(remote, header ?? null);
const PROXIES = ["10.0.0.0/8", "2001:db8:ffff::/48", "192.0.2.7"];

describe("the address of a client", () => {
  test("is that of the connection, whatever it claims, where no proxy is trusted", () => {
    for (const claim of ["198.51.100.1", "127.0.0.1", "198.51.100.1, 10.0.0.1"])
      expect(client(undefined, "203.0.113.9", claim)).toBe("203.0.113.9");
    expect(client(undefined, "::ffff:203.0.113.9")).toBe("203.0.113.9");
    expect(client(undefined, "")).toBe("");
  });

  test("is what the outermost of so many proxies sees", () => {
    const claims = "127.0.0.1, 10.0.0.1, 198.51.100.1, 10.0.0.2";
    expect(client(1, "10.0.0.3", claims)).toBe("10.0.0.2");
    expect(client(2, "10.0.0.3", claims)).toBe("198.51.100.1");
    expect(client(3, "10.0.0.3", "198.51.100.1, 10.0.0.2")).toBe("198.51.100.1");
    expect(client(1, "10.0.0.3")).toBe("10.0.0.3");
  });

  test("is the last one that is no trusted proxy, through any number of them", () => {
    expect(client(PROXIES, "10.0.0.3", "198.51.100.1")).toBe("198.51.100.1");
    expect(
      client(PROXIES, "10.0.0.3", "203.0.113.1, 198.51.100.1, 10.9.9.9, 192.0.2.7"),
    ).toBe("198.51.100.1");
    expect(client(PROXIES, "2001:db8:ffff::1", "2001:db8::1, 10.0.0.1")).toBe(
      "2001:db8::1",
    );
    // a client that comes past the proxies
    expect(client(PROXIES, "203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
  });

  test.each([
    ["198.51.100.1:54321", "198.51.100.1"],
    ["[2001:DB8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:0db8:0:0::1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["  198.51.100.1\t", "198.51.100.1"],
  ])("is read from %s", (text, address) => {
    expect(client(1, "10.0.0.3", text)).toBe(address);
    expect(client(PROXIES, "10.0.0.3", `203.0.113.1, ${text}, 10.0.0.2`)).toBe(address);
    held("client-addresses", 2);
  });

  test.each([
    "unknown",
    "_hidden",
    "client.example",
    "1",
    "0x7f000001",
    "[",
    "::1::2",
    "a:b:c",
  ])("is that of the nearest proxy where it says %s", (text) => {
    expect(client(1, "10.0.0.3", text)).toBe("10.0.0.3");
    expect(client(PROXIES, "10.0.0.3", `198.51.100.1, ${text}, 10.0.0.2`)).toBe("10.0.0.2");
    held("client-addresses", 2);
  });
});

test("only loopback addresses are loopback", () => {
  for (const host of ["127.0.0.1", "127.8.9.1", "::1", "localhost", "LOCALHOST"])
    expect([host, isLoopback(host)]).toEqual([host, true]);
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "localhost.example", "2001:db8::1"])
    expect([host, isLoopback(host)]).toEqual([host, false]);
});
