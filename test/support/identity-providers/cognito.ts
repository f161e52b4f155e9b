import { EMAIL, type IdentityProvider } from "./identity-provider.ts";

/**
 * Amazon Cognito: groups in a claim with a colon, booleans as text in userinfo, often no name.
 * Sources: its developer guide, ID token and userInfo endpoint.
 */
export const cognito: IdentityProvider = {
  path: "/eu-central-1_AbCdEf",
  discovery: {
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    scopes_supported: ["openid", "email", "phone", "profile"],
  },
  idToken: {
    sub: "a1b2c3d4-0001-4000-8000-000000000001",
    "cognito:groups": ["admins"],
    "cognito:username": "ada",
    token_use: "id",
    email_verified: true,
    email: EMAIL,
  },
  userinfo: {
    sub: "a1b2c3d4-0001-4000-8000-000000000001",
    email_verified: "true",
    email: EMAIL,
    username: "ada",
  },
  settings: { groupsClaim: "cognito:groups", adminGroups: ["admins"] },
  name: "ada",
};
