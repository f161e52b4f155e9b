import { Unauthorized } from "./errors.ts";

/** The caller, as far as the credential of the request proves it. */
export type Caller = User | ServiceCaller | ScimClient | Anonymous;

export interface User {
  kind: "user";
  userId: string;
  email: string;
  name: string;
  roles: readonly string[];
  /** The tenant. */
  clientId: string;
  /** Whether the tenant runs the installation. */
  isOfOperator?: boolean;
  /** `mcp`: a client of MCP, by what the user granted it. */
  via: "jwt" | "key" | "mcp" | "flow-key";
  /** Scopes of the API key or of the grant. Absent: all. */
  scopes?: readonly string[];
  /** What the API key may run at `/mcp`: names of tool servers, or `server/tool`. Absent: all. */
  tools?: readonly string[];
}

/** Another service, or an operator on the internal listener. */
export interface ServiceCaller {
  kind: "service";
}

/** The identity provider of a tenant, which manages the tenant's users and groups by SCIM. */
export interface ScimClient {
  kind: "scim";
  tokenId: string;
  clientId: string;
}

export interface Anonymous {
  kind: "anonymous";
}

/** An administrator of the caller's own tenant. */
export function isAdmin(caller: Caller): boolean {
  return caller.kind === "user" && caller.roles.includes("admin");
}

/**
 * An administrator of the tenant that runs the installation, who manages what all tenants share.
 */
export function isOperator(caller: Caller): boolean {
  return caller.kind === "user" && caller.isOfOperator === true && isAdmin(caller);
}

/** Returns the calling user. @throws Unauthorized for any other caller. */
export function userOf(caller: Caller): User {
  if (caller.kind !== "user")
    throw new Unauthorized("credentials_required", "Sign in first.");
  return caller;
}
