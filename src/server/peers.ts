import { SECRET_HEADERS } from "../platform/http/access.ts";
import type { App } from "../platform/http/app.ts";
import type { Fetch } from "../platform/http/call.ts";
import { Unavailable } from "../platform/http/errors.ts";
import type { Remotes } from "../platform/http/remote.ts";
import type { SecretName } from "../platform/http/route.ts";
import type { Secrets, ServiceName } from "../platform/service.ts";
import type { ServerConfig } from "./config.ts";

/** For each service that others call: where it is found when it runs elsewhere, and the secret that it asks for. */
const DIRECTORY: Partial<Record<ServiceName, { url: keyof ServerConfig; secret: SecretName }>> = {
  automations: { url: "AUTOMATIONS_SERVICE_URL", secret: "service-secret" },
  agent: { url: "AGENT_SERVICE_URL", secret: "service-secret" },
  completion: { url: "COMPLETION_SERVICE_URL", secret: "completion-secret" },
  documents: { url: "DOCUMENTS_SERVICE_URL", secret: "service-secret" },
  embedding: { url: "EMBEDDING_SERVICE_URL", secret: "service-secret" },
  retrieval: { url: "RETRIEVAL_SERVICE_URL", secret: "service-secret" },
  parser: { url: "PARSER_SERVICE_URL", secret: "service-secret" },
  integrations: { url: "INTEGRATIONS_SERVICE_URL", secret: "service-secret" },
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

const IN_PROCESS = { listener: "in-process", peer: "in-process", trusted: true } as const;

interface Deps {
  here: readonly ServiceName[];
  config: ServerConfig;
  secrets: Secrets;
  remotes: Remotes;
  app: () => App;
}

/** The way to each sibling: a function call when it is in the process, HTTP otherwise; its secret goes along on both. */
export function peersOf({
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
      return refusedNowhere(name, (request) =>
        app().fetch(withHeaders(request, headers), IN_PROCESS),
      );
    const address = entry && config[entry.url];
    if (typeof address !== "string") throw new Error(missingPeer(name));
    // both secrets: the service's own, and the one that opens routes between services on its edge
    return refusedNowhere(
      name,
      remotes.to(address, { ...secretHeader("service-secret", secrets), ...headers }),
    );
  };
}

/** Where services run apart, as far as the configuration says. */
export function siblingUrls(config: ServerConfig): string[] {
  return Object.values(DIRECTORY)
    .map(({ url }) => config[url])
    .filter((url) => typeof url === "string");
}

/** Sentences about siblings that are neither in the process nor found by an address. */
export function missingPeers(
  needed: readonly ServiceName[],
  here: readonly ServiceName[],
  config: { [Variable in keyof ServerConfig]?: unknown },
): string[] {
  return needed
    .filter((name) => !here.includes(name) && !(DIRECTORY[name] && config[DIRECTORY[name].url]))
    .map(missingPeer);
}

function missingPeer(name: ServiceName): string {
  const variable = DIRECTORY[name]?.url;
  return variable
    ? `${variable}: the ${name} service is not served here; set the address where it is.`
    : `The ${name} service is not served here.`;
}

function secretHeader(name: SecretName, secrets: Secrets): Record<string, string> {
  const value = secrets[SECRET_VARIABLES[name]];
  return { [SECRET_HEADERS[name]]: name === "completion-secret" ? `Bearer ${value}` : value };
}

function withHeaders(request: Request, headers: Record<string, string>): Request {
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return request;
}

/** A sibling that refuses our own secret is a fault of the installation, not of the user who asked. */
function refusedNowhere(name: ServiceName, fetch: Fetch): Fetch {
  return async (request) => {
    const response = await fetch(request);
    if (response.status !== 401 || name === "users") return response;
    await response.body?.cancel();
    throw new Unavailable(
      "sibling_refused",
      `The ${name} service refused our secret. Set the same secrets for every service and restart.`,
    );
  };
}
