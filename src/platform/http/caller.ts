import { Unauthorized } from "./errors.ts";

/** Who calls, as far as the credential of the request proves it. */
export type Caller = User | ServiceCaller | Anonymous;

export interface User {
  kind: "user";
  userId: string;
  email: string;
  name: string;
  roles: readonly string[];
  /** The tenant. */
  clientId: string;
  /** Whether it is the tenant that runs the installation. */
  isOfOperator?: boolean;
  via: "jwt" | "key" | "flow-key";
  /** Scopes of the API key; absent means all. */
  scopes?: readonly string[];
}

/** A sibling service, or an operator on the internal listener. */
export interface ServiceCaller {
  kind: "service";
}

export interface Anonymous {
  kind: "anonymous";
}

/** An administrator of the caller's own tenant. */
export function isAdmin(caller: Caller): boolean {
  return caller.kind === "user" && caller.roles.includes("admin");
}

/** An administrator of the tenant that runs the installation: of what all tenants share. */
export function isOperator(caller: Caller): boolean {
  return caller.kind === "user" && caller.isOfOperator === true && isAdmin(caller);
}

/** The user who calls. @throws Unauthorized for anybody else. */
export function userOf(caller: Caller): User {
  if (caller.kind !== "user") throw new Unauthorized("credentials_required", "Sign in first.");
  return caller;
}
