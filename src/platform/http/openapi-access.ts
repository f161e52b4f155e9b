import { SECRET_HEADERS } from "./access.ts";
import { type Access, type AnyRoute, waysInto } from "./route.ts";

const CALLERS: Record<Access, string> = {
  public: "anybody, without a credential",
  local: "programs of the same machine",
  internal: "other services",
  jwt: "users with an access token or an API key",
  session: "users with an access token",
  key: "users with an API key",
  admin: "administrators",
  operator: "administrators of the tenant that runs the installation",
  "flow-key": "programs with a key of the flow",
  "agent-jwt": "the agent loop",
  "mcp-token": "clients of MCP that a user signed in to",
  "scim-token": "identity providers with a SCIM token",
  "service-secret": "services with the shared secret",
  "mcp-secret": "services with the secret of the tool gateway",
  "completion-secret": "services with the secret of the completion service",
  "user-secret": "services with the secret of the user service",
};

/** Who may call a route, and what they need for it. */
export function describeUse(route: AnyRoute): string {
  const callers = waysInto(route).map((way) => CALLERS[way]);
  const last = callers.at(-1) ?? "";
  const list = callers.length > 1 ? `${callers.slice(0, -1).join(", ")} and ${last}` : last;
  const { permission } = route;
  const needs =
    permission === undefined || permission === "signed-in"
      ? ""
      : ` Needs the permission \`${permission}\`, which an API key has by its scopes.`;
  return `For ${list}.${needs}`;
}

/** The credentials that a route takes, any of them. */
export function securityOf(access: Access | readonly Access[]): object[] {
  const token = { accessToken: [] };
  const key = { apiKey: [] };
  const requirements = waysInto({ access }).flatMap((way): object[] => {
    if (way === "public") return [{}];
    if (way === "local") return [];
    // PORT, which the document describes, asks for a credential
    if (way === "internal") return [{ "service-secret": [] }, token, key];
    if (way === "jwt" || way === "admin" || way === "operator") return [token, key];
    if (way === "session" || way === "agent-jwt") return [token];
    if (way === "key" || way === "flow-key") return [key];
    return [{ [way]: [] }];
  });
  return [...new Map(requirements.map((one) => [JSON.stringify(one), one])).values()];
}

/** How each of them is sent. */
export function securitySchemes(): object {
  const secrets = Object.entries(SECRET_HEADERS).map(([name, header]) => [
    name,
    header === "authorization"
      ? { type: "http", scheme: "bearer" }
      : { type: "apiKey", in: "header", name: header },
  ]);
  return {
    accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
    "scim-token": { type: "http", scheme: "bearer" },
    "mcp-token": { type: "http", scheme: "bearer" },
    ...Object.fromEntries(secrets),
  };
}
