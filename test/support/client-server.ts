import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { type TestServer, startTestServer } from "./server.ts";

/** A server that trusts an issuer whose tokens a test signs, for users of any tenant. */
export interface ClientServer {
  parlance: TestServer;
  /** A token for a user of a tenant. */
  tokenOf(userId: string, clientId: string, roles?: string[]): Promise<string>;
}

export async function clientServer(
  env: Record<string, string> = {},
): Promise<ClientServer> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const parlance = await startTestServer({
    JWT_PUBLIC_KEY: publicKey,
    JWT_ISSUER: "https://issuer.example",
    JWT_AUDIENCE: "parlance",
    ...env,
  });
  return {
    parlance,
    tokenOf: (userId, clientId, roles = ["user"]) =>
      new SignJWT({ email: `${userId}@issuer.example`, name: userId, roles, clientId })
        .setProtectedHeader({ alg: "RS256", typ: "at+jwt" })
        .setIssuer("https://issuer.example")
        .setAudience("parlance")
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(createPrivateKey(privateKey)),
  };
}
