import { z } from "zod";
import { storableTime } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { accountsContract } from "./contract-accounts.ts";
import { auditContract } from "./contract-audit.ts";
import { groupsContract } from "./contract-groups.ts";
import { knownUsersContract } from "./contract-known-users.ts";
import { locksContract } from "./contract-locks.ts";
import { oidcContract } from "./contract-oidc.ts";
import { permissionsContract, Scope } from "./contract-permissions.ts";
import { personalContract } from "./contract-personal.ts";
import { revocationsContract } from "./contract-revocations.ts";
import { RoleName as Role, rolesContract } from "./contract-roles.ts";
import { sharingContract } from "./contract-sharing.ts";
import { Id } from "./contract-subjects.ts";
import { Tokens } from "./contract-tokens.ts";

/** Source: design "Identity", "Who may call". */

const Email = z
  .email()
  .max(320)
  .transform((email) => email.toLowerCase());
const NewPassword = z.string().min(12, "at least 12 characters").max(1_000);
const Name = z.string().trim().min(1).max(200);

export const UserProfile = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  clientId: z.string(),
  disabled: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type UserProfile = z.output<typeof UserProfile>;

const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z
    .array(z.string())
    .nullable()
    .describe("null: all that its user may, but administration"),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});

export const NewUser = z.object({
  email: Email,
  password: NewPassword.optional(),
  name: Name,
  roles: z.array(Role).max(50).default(["user"]),
  clientId: Id.optional().describe(
    "Tenant of the new user; another than one's own only for administrators of the installation",
  ),
});
export const UserChange = z
  .object({
    email: Email,
    password: NewPassword,
    name: Name,
    roles: z.array(Role).max(50),
    disabled: z.boolean(),
  })
  .partial();
const byId = z.object({ id: z.uuid() });

export const usersContract = {
  ...knownUsersContract,
  ...revocationsContract,
  login: route({
    method: "post",
    path: "/api/v1/auth/login",
    access: "public",
    summary: "Sign in",
    body: z.object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1_000) }),
    ok: Tokens,
  }),
  refresh: route({
    method: "post",
    path: "/api/v1/auth/refresh",
    access: "public",
    summary: "New tokens for a refresh token, which is used up",
    body: z.object({ refreshToken: z.string().min(1).max(200) }),
    ok: Tokens,
  }),
  logout: route({
    method: "post",
    path: "/api/v1/auth/logout",
    access: "session",
    permission: "signed-in",
    summary: "End this session",
  }),
  me: route({
    method: "get",
    path: "/api/v1/auth/me",
    access: "jwt",
    permission: "signed-in",
    summary: "Who is signed in, and what their roles permit",
    ok: UserProfile.extend({ permissions: z.array(z.string()) }),
  }),
  changePassword: route({
    method: "post",
    path: "/api/v1/auth/password",
    access: "session",
    permission: "signed-in",
    summary: "Change the own password; every session ends",
    body: z.object({ currentPassword: z.string().min(1).max(1_000), newPassword: NewPassword }),
  }),
  signUp: route({
    method: "post",
    path: "/api/v1/auth/signup",
    access: "public",
    summary: "Make an account, where that is allowed",
    body: z.object({ email: Email, password: NewPassword, name: Name }),
    status: 201,
    ok: UserProfile,
  }),
  jwks: route({
    method: "get",
    path: "/.well-known/jwks.json",
    access: "public",
    summary: "Public keys of access tokens",
    ok: z.object({ keys: z.array(z.looseObject({ kid: z.string() })) }),
  }),
  createApiKey: route({
    method: "post",
    path: "/api/v1/auth/api-keys",
    access: "session",
    permission: "signed-in",
    summary: "Make an API key; it is shown this once",
    body: z.object({
      name: Name,
      scopes: z
        .array(Scope)
        .min(1)
        .max(100)
        .optional()
        .describe("What the key may do; default: all that its user may, but administration"),
      expiresAt: storableTime().optional(),
    }),
    status: 201,
    ok: ApiKey.extend({ key: z.string() }),
  }),
  listApiKeys: route({
    method: "get",
    path: "/api/v1/auth/api-keys",
    access: "session",
    permission: "signed-in",
    summary: "Own API keys",
    query: pageQuery,
    ok: pageOf(ApiKey),
  }),
  deleteApiKey: route({
    method: "delete",
    path: "/api/v1/auth/api-keys/:id",
    access: "session",
    permission: "signed-in",
    summary: "Revoke an API key",
    params: byId,
  }),
  verifyApiKey: route({
    method: "post",
    path: "/api/v1/auth/api-keys/verify",
    access: "user-secret",
    summary: "Whose API key this is",
    body: z.object({ key: z.string().max(200) }),
    ok: z.object({
      user: z.object({
        userId: z.string(),
        email: z.string(),
        name: z.string(),
        roles: z.array(z.string()),
        clientId: z.string(),
        scopes: z.array(z.string()).optional(),
      }),
    }),
  }),
  listUsers: route({
    method: "get",
    path: "/api/v1/users",
    access: "admin",
    permission: "user:administer",
    summary: "Users of one's tenant",
    query: pageQuery,
    ok: pageOf(UserProfile),
  }),
  createUser: route({
    method: "post",
    path: "/api/v1/users",
    access: "admin",
    permission: "user:administer",
    summary: "Make a user",
    body: NewUser,
    status: 201,
    ok: UserProfile.extend({
      password: z
        .string()
        .optional()
        .describe("Made for the user when none was given; shown this once"),
    }),
  }),
  getUser: route({
    method: "get",
    path: "/api/v1/users/:id",
    access: ["admin", "user-secret"],
    permission: "user:administer",
    summary: "One user",
    params: byId,
    ok: UserProfile,
  }),
  changeUser: route({
    method: "patch",
    path: "/api/v1/users/:id",
    access: "admin",
    permission: "user:administer",
    summary: "Change a user; disabling ends sessions and keys at once",
    params: byId,
    body: UserChange,
    ok: UserProfile,
  }),
  deleteUser: route({
    method: "delete",
    path: "/api/v1/users/:id",
    access: "admin",
    permission: "user:administer",
    summary: "Delete a user and what he owns, or give what he owns to another",
    params: byId,
    query: z.object({
      transferTo: z
        .uuid()
        .optional()
        .describe("Who gets what he owns; without it, that is deleted"),
    }),
  }),
  exportUser: route({
    method: "get",
    path: "/api/v1/users/:id/export",
    produces: ["application/x-ndjson"],
    access: "admin",
    permission: "user:administer",
    summary: "All that is held of a user, one JSON object a line",
    params: byId,
  }),
  exportMe: route({
    method: "get",
    path: "/api/v1/auth/me/export",
    produces: ["application/x-ndjson"],
    access: "jwt",
    permission: "account:export",
    summary: "All that is held of oneself, one JSON object a line",
  }),
  ...oidcContract,
  ...sharingContract,
  ...locksContract,
  ...groupsContract,
  ...permissionsContract,
  ...rolesContract,
  ...auditContract,
  ...personalContract,
  ...accountsContract,
};
