import { hash } from "node:crypto";
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  importSPKI,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { z } from "zod";
import type { User } from "../http/caller.ts";
import { ApiError, Unauthorized, Unavailable } from "../http/errors.ts";
import { StorableId } from "../http/bounds.ts";
import { singleFlight } from "../single-flight.ts";
import type { Revocations } from "./revocations.ts";

interface VerifierOptions {
  issuer: string;
  audience: string;
  revocations: Pick<Revocations, "check">;
  /** Fetches the public keys. Called again for an unknown `kid`, at most every 30 s. */
  jwks?: () => Promise<unknown>;
  publicKeyPem?: string;
}

export interface TokenVerifier {
  /** @throws Unauthorized `token_expired`, `token_revoked` or `token_invalid`. */
  verify(token: string): Promise<User>;
}

/** So the audit log names the tokens of identity providers. */
const SCIM_ACTOR = "scim:";

const Claims = z.object({
  sub: StorableId.refine((id) => !id.startsWith(SCIM_ACTOR), "the name of a SCIM token"),
  email: z.string().default(""),
  name: z.string().default(""),
  roles: z.array(z.string()).default([]),
  clientId: z.string().default("default"),
  sid: z.string().optional(),
});

/**
 * Parlance's own tokens have the type `at+jwt`. Other issuers often send `JWT` or none, since
 * RFC 7519 makes it optional.
 */
const ACCEPTED_TYPES = ["at+jwt", "application/at+jwt", "jwt"];
/** Claims that mark ID tokens and logout tokens, which may have the type `JWT` or none, too. */
const NON_ACCESS_CLAIMS = ["at_hash", "c_hash", "events"];

/**
 * Verifies access tokens offline: algorithm RS256, issuer, audience, expiry, subject and type
 * (RFC 8725).
 */
export function createTokenVerifier({
  issuer,
  audience,
  revocations,
  jwks,
  publicKeyPem,
}: VerifierOptions): TokenVerifier {
  const keyFor = publicKeyPem ? pemKey(publicKeyPem) : keySet(jwks);
  const check = withCache(async (token) => {
    const payload = await verified(token, keyFor, issuer, audience);
    const claims = Claims.safeParse(payload);
    if (!claims.success) throw invalid();
    return { claims: claims.data, exp: payload.exp ?? 0 };
  });
  return {
    async verify(token) {
      const { sub: userId, email, name, roles, clientId, sid } = await check(token);
      revocations.check(userId, sid);
      return { kind: "user", via: "jwt", userId, email, name, roles, clientId };
    },
  };
}

/** A token is verified again after this time: its key may have been withdrawn. */
const CACHE_TTL_MS = 30_000;
const MAX_CACHED_TOKENS = 10_000;

interface Cached {
  claims: z.output<typeof Claims>;
  /** By `performance.now()`, which no correction of the clock moves. */
  until: number;
  /** By the clock. */
  expiresAt: number;
}

/**
 * Caches the claims of valid tokens by hash, at most until they expire: verifying a signature is
 * the most expensive step of a request's authentication.
 */
function withCache(
  check: (token: string) => Promise<{ claims: z.output<typeof Claims>; exp: number }>,
) {
  const cache = new Map<string, Cached>();
  return async (token: string) => {
    const key = hash("sha256", token, "base64");
    const cached = cache.get(key);
    const isYoung = cached && performance.now() < cached.until;
    if (isYoung && Date.now() < cached.expiresAt) return cached.claims;
    cache.delete(key);
    const { claims, exp } = await check(token);
    if (cache.size >= MAX_CACHED_TOKENS) cache.delete(cache.keys().next().value ?? "");
    const until = performance.now() + CACHE_TTL_MS;
    cache.set(key, { claims, until, expiresAt: exp * 1_000 });
    return claims;
  };
}

/**
 * Verifies HS256 tokens of the agent loop. A separate verifier, so that no public key can be
 * used as the HMAC secret. Returns `undefined` for a token with another algorithm.
 */
export function createSharedSecretVerifier({
  secret,
  issuer,
  audience,
}: {
  secret: string;
  issuer: string;
  audience: string;
}) {
  const key = new TextEncoder().encode(secret);
  return async (token: string): Promise<User | undefined> => {
    if (algorithmOf(token) !== "HS256") return undefined;
    const claims = Claims.safeParse(
      await verified(token, async () => key, issuer, audience, "HS256"),
    );
    if (!claims.success) throw invalid();
    const { sub: userId, email, name, roles, clientId } = claims.data;
    return { kind: "user", via: "jwt", userId, email, name, roles, clientId };
  };
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}

async function verified(
  token: string,
  keyFor: JWTVerifyGetKey,
  issuer: string,
  audience: string,
  algorithm = "RS256",
): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyFor, {
      algorithms: [algorithm],
      issuer,
      audience,
      requiredClaims: ["sub", "exp"],
      clockTolerance: 5,
    });
    refuseOtherTypes(protectedHeader.typ, payload);
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new Unauthorized(
        "token_expired",
        "The access token has expired. Refresh it or sign in again.",
      );
    if (error instanceof ApiError) throw error;
    throw invalid(error);
  }
}

/** Refuses ID tokens and logout tokens of the same issuer. */
function refuseOtherTypes(typ: string | undefined, payload: JWTPayload): void {
  const type = typ?.toLowerCase() ?? "";
  const isMarked = NON_ACCESS_CLAIMS.some((claim) => claim in payload);
  const isOther =
    type === ""
      ? isMarked || "nonce" in payload
      : !ACCEPTED_TYPES.includes(type) || (type === "jwt" && isMarked);
  if (isOther)
    throw new Unauthorized(
      "token_invalid",
      "This is not an access token: its type (`typ`) must be at+jwt, JWT or absent. Send the access token, not the ID token.",
    );
}

function invalid(cause?: unknown): Unauthorized {
  return new Unauthorized(
    "token_invalid",
    "The access token is not valid. Sign in again.",
    {
      cause,
    },
  );
}

function pemKey(pem: string): JWTVerifyGetKey {
  const key = importSPKI(pem.replaceAll("\\n", "\n"), "RS256");
  key.catch(() => {}); // a wrong key fails at each use, not as an unhandled rejection
  return () => key;
}

/** Minimum time between two fetches for unknown key ids, which may be new keys. */
const REFETCH_INTERVAL_MS = 30_000;
/** The longest time that a withdrawn key is still trusted. */
const MAX_TRUST_MS = 600_000;

function keySet(fetchKeys: VerifierOptions["jwks"]): JWTVerifyGetKey {
  if (fetchKeys === undefined)
    throw new Error("A token verifier needs a key set or a public key.");
  let current: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  const fetchOnce = singleFlight(async () => {
    try {
      // createLocalJWKSet validates the shape
      current = createLocalJWKSet((await fetchKeys()) as JSONWebKeySet);
      fetchedAt = performance.now();
      return current;
    } catch (error) {
      // retrying cannot help; the message says which setting is missing
      if (error instanceof ApiError && error.code === "service_not_configured") throw error;
      throw new Unavailable(
        "keys_unavailable",
        "The keys that verify access tokens cannot be fetched. Try again in a moment.",
        5_000,
        { cause: error },
      );
    }
  });
  const refresh = () => {
    triedAt = performance.now();
    return fetchOnce();
  };
  return async (header, token) => {
    const now = performance.now();
    const isUsable = now - fetchedAt < MAX_TRUST_MS || now - triedAt < REFETCH_INTERVAL_MS;
    // while the issuer is unreachable, use the last keys, and wait for it only now and then
    const keys = current && (isUsable ? current : await refresh().catch(() => current));
    try {
      return await (keys ?? (await refresh()))(header, token);
    } catch (error) {
      if (
        !(error instanceof errors.JWKSNoMatchingKey) ||
        performance.now() - fetchedAt < REFETCH_INTERVAL_MS
      )
        throw error;
      return (await refresh())(header, token);
    }
  };
}
