import { EMAIL, type IdentityProvider } from "./identity-provider.ts";

/**
 * Microsoft Entra ID: never `email_verified`, groups as ids, too many of them named elsewhere,
 * userinfo with little. Sources: its reference of ID token claims, groups overage and userinfo.
 */
const idToken = {
  sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
  oid: "00000000-0000-0000-66f3-3332eca7ea81",
  tid: "9122040d-6c67-4c5b-b112-36a304b66dad",
  name: "Ada Lovelace",
  preferred_username: EMAIL,
  email: EMAIL,
  ver: "2.0",
  uti: "x",
};

export const entra: IdentityProvider = {
  path: "/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0",
  discovery: {
    token_endpoint_auth_methods_supported: [
      "client_secret_post",
      "private_key_jwt",
      "client_secret_basic",
    ],
    subject_types_supported: ["pairwise"],
    claims_supported: ["sub", "iss", "name", "preferred_username", "email"],
  },
  idToken: { ...idToken, groups: ["0d6b6f5c-1111-4c4e-8a5e-000000000001"] },
  userinfo: { sub: idToken.sub, name: "Ada Lovelace", email: EMAIL, picture: "https://x" },
  settings: { trustEmail: true, adminGroups: ["0d6b6f5c-1111-4c4e-8a5e-000000000001"] },
  name: "Ada Lovelace",
  needsTrust: true,
  overage: { ...idToken, _claim_names: { groups: "src1" }, _claim_sources: { src1: {} } },
};
