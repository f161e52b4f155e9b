import { Routes } from "../../platform/http/routes.ts";
import { type AppDeps, appRoutes } from "./app/routes.ts";
import { brandingRoutes } from "./branding/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { groupsRoutes } from "./groups/routes.ts";
import { type AuthDeps, authRoutes } from "./auth/routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { userRoutes, type UsersDeps } from "./identity/routes.ts";
import { externalUserRoutes } from "./identity/routes-external.ts";
import { locksRoutes } from "./locks/routes.ts";
import type { Providers } from "./oidc/providers.ts";
import { oidcRoutes } from "./oidc/routes.ts";
import { personalRoutes } from "./personal/routes.ts";
import { rolesRoutes } from "./roles/routes.ts";
import { sharingRoutes } from "./sharing/routes.ts";

interface Deps extends AppDeps, AuthDeps, UsersDeps {
  publicUrl: string;
  providers: Providers;
  lockTtlMs: number;
  encryptionKey: string;
  maxMarks: number;
  maxShares: number;
  maxGroups: number;
  maxGroupsOfUser: number;
  maxMembers: number;
}

export function usersRoutes(deps: Deps): Routes {
  const routes = new Routes();
  authRoutes(routes, deps);
  appRoutes(routes, deps);
  brandingRoutes(routes, deps);
  sessionRoutes(routes, deps);
  userRoutes(routes, deps);
  externalUserRoutes(routes, deps);
  oidcRoutes(routes, deps);
  sharingRoutes(routes, deps);
  locksRoutes(routes, deps.db, deps.lockTtlMs);
  groupsRoutes(routes, deps);
  rolesRoutes(routes, deps);
  auditRoutes(routes, deps.db);
  personalRoutes(routes, deps);
  return routes;
}
