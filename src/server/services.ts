import type { ServiceDefinition, ServiceName } from "../platform/service.ts";

/** Every service; a process imports only those that it runs. */
export const SERVICES = {
  users: () => import("../services/users/service.ts"),
  core: () => import("../services/core/service.ts"),
  agent: () => import("../services/agent-loop/service.ts"),
  "tool-gateway": () => import("../services/tool-gateway/service.ts"),
  completion: () => import("../services/completion/service.ts"),
  automations: () => import("../services/automations/service.ts"),
  documents: () => import("../services/documents/service.ts"),
  parser: () => import("../services/parser/service.ts"),
  "pdf-backend": () => import("../services/parser/pdf-backend/service.ts"),
  integrations: () => import("../services/integrations/service.ts"),
  embedding: () => import("../services/embedding/service.ts"),
  web: () => import("../services/web/service.ts"),
  sandbox: () => import("../services/sandbox/service.ts"),
  retrieval: () => import("../services/retrieval/service.ts"),
} as const satisfies Partial<Record<ServiceName, () => Promise<{ default: unknown }>>>;

export type ServedName = keyof typeof SERVICES;

/** The definitions of all services, with their migrations, settings and contracts. */
export async function loadServices(): Promise<ServiceDefinition[]> {
  const loaded = await Promise.all(Object.values(SERVICES).map((load) => load()));
  // each is made by defineService
  return loaded.map((service) => service.default as unknown as ServiceDefinition);
}
