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
import type { Revocations } from "./revocations.ts";

interface VerifierOptions {
  issuer: string;
  audience: string;
  revocations: Pick<Revocations, "check">;
  /** Fetches the public keys; asked again for an unknown `kid`, at most every 30 s. */
  jwks?: () => Promise<unknown>;
  publicKeyPem?: string;
}

export interface TokenVerifier {
  /** @throws Unauthorized `token_expired`, `token_revoked` or `token_invalid`. */
  verify(token: string): Promise<User>;
}

const Claims = z.object({
  sub: z.string().min(1),
  email: z.string().default(""),
  name: z.string().default(""),
  roles: z.array(z.string()).default([]),
  clientId: z.string().default("default"),
  sid: z.string().optional(),
});

/**
 * Our own tokens carry `at+jwt`; those of other issuers often the older `JWT`, or none: RFC 7519
 * makes it optional.
 */
const TYPES = ["at+jwt", "application/at+jwt", "jwt"];
/** Claims of ID tokens and of logout tokens, which may carry no type as well. */
const CLAIMS_OF_OTHERS = ["nonce", "at_hash", "c_hash", "events"];

/**
 * Checks access tokens offline: RS256 alone, issuer, audience, expiry, subject and type pinned.
 * Source: design "JWT"; RFC 8725; security row 9.
 */
export function createTokenVerifier({
  issuer,
  audience,
  revocations,
  jwks,
  publicKeyPem,
}: VerifierOptions): TokenVerifier {
  const keyFor = publicKeyPem ? pemKey(publicKeyPem) : keySet(jwks);
  const check = remembering(async (token) => {
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

/** A token is checked again after this time: its key may have been withdrawn. */
const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 10_000;

/**
 * A good token is checked once and then known by its hash until it expires, for a while: a
 * signature costs more than all else here.
 */
function remembering(
  check: (token: string) => Promise<{ claims: z.output<typeof Claims>; exp: number }>,
) {
  const known = new Map<string, { claims: z.output<typeof Claims>; until: number }>();
  return async (token: string) => {
    const key = hash("sha256", token, "base64");
    const found = known.get(key);
    if (found && Date.now() < found.until) return found.claims;
    known.delete(key);
    const { claims, exp } = await check(token);
    if (known.size >= MAX_REMEMBERED) known.delete(known.keys().next().value ?? "");
    known.set(key, { claims, until: Math.min(Date.now() + REMEMBERED_MS, exp * 1_000) });
    return claims;
  };
}

/**
 * Tokens of the agent service's own scheme: HS256 with a secret that no public key can be mistaken
 * for, since it has its own verifier. `undefined` for a token that says that it is of another kind.
 * Source: requirements 1, Authentication.
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

/** An ID token or a logout token of the same issuer is no access token. */
function refuseOtherTypes(typ: string | undefined, payload: JWTPayload): void {
  const isOther =
    typ === undefined
      ? CLAIMS_OF_OTHERS.some((claim) => claim in payload)
      : !TYPES.includes(typ.toLowerCase());
  if (isOther)
    throw new Unauthorized(
      "token_invalid",
      "This is no access token: its type (`typ`) is at+jwt, JWT or absent. Send the access token, not the ID token.",
    );
}

function invalid(cause?: unknown): Unauthorized {
  return new Unauthorized("token_invalid", "The access token is not valid here. Sign in again.", {
    cause,
  });
}

function pemKey(pem: string): JWTVerifyGetKey {
  const key = importSPKI(pem.replaceAll("\\n", "\n"), "RS256");
  key.catch(() => {}); // a wrong key shows at each use, not as an unhandled rejection
  return () => key;
}

/** An unknown key id may be a new key, but is asked for no more often than this. */
const REFETCH_AFTER = 30_000;
/** A key that was withdrawn is trusted no longer than this. */
const MAX_TRUST_MS = 600_000;

function keySet(fetchKeys: VerifierOptions["jwks"]): JWTVerifyGetKey {
  if (fetchKeys === undefined) throw new Error("A token verifier needs a key set or a public key.");
  let current: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<ReturnType<typeof createLocalJWKSet>> | undefined;
  const refresh = () => {
    fetching ??= fetchKeys()
      .then((keys) => {
        // createLocalJWKSet checks the shape itself
        current = createLocalJWKSet(keys as JSONWebKeySet);
        fetchedAt = performance.now();
        return current;
      })
      .catch((error: unknown) => {
        // what is not configured stays so: its own message says what to set
        if (error instanceof ApiError && error.code === "service_not_configured") throw error;
        throw new Unavailable(
          "keys_unavailable",
          "The keys of access tokens cannot be read now. Try again in a moment.",
          5_000,
          {
            cause: error,
          },
        );
      })
      .finally(() => (fetching = undefined));
    return fetching;
  };
  return async (header, token) => {
    const age = performance.now() - fetchedAt;
    // the last good keys serve while the issuer is away
    const keys = current && (age < MAX_TRUST_MS ? current : await refresh().catch(() => current));
    try {
      return await (keys ?? (await refresh()))(header, token);
    } catch (error) {
      if (
        !(error instanceof errors.JWKSNoMatchingKey) ||
        performance.now() - fetchedAt < REFETCH_AFTER
      )
        throw error;
      return (await refresh())(header, token);
    }
  };
}
