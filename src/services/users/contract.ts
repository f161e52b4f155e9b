import { z } from "zod";
import { flagText, storableTime } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { accountNoticesContract } from "./contract-account-notices.ts";
import { accountsContract } from "./contract-flow-accounts.ts";
import { brandingContract } from "./contract-branding.ts";
import { appContract, MIN_PASSWORD_CHARACTERS } from "./contract-app.ts";
import { ChosenTools } from "./contract-chosen-tools.ts";
import { auditContract } from "./contract-audit.ts";
import { groupsContract } from "./contract-groups.ts";
import { externalUsersContract } from "./contract-external-users.ts";
import { knownUsersContract } from "./contract-known-users.ts";
import { labelsContract } from "./contract-labels.ts";
import { locksContract } from "./contract-locks.ts";
import { mcpClientsContract } from "./contract-mcp-clients.ts";
import { oidcContract } from "./contract-oidc.ts";
import { permissionsContract, Scope } from "./contract-permissions.ts";
import { personalContract } from "./contract-personal.ts";
import { revocationsContract } from "./contract-revocations.ts";
import { RoleName as Role, rolesContract } from "./contract-roles.ts";
import { scimContract } from "./contract-scim.ts";
import { scimTokensContract } from "./contract-scim-tokens.ts";
import { sessionsContract } from "./contract-sessions.ts";
import { sharingContract } from "./contract-sharing.ts";
import { Email, Id, text } from "./contract-subjects.ts";
import { Tokens } from "./contract-tokens.ts";
import { userAccessContract } from "./contract-user-access.ts";
import {
  deletionsContract,
  readDeletion,
  TransferQuery,
} from "./contract-user-deletion.ts";

const NewPassword = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, `at least ${MIN_PASSWORD_CHARACTERS} characters`)
  .max(1_000);
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
    .describe("null: everything that its user may do, except administration"),
  tools: z
    .array(z.string())
    .nullable()
    .describe("Tools that it may run at `/mcp`: `server` or `server/tool`; null: all"),
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
    "Tenant of the new user; only administrators of the installation may name another tenant",
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
export const UserQuery = pageQuery.extend({
  query: text(200).optional().describe("Part of the name or email"),
  role: Role.optional().describe("Only users who have it themselves or through a group"),
  disabled: flagText().optional(),
  sort: z.enum(["created", "name"]).default("created"),
});
const byId = z.object({ id: z.uuid() });

export const usersContract = {
  ...externalUsersContract,
  ...knownUsersContract,
  ...revocationsContract,
  readDeletion,
  ...deletionsContract,
  ...sessionsContract,
  ...accountNoticesContract,
  ...appContract,
  ...brandingContract,
  ...mcpClientsContract,
  login: route({
    method: "post",
    path: "/api/v1/auth/login",
    access: "public",
    changes: "none",
    summary: "Sign in",
    failures: { 401: "The email or the password is wrong." },
    body: z.object({
      email: z.string().min(1).max(320),
      password: z.string().min(1).max(1_000),
    }),
    ok: Tokens,
  }),
  refresh: route({
    method: "post",
    path: "/api/v1/auth/refresh",
    access: "public",
    changes: "none",
    summary: "Exchange a refresh token for new tokens; it works once",
    failures: { 401: "The refresh token is not valid any more." },
    description:
      "Within ten seconds a used refresh token is accepted again, since two tabs or threads may " +
      "refresh at the same time. Later use ends the session.",
    body: z.object({ refreshToken: z.string().min(1).max(200) }),
    ok: Tokens,
  }),
  logout: route({
    method: "post",
    path: "/api/v1/auth/logout",
    access: "session",
    permission: "signed-in",
    changes: "session",
    summary: "End this session",
  }),
  me: route({
    method: "get",
    path: "/api/v1/auth/me",
    access: "jwt",
    permission: "signed-in",
    summary: "Read the signed-in user and their permissions",
    ok: UserProfile.extend({
      id: z.string().describe("Any text for a user of another issuer"),
      permissions: z.array(z.string()),
      passwordIsTemporary: z
        .boolean()
        .describe("Whether an administrator chose it; the web app asks for another one"),
    }),
  }),
  changePassword: route({
    method: "post",
    path: "/api/v1/auth/password",
    access: "session",
    permission: "signed-in",
    changes: "session",
    summary: "Change the caller's password and end all their sessions",
    body: z.object({
      currentPassword: z.string().min(1).max(1_000),
      newPassword: NewPassword,
    }),
  }),
  signUp: route({
    method: "post",
    path: "/api/v1/auth/signup",
    access: "public",
    changes: "none",
    summary: "Create an account, where sign-up is enabled",
    body: z.object({ email: Email, password: NewPassword, name: Name }),
    status: 201,
    ok: UserProfile,
  }),
  jwks: route({
    method: "get",
    path: "/.well-known/jwks.json",
    access: "public",
    summary: "Public keys that verify access tokens (RFC 7517)",
    ok: z.object({ keys: z.array(z.looseObject({ kid: z.string() })) }),
  }),
  createApiKey: route({
    method: "post",
    path: "/api/v1/auth/api-keys",
    access: "session",
    permission: "signed-in",
    changes: "session",
    summary: "Create an API key; only this response contains it",
    body: z.object({
      name: Name,
      scopes: z
        .array(Scope)
        .min(1)
        .max(100)
        .optional()
        .describe("Default: everything that its user may do, except administration"),
      tools: ChosenTools.optional().describe(
        "Tools that it may run at `/mcp`: `server` for all of one, or `server/tool` by the name that " +
          "`GET /api/v1/tools` lists. Default: those that its user may run",
      ),
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
    summary: "List the caller's API keys",
    query: pageQuery,
    ok: pageOf(ApiKey),
  }),
  deleteApiKey: route({
    method: "delete",
    path: "/api/v1/auth/api-keys/:id",
    access: "session",
    permission: "signed-in",
    changes: "session/:id",
    summary: "Revoke an API key",
    params: byId,
  }),
  verifyApiKey: route({
    method: "post",
    path: "/api/v1/auth/api-keys/verify",
    access: "user-secret",
    changes: "none",
    summary: "Read the user of an API key",
    body: z.object({ key: z.string().max(200) }),
    ok: z.object({
      user: z.object({
        userId: z.string(),
        email: z.string(),
        name: z.string(),
        roles: z.array(z.string()),
        clientId: z.string(),
        scopes: z.array(z.string()).optional(),
        tools: z.array(z.string()).optional(),
      }),
      keyId: z.string().optional().describe("What the list of revocations calls the key"),
      expiresAt: z.iso.datetime().nullable().optional(),
    }),
  }),
  listUsers: route({
    method: "get",
    path: "/api/v1/users",
    access: "admin",
    permission: "user:administer",
    summary: "List the users of the caller's organisation",
    query: UserQuery,
    ok: pageOf(UserProfile),
  }),
  createUser: route({
    method: "post",
    path: "/api/v1/users",
    access: "admin",
    permission: "user:administer",
    changes: "user",
    summary: "Create a user",
    body: NewUser,
    status: 201,
    ok: UserProfile.extend({
      password: z
        .string()
        .optional()
        .describe("Generated when none was given; only this response contains it"),
    }),
  }),
  getUser: route({
    method: "get",
    path: "/api/v1/users/:id",
    access: ["admin", "user-secret"],
    permission: "user:administer",
    summary: "Read a user",
    params: byId,
    ok: UserProfile,
  }),
  changeUser: route({
    method: "patch",
    path: "/api/v1/users/:id",
    access: "admin",
    permission: "user:administer",
    changes: "user/:id",
    summary: "Change a user; disabling a user ends their sessions and API keys at once",
    params: byId,
    body: UserChange,
    ok: UserProfile,
  }),
  deleteUser: route({
    method: "delete",
    path: "/api/v1/users/:id",
    access: "admin",
    permission: "user:administer",
    changes: "user/:id",
    summary: "Delete a user, and delete or transfer their data",
    params: byId,
    query: TransferQuery,
  }),
  exportUser: route({
    method: "get",
    path: "/api/v1/users/:id/export",
    produces: ["application/x-ndjson"],
    access: "admin",
    permission: "user:administer",
    summary: "Export all data of a user, one JSON object per line",
    params: byId,
  }),
  exportMe: route({
    method: "get",
    path: "/api/v1/auth/me/export",
    produces: ["application/x-ndjson"],
    access: "jwt",
    permission: "account:export",
    summary: "Export all data of the caller, one JSON object per line",
  }),
  ...oidcContract,
  ...sharingContract,
  ...labelsContract,
  ...locksContract,
  ...groupsContract,
  ...userAccessContract,
  ...permissionsContract,
  ...rolesContract,
  ...auditContract,
  ...personalContract,
  ...accountsContract,
  ...scimTokensContract,
  ...scimContract,
};
