import dns from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { request } from "undici";
import { openOutgoing } from "./open-outgoing.ts";
import { held } from "../../../test/support/held.ts";

let hits = 0;
const canary = createServer((request, response) => {
  hits += 1;
  if (request.url === "/redirect")
    response.writeHead(302, { location: "/elsewhere" }).end();
  else response.end("here");
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, "0.0.0.0", resolve));
  port = (canary.address() as AddressInfo).port; // a TCP server has one
});
afterAll(() => void canary.close());

const forms = () =>
  [
    "127.0.0.1",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "127.0.0.1.",
    "LOCALHOST",
    "127.0.1",
    "127.255.255.254",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "[::]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
  ].map((host) => `http://${host}:${port}/`);

test("no way to write a loopback address reaches it", async () => {
  await using outgoing = openOutgoing({
    allow: [],
    own: () => [],
    connectTimeoutMs: 1_000,
  });
  for (const url of forms())
    await expect(outgoing.fetch(url), url).rejects.toMatchObject({
      code: "address_not_allowed",
    });
  expect(hits).toBe(0);
  held("outgoing-addresses", forms().length);
});

test("a name that means a public address when it is saved and loopback when it is called reaches nothing", async () => {
  await using outgoing = openOutgoing({
    allow: [],
    own: () => [],
    connectTimeoutMs: 1_000,
  });
  const lookup = vi
    .spyOn(dns, "lookup")
    .mockImplementation(((_name: string, options: { all?: boolean }, callback: Function) =>
      options.all
        ? callback(null, [{ address: "127.0.0.1", family: 4 }])
        : callback(null, "127.0.0.1", 4)) as never);
  try {
    outgoing.check(`http://rebind.example:${port}/`);
    await expect(outgoing.fetch(`http://rebind.example:${port}/`)).rejects.toMatchObject({
      code: "address_not_allowed",
    });
    expect(lookup).toHaveBeenCalled();
  } finally {
    lookup.mockRestore();
  }
  // with the name allowed the same call arrives: the test would notice if it never reached the
  // canary for another reason
  await using allowing = openOutgoing({
    allow: ["localhost"],
    own: () => [],
    connectTimeoutMs: 1_000,
  });
  const before = hits;
  expect((await allowing.fetch(`http://localhost:${port}/`)).status).toBe(200);
  expect(hits).toBe(before + 1);
});

test("of a name with public and private addresses only the public ones are tried", async () => {
  await using outgoing = openOutgoing({ allow: [], own: () => [], connectTimeoutMs: 500 });
  let connections = 0;
  const count = () => void (connections += 1);
  canary.on("connection", count);
  const lookup = vi.spyOn(dns, "lookup").mockImplementation(((
    _name: string,
    _options: object,
    callback: Function,
  ) =>
    callback(null, [
      { address: "127.0.0.1", family: 4 },
      { address: "192.88.99.1", family: 4 },
      { address: "8.8.8.8", family: 4 },
    ])) as never);
  try {
    const url = `http://mixed.example:${port}/`;
    await expect(outgoing.fetch(url)).rejects.toThrow();
    expect(lookup).toHaveBeenCalledOnce();
    expect(connections).toBe(0);
  } finally {
    lookup.mockRestore();
    canary.off("connection", count);
  }
});

test("what the operator allows is reached, and a redirect is not followed", async () => {
  await using outgoing = openOutgoing({ allow: ["127.0.0.0/8"], own: () => [] });
  expect(await (await outgoing.fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  const before = hits;
  expect((await outgoing.fetch(`http://127.0.0.1:${port}/redirect`)).status).toBe(302);
  expect(hits).toBe(before + 1);
  held("redirects");
});

test("our own listeners are refused even where private networks are allowed", async () => {
  await using outgoing = openOutgoing({
    allow: ["private", "localhost"],
    own: () => [port],
  });
  const before = hits;
  for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"]) {
    await expect(outgoing.fetch(`http://${host}:${port}/`), host).rejects.toThrow(
      /OUTGOING_ALLOW/,
    );
  }
  expect(hits).toBe(before);
});

const METADATA = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.0.23",
  "[::ffff:169.254.169.254]",
  "2852039166",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "[fd00:ec2::23]",
  "[fd20:ce::254]",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "metadata",
  "metadata.google.internal",
  "metadata.google.internal.",
  "METADATA.GOOG",
  "instance-data.ec2.internal",
];

test.each(METADATA)(
  "%s is refused where private networks and ranges are allowed",
  async (host) => {
    const allow = [
      "private",
      "169.254.0.0/16",
      "fd00::/8",
      "fe80::/10",
      "0.0.0.0/0",
      "::/0",
    ];
    await using outgoing = openOutgoing({ allow, own: () => [], connectTimeoutMs: 1_000 });
    expect(() => outgoing.check(`http://${host}/latest`)).toThrow(/OUTGOING_ALLOW/);
    const refused = { code: "address_not_allowed" };
    await expect(outgoing.fetch(`http://${host}/latest`)).rejects.toMatchObject(refused);
    await expect(request(`http://${host}/`, outgoing)).rejects.toMatchObject(refused);
    held("outgoing-addresses");
  },
);

test("a name that resolves to a metadata address is refused, even if the name is allowed", async () => {
  const allow = ["private", "models.example", "models.example:80"];
  await using outgoing = openOutgoing({ allow, own: () => [], connectTimeoutMs: 1_000 });
  for (const [address, family] of [
    ["169.254.169.254", 4],
    ["100.100.100.200", 4],
    ["fd00:ec2::254", 6],
  ] as const) {
    const lookup = vi
      .spyOn(dns, "lookup")
      .mockImplementation(((_name: string, _options: object, callback: Function) =>
        callback(null, [{ address, family }])) as never); // as `all` asks it
    try {
      await expect(outgoing.fetch("http://models.example/")).rejects.toMatchObject({
        code: "address_not_allowed",
      });
      expect(lookup).toHaveBeenCalledOnce();
    } finally {
      lookup.mockRestore();
    }
  }
});

test("the literal address in OUTGOING_ALLOW opens a metadata address, for its port", async () => {
  const allow = ["169.254.169.254", "[fd00:ec2::254]:80"];
  await using outgoing = openOutgoing({ allow, own: () => [] });
  for (const host of ["169.254.169.254", "169.254.169.254:8080", "[fd00:ec2::254]"])
    expect(() => outgoing.check(`http://${host}/`)).not.toThrow();
  for (const host of ["169.254.170.2", "[fd00:ec2::254]:8080"])
    expect(() => outgoing.check(`http://${host}/`)).toThrow();
});

test.each([
  "file:///etc/passwd",
  "http://user:secret@example.com/",
  "gopher://x",
  "nonsense",
  "http://169.254.169.254/latest",
])("%s is refused when it is saved", async (url) => {
  await using outgoing = openOutgoing({ allow: [], own: () => [] });
  expect(() => outgoing.check(url)).toThrow();
});
