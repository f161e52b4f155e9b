import { EMAIL, type IdentityProvider } from "./identity-provider.ts";

/**
 * Authentik: an issuer that ends with a slash, `email_verified` false unless a mapping says
 * otherwise, groups in the profile. Sources: its documentation of the OAuth2 provider.
 */
const person = {
  sub: "3f8d0c7e7a0f4f6b8f6f7d7b2f3c1a0e",
  email: EMAIL,
  email_verified: false,
  name: "Ada Lovelace",
  given_name: "Ada Lovelace",
  preferred_username: "ada",
  nickname: "ada",
  groups: ["authentik Admins", "admins"],
};

export const authentik: IdentityProvider = {
  path: "/application/o/parlance/",
  discovery: {
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    response_modes_supported: ["query", "fragment", "form_post"],
  },
  idToken: { ...person, acr: "goauthentik.io/providers/oauth2/default", amr: ["pwd"] },
  userinfo: person,
  settings: { trustEmail: true, adminGroups: ["admins"] },
  name: "Ada Lovelace",
  needsTrust: true,
};
