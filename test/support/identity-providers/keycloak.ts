import { EMAIL, type IdentityProvider } from "./identity-provider.ts";

/**
 * Keycloak: roles nested in `realm_access`, userinfo as a signed JWT where it is set so. Sources:
 * its server administration guide, client scopes and protocol mappers.
 */
const person = {
  sub: "f3c1c0a2-0001-4a0e-9a3c-000000000001",
  email: EMAIL,
  email_verified: true,
  name: "Ada Lovelace",
  preferred_username: "ada",
};

export const keycloak: IdentityProvider = {
  path: "/realms/acme",
  discovery: {
    token_endpoint_auth_methods_supported: [
      "private_key_jwt",
      "client_secret_basic",
      "client_secret_post",
      "tls_client_auth",
    ],
    userinfo_signing_alg_values_supported: ["RS256", "none"],
    claims_parameter_supported: true,
  },
  idToken: { ...person, typ: "ID", azp: "parlance", acr: "1", sid: "s" },
  userinfo: { ...person, realm_access: { roles: ["offline_access", "admins"] } },
  userinfoAsJwt: true,
  settings: { groupsClaim: "realm_access.roles", adminGroups: ["admins"] },
  name: "Ada Lovelace",
};
