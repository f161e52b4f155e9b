import { EMAIL, type IdentityProvider } from "./identity-provider.ts";

/**
 * Google: no groups at all, everything else in the ID token. Sources: its guide on OpenID Connect.
 */
export const google: IdentityProvider = {
  path: "",
  discovery: {
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    claims_supported: ["aud", "email", "email_verified", "exp", "name", "sub"],
  },
  idToken: {
    sub: "110169484474386276334",
    azp: "parlance",
    hd: "example.org",
    email: EMAIL,
    email_verified: true,
    name: "Ada Lovelace",
    picture: "https://x",
  },
  userinfo: undefined,
  settings: {},
  name: "Ada Lovelace",
};
