import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
} from "jose";
import { beforeAll, expect, test, vi } from "vitest";
import { Unauthorized } from "../http/errors.ts";
import {
  createSharedSecretVerifier,
  createTokenVerifier,
  type TokenVerifier,
} from "./access-token.ts";
import { held } from "../../../test/support/held.ts";

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let ours: Keys;
let theirs: Keys;
let verifier: TokenVerifier;
const ended = new Set<string>();
const revocations = {
  check(_: string, sessionId = "") {
    if (ended.has(sessionId))
      throw new Unauthorized("token_revoked", "This session has ended.");
  },
};

beforeAll(async () => {
  ours = await generateKeyPair("RS256", { extractable: true });
  theirs = await generateKeyPair("RS256", { extractable: true });
  // without `alg`, as other issuers publish theirs
  const keys = [{ ...(await exportJWK(ours.publicKey)), kid: "k1" }];
  verifier = createTokenVerifier({
    jwks: async () => ({ keys }),
    issuer: "parlance",
    audience: "parlance",
    revocations,
  });
});

interface Change {
  header?: object;
  claims?: object;
  without?: string[];
  key?: CryptoKey | Uint8Array;
}

async function token({
  header = {},
  claims = {},
  without = [],
  key = ours.privateKey,
}: Change = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const all: Record<string, unknown> = {
    sub: "u1",
    iss: "parlance",
    aud: "parlance",
    iat: now,
    exp: now + 60,
    sid: "s1",
    roles: ["user"],
    ...claims,
  };
  for (const name of without) delete all[name];
  return new SignJWT(all)
    .setProtectedHeader({ alg: "RS256", kid: "k1", typ: "at+jwt", ...header })
    .sign(key);
}

test("returns the user of a valid token", async () => {
  expect(await verifier.verify(await token())).toMatchObject({
    kind: "user",
    userId: "u1",
    roles: ["user"],
    clientId: "default",
  });
});

const forged: [string, () => Promise<string>][] = [
  ["another key", () => token({ key: theirs.privateKey })],
  [
    "no algorithm",
    async () =>
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${(await token()).split(".")[1]}.`,
  ],
  [
    "HS256 signed with the public key",
    async () =>
      token({
        header: { alg: "HS256" },
        key: new TextEncoder().encode(await exportSPKI(ours.publicKey)),
      }),
  ],
  ...["PS256", "RS512"].map((alg): [string, () => Promise<string>] => [
    `the same key, by ${alg}`,
    async () =>
      token({
        header: { alg },
        key: await importJWK({ ...(await exportJWK(ours.privateKey)), alg }, alg),
      }),
  ]),
  ["another issuer", () => token({ claims: { iss: "other" } })],
  ["no issuer", () => token({ without: ["iss"] })],
  ["another audience", () => token({ claims: { aud: "other" } })],
  ["no audience", () => token({ without: ["aud"] })],
  ["no expiry", () => token({ without: ["exp"] })],
  ["expired", () => token({ claims: { exp: Math.floor(Date.now() / 1000) - 60 } })],
  ["not yet valid", () => token({ claims: { nbf: Math.floor(Date.now() / 1000) + 600 } })],
  ["no subject", () => token({ without: ["sub"] })],
  ["an empty subject", () => token({ claims: { sub: "" } })],
  ["a subject with a NUL", () => token({ claims: { sub: "u\0" } })],
  ["a subject with half a pair", () => token({ claims: { sub: "u\ud800" } })],
  ["another type", () => token({ header: { typ: "logout+jwt" } })],
  [
    "no type that is an ID token",
    () => token({ header: { typ: undefined }, claims: { nonce: "n" } }),
  ],
  [
    "no type that is a logout token",
    () => token({ header: { typ: undefined }, claims: { events: {} } }),
  ],
  [
    "the type JWT that is an ID token",
    () => token({ header: { typ: "JWT" }, claims: { at_hash: "x" } }),
  ],
  [
    "the type JWT that is a logout token",
    () => token({ header: { typ: "JWT" }, claims: { events: {} } }),
  ],
  ["an unknown key id", () => token({ header: { kid: "k2" } })],
  [
    "a changed payload",
    async () =>
      (await token()).replace(
        /\.[^.]+\./,
        `.${Buffer.from('{"sub":"admin"}').toString("base64url")}.`,
      ),
  ],
  ["nothing", async () => ""],
];
test.each(forged)("a token with %s is refused", async (_, make) => {
  await expect(verifier.verify(await make())).rejects.toMatchObject({ status: 401 });
  held("tokens");
});

test("a token may leave its type out, and another type is named in the refusal", async () => {
  const untyped = await token({ header: { typ: undefined } });
  expect(await verifier.verify(untyped)).toMatchObject({ userId: "u1" });
  const other = verifier.verify(await token({ header: { typ: "id+jwt" } }));
  await expect(other).rejects.toThrow("typ");
});

test("an access token of the type JWT may have a nonce, as Keycloak's have", async () => {
  const typed = await token({ header: { typ: "JWT" }, claims: { nonce: "n" } });
  expect(await verifier.verify(typed)).toMatchObject({ userId: "u1" });
});

test("a session that has ended is refused at once", async () => {
  ended.add("s9");
  await expect(
    verifier.verify(await token({ claims: { sid: "s9" } })),
  ).rejects.toMatchObject({
    code: "token_revoked",
  });
});

test("answers 503, not 401, when the keys cannot be read", async () => {
  const lost = createTokenVerifier({
    jwks: () => Promise.reject(new Error("down")),
    issuer: "parlance",
    audience: "parlance",
    revocations,
  });
  await expect(lost.verify(await token())).rejects.toMatchObject({ status: 503 });
});

test("while the keys cannot be read again, the last ones count, and few requests wait for new ones", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const keys = [{ ...(await exportJWK(ours.publicKey)), kid: "k1" }];
    let asked = 0;
    const lost = createTokenVerifier({
      async jwks() {
        asked += 1;
        if (asked > 1) throw new Error("down");
        return { keys };
      },
      issuer: "parlance",
      audience: "parlance",
      revocations,
    });
    const verify = async (sub: string) => lost.verify(await token({ claims: { sub } }));
    await verify("first");
    vi.advanceTimersByTime(601_000);
    for (const sub of ["a", "b", "c"])
      expect(await verify(sub)).toMatchObject({ userId: sub });
    expect(asked).toBe(2);
    vi.advanceTimersByTime(31_000);
    await verify("later");
    expect(asked).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test("what is known of a token ages also when the clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  try {
    let keys = [{ ...(await exportJWK(ours.publicKey)), kid: "k1" }];
    const jwks = async () => ({ keys });
    const options = { issuer: "parlance", audience: "parlance", revocations };
    const { verify } = createTokenVerifier({ jwks, ...options });
    const signed = await token();
    await verify(signed);
    keys = [];
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(601_000);
    await expect(verify(signed)).rejects.toMatchObject({ status: 401 });
  } finally {
    vi.useRealTimers();
  }
});

test("refuses a user whose id the audit log would take for a SCIM token", async () => {
  const claims = { sub: "scim:0198a3c4-0000-7000-8000-000000000000" };
  await expect(verifier.verify(await token({ claims }))).rejects.toMatchObject({
    status: 401,
  });
});

test("a shared secret verifies only HS256 tokens signed with it", async () => {
  const secret = "a shared secret of some length";
  const verify = createSharedSecretVerifier({
    secret,
    issuer: "parlance",
    audience: "parlance",
  });
  const hs256 = (key: string) =>
    token({ header: { alg: "HS256" }, key: new TextEncoder().encode(key) });
  expect(await verify(await hs256(secret))).toMatchObject({ userId: "u1" });
  await expect(verify(await hs256("another secret of some length"))).rejects.toMatchObject({
    status: 401,
  });
  expect(await verify(await token())).toBeUndefined();
});

test("caches a valid token, at most until it expires or its session ends", async () => {
  let asked = 0;
  const keys = [{ ...(await exportJWK(ours.publicKey)), kid: "k1" }];
  const jwks = async () => {
    asked += 1;
    return { keys };
  };
  const fresh = createTokenVerifier({
    jwks,
    issuer: "parlance",
    audience: "parlance",
    revocations,
  });
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const short = await token({
      claims: { exp: Math.floor(Date.now() / 1000) + 20, sid: "s2" },
    });
    expect(await fresh.verify(short)).toEqual(await fresh.verify(short));
    expect(asked).toBe(1);
    // the same claims with another signature are another token
    await expect(fresh.verify(`${short.slice(0, -4)}AAAA`)).rejects.toMatchObject({
      code: "token_invalid",
    });
    vi.advanceTimersByTime(26_000);
    await expect(fresh.verify(short)).rejects.toMatchObject({ code: "token_expired" });
    const good = await token({ claims: { sid: "s3" } });
    await fresh.verify(good);
    ended.add("s3");
    await expect(fresh.verify(good)).rejects.toMatchObject({ code: "token_revoked" });
  } finally {
    vi.useRealTimers();
  }
});
