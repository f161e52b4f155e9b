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
  via: "jwt" | "key";
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

export function isAdmin(caller: Caller): boolean {
  return caller.kind === "user" && caller.roles.includes("admin");
}
