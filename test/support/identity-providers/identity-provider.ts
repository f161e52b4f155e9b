import type { JWTPayload } from "jose";

/** What an identity provider announces, and says of a person who is an administrator by a group. */
export interface IdentityProvider {
  /** Of its issuer. */
  path: string;
  /** Beside the addresses. */
  discovery: Record<string, unknown>;
  idToken: JWTPayload;
  /** Exactly what the userinfo endpoint says; `undefined`: it refuses. */
  userinfo: Record<string, unknown> | undefined;
  userinfoAsJwt?: boolean;
  /** What `OIDC_PROVIDERS` needs beside the address and the client. */
  settings: Record<string, unknown>;
  name: string;
  /** Without `settings`, where an email is not verified by what it says. */
  needsTrust?: boolean;
  /** The ID token of the same person with too many groups, where it says so. */
  overage?: JWTPayload;
}

export const EMAIL = "ada@example.org";
