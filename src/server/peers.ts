import { SECRET_HEADERS } from "../platform/http/access.ts";
import type { App } from "../platform/http/app.ts";
import type { Fetch } from "../platform/http/call.ts";
import { Unavailable } from "../platform/http/errors.ts";
import type { Remotes } from "../platform/http/remote.ts";
import type { SecretName } from "../platform/http/route.ts";
import type { Secrets, ServiceName } from "../platform/service.ts";
import type { ServerConfig } from "./config.ts";

/** The services that other services call: the setting of the address, and the required secret. */
export const DIRECTORY: Partial<
  Record<ServiceName, { url: keyof ServerConfig; secret: SecretName }>
> = {
  automations: { url: "AUTOMATIONS_SERVICE_URL", secret: "service-secret" },
  agent: { url: "AGENT_SERVICE_URL", secret: "service-secret" },
  completion: { url: "COMPLETION_SERVICE_URL", secret: "completion-secret" },
  documents: { url: "DOCUMENTS_SERVICE_URL", secret: "service-secret" },
  embedding: { url: "EMBEDDING_SERVICE_URL", secret: "service-secret" },
  retrieval: { url: "RETRIEVAL_SERVICE_URL", secret: "service-secret" },
  parser: { url: "PARSER_SERVICE_URL", secret: "service-secret" },
  integrations: { url: "INTEGRATIONS_SERVICE_URL", secret: "service-secret" },
  web: { url: "WEB_SERVICE_URL", secret: "service-secret" },
  sandbox: { url: "SANDBOX_SERVICE_URL", secret: "service-secret" },
  core: { url: "LLM_CORE_URL", secret: "service-secret" },
  "tool-gateway": { url: "MCP_SERVICE_URL", secret: "mcp-secret" },
  users: { url: "USER_SERVICE_URL", secret: "user-secret" },
};

/** The environment variable behind each secret. */
export const SECRET_VARIABLES: Record<SecretName, keyof Secrets> = {
  "service-secret": "SERVICE_SECRET",
  "mcp-secret": "MCP_SERVICE_SECRET",
  "completion-secret": "COMPLETION_SERVICE_SECRET",
  "user-secret": "USER_SERVICE_SECRET",
};

const IN_PROCESS = {
  listener: "in-process",
  peer: "in-process",
  trusted: true,
  isLocal: true,
} as const;

interface Deps {
  here: readonly ServiceName[];
  config: ServerConfig;
  secrets: Secrets;
  remotes: Remotes;
  app: () => App;
}

/**
 * Returns a `fetch` for each service: a function call when it runs in this process, HTTP otherwise.
 * Both send its secret.
 */
export function createPeers({
  here,
  config,
  secrets,
  remotes,
  app,
}: Deps): (name: ServiceName) => Fetch {
  return (name) => {
    const entry = DIRECTORY[name];
    const headers = entry ? secretHeader(entry.secret, secrets) : {};
    if (here.includes(name))
      return toPeer(name, (request) =>
        app().fetch(withHeaders(request, headers), IN_PROCESS),
      );
    const address = entry && config[entry.url];
    if (typeof address !== "string")
      throw new Unavailable("service_not_configured", describeMissingPeer(name));
    // two secrets: the service's own, and the one that its PORT requires for internal routes
    return toPeer(
      name,
      remotes.to(address, { ...secretHeader("service-secret", secrets), ...headers }),
    );
  };
}

/** The configured addresses of services in other processes. */
export function peerUrls(config: ServerConfig): string[] {
  return Object.values(DIRECTORY)
    .map(({ url }) => config[url])
    .filter((url) => typeof url === "string");
}

/** Whether a service runs in this process or has an address. */
export function isReachable(
  name: ServiceName,
  here: readonly ServiceName[],
  config: { [Variable in keyof ServerConfig]?: unknown },
): boolean {
  const entry = DIRECTORY[name];
  return here.includes(name) || (entry !== undefined && Boolean(config[entry.url]));
}

/** Says which setting makes an unreachable service reachable. */
export function describeMissingPeer(name: ServiceName): string {
  const variable = DIRECTORY[name]?.url;
  return variable
    ? `${variable}: the ${name} service does not run in this process. Set its address.`
    : `The ${name} service does not run in this process.`;
}

function secretHeader(name: SecretName, secrets: Secrets): Record<string, string> {
  const value = secrets[SECRET_VARIABLES[name]];
  if (value === "") return {};
  return {
    [SECRET_HEADERS[name]]: name === "completion-secret" ? `Bearer ${value}` : value,
  };
}

function withHeaders(request: Request, headers: Record<string, string>): Request {
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return request;
}

/**
 * Adds the name of a service for error messages. Turns a refused secret into 503: the installation
 * is misconfigured, and the user's own credential is fine.
 */
function toPeer(service: ServiceName, fetch: Fetch): Fetch {
  const checked = async (request: Request) => {
    const response = await fetch(request);
    if (response.status !== 401 || service === "users") return response;
    await response.body?.cancel();
    throw new Unavailable(
      "sibling_refused",
      `The ${service} service refused the secret of this process. Set the same secrets for every service and restart.`,
    );
  };
  return Object.assign(checked, { label: `The ${service} service` });
}
