import { type CryptoKey, type KeyObject, SignJWT } from "jose";
import type { User } from "../http/caller.ts";

interface Signing {
  key: CryptoKey | KeyObject;
  keyId: string;
  issuer: string;
  audience: string;
  ttlMs: number;
}

/** Signs an access token (RFC 9068, `typ: at+jwt`, RS256). */
export async function signAccessToken(
  { key, keyId, issuer, audience, ttlMs }: Signing,
  user: Pick<User, "userId" | "email" | "name" | "roles" | "clientId"> & {
    sessionId: string;
  },
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(Date.now() + ttlMs);
  const token = await new SignJWT({
    email: user.email,
    name: user.name,
    roles: user.roles,
    clientId: user.clientId,
    sid: user.sessionId,
  })
    .setProtectedHeader({ alg: "RS256", kid: keyId, typ: "at+jwt" })
    .setSubject(user.userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(key);
  return { token, expiresAt };
}
