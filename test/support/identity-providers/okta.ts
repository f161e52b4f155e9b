import { EMAIL, type IdentityProvider } from "./identity-provider.ts";

/**
 * Okta: a thin ID token beside an access token, the rest in userinfo. Sources: its reference of
 * OpenID Connect, scope-dependent claims; guide on groups claims.
 */
export const okta: IdentityProvider = {
  path: "/oauth2/default",
  discovery: {
    token_endpoint_auth_methods_supported: [
      "client_secret_basic",
      "client_secret_post",
      "client_secret_jwt",
      "private_key_jwt",
      "none",
    ],
  },
  idToken: { sub: "00uid4BxXw6I6TV4m0g3", ver: 1, amr: ["pwd"], idp: "00o1", auth_time: 1 },
  userinfo: {
    sub: "00uid4BxXw6I6TV4m0g3",
    name: "Ada Lovelace",
    email: EMAIL,
    email_verified: true,
    groups: ["Everyone", "admins"],
    zoneinfo: "Europe/Berlin",
    updated_at: 1,
  },
  settings: { adminGroups: ["admins"], scopes: ["openid", "email", "profile", "groups"] },
  name: "Ada Lovelace",
};
