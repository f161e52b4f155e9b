import { Routes } from "../../platform/http/routes.ts";
import { externalUserRoutes } from "./accounts/routes-external.ts";
import { userRoutes, type UsersDeps } from "./accounts/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { brandingRoutes } from "./branding/routes.ts";
import { groupsRoutes } from "./groups/routes.ts";
import { labelsRoutes } from "./labels/routes.ts";
import { locksRoutes } from "./locks/routes.ts";
import { type McpClientsDeps, mcpClientsRoutes } from "./mcp-clients/routes.ts";
import { personalRoutes } from "./personal/routes.ts";
import { rolesRoutes } from "./roles/routes.ts";
import { scimRoutes } from "./scim/routes.ts";
import { sharingRoutes } from "./sharing/routes.ts";
import type { Providers } from "./sign-in/oidc/providers.ts";
import { oidcRoutes } from "./sign-in/oidc/routes.ts";
import { type AppDeps, appRoutes } from "./sign-in/routes-app.ts";
import { sessionRoutes } from "./sign-in/routes-sessions.ts";
import { type SignInDeps, signInRoutes } from "./sign-in/routes.ts";

interface Deps extends AppDeps, SignInDeps, UsersDeps, McpClientsDeps {
  publicUrl: string;
  providers: Providers;
  lockTtlMs: number;
  encryptionKey: string;
  maxMarks: number;
  maxShares: number;
  maxGroups: number;
  maxGroupsOfUser: number;
  maxMembers: number;
  scimRequestsPerMinute: number;
}

export function usersRoutes(deps: Deps): Routes {
  const routes = new Routes();
  signInRoutes(routes, deps);
  appRoutes(routes, deps);
  brandingRoutes(routes, deps);
  sessionRoutes(routes, deps);
  userRoutes(routes, deps);
  externalUserRoutes(routes, deps);
  oidcRoutes(routes, deps);
  sharingRoutes(routes, deps);
  labelsRoutes(routes, deps);
  locksRoutes(routes, deps.db, deps.lockTtlMs);
  groupsRoutes(routes, deps);
  rolesRoutes(routes, deps);
  auditRoutes(routes, deps.db);
  personalRoutes(routes, deps);
  scimRoutes(routes, deps);
  mcpClientsRoutes(routes, deps);
  return routes;
}
