import type { App } from "../platform/http/app.ts";
import { type Listener, listen } from "../platform/http/server.ts";
import type { ServiceDefinition } from "../platform/service.ts";
import {
  type ServerConfig,
  isOpenInternally,
  isReachedFromOutside,
  trustedProxies,
} from "./config.ts";
import { peerUrls } from "./peers.ts";
const DEFAULT_PORT = 4000;
const MAX_PORT = 65_535;
/** INTERNAL_PORT minus PORT by default, when the process runs all services. */
const INTERNAL_PORT_OFFSET = 1;
/** The same when it runs only some. */
const INTERNAL_PORT_OFFSET_APART = 10_000;

export interface Ports {
  public: number;
  /** Undefined: INTERNAL_PORT is off. */
  internal: number | undefined;
}

/** The ports that the configuration asks for; 0 stands for a free one. */
export function portsOf(
  config: ServerConfig,
  allServices: boolean,
  definitions: readonly ServiceDefinition[],
): Ports {
  const defaultPort = allServices ? DEFAULT_PORT : (definitions[0]?.port ?? DEFAULT_PORT);
  const port = config.PORT ?? defaultPort;
  if (config.INTERNAL_PORT === 0) return { public: port, internal: undefined };
  const offset = allServices ? INTERNAL_PORT_OFFSET : INTERNAL_PORT_OFFSET_APART;
  return { public: port, internal: config.INTERNAL_PORT ?? addOffset(port, offset) };
}

/** Opens PORT, then INTERNAL_PORT unless it is off, and adds each to `listeners`. */
export async function openListeners(
  app: Pick<App, "fetch">,
  config: ServerConfig,
  ports: Ports,
  listeners: Listener[],
): Promise<void> {
  const { HOST, INTERNAL_HOST, DEV_OPEN_SERVICE_ROUTES, REQUEST_LIMIT } = config;
  listeners.push(
    await listen(app, {
      port: ports.public,
      host: HOST,
      listener: "public",
      trustedProxies: trustedProxies(config),
      allowedOrigins: config.CORS_ORIGINS,
      openServiceRoutes: DEV_OPEN_SERVICE_ROUTES,
      isLocal: !isReachedFromOutside(config),
      maxPendingRequests: REQUEST_LIMIT,
    }),
  );
  if (ports.internal === undefined) return;
  listeners.push(
    await listen(app, {
      port: ports.internal,
      host: INTERNAL_HOST,
      listener: "internal",
      openServiceRoutes: opensInternally(config),
      isLocal: true,
      setting: "INTERNAL_PORT",
    }),
  );
}

/** Whether INTERNAL_PORT answers services without a credential. */
export function opensInternally(config: ServerConfig): boolean {
  return isOpenInternally(config, peerUrls(config).length > 0);
}

/** The number of INTERNAL_PORT, if it is known and services need no credential there. */
export function openInternalPort(
  config: ServerConfig,
  { internal }: Ports,
): number | undefined {
  return opensInternally(config) && internal !== 0 ? internal : undefined;
}

/** Closes the listeners and empties the list, so that a second call does nothing. */
export async function closeListeners(listeners: Listener[]): Promise<void> {
  await Promise.all(listeners.splice(0).map((listener) => listener[Symbol.asyncDispose]()));
}

/**
 * Ports of this machine that outgoing calls must not reach: those of this process, and the default
 * INTERNAL_PORT of services in other processes of the same machine.
 */
export function guardedPorts(config: ServerConfig, listeners: readonly Listener[]) {
  const apart = peerUrls(config)
    .map((url) => Number(new URL(url).port))
    .filter((port) => port > 0)
    .map((port) => addOffset(port, INTERNAL_PORT_OFFSET_APART));
  return [...listeners.map(({ port }) => port), ...apart];
}

function addOffset(port: number, offset: number): number {
  if (port === 0) return 0;
  return port + offset > MAX_PORT ? port - offset : port + offset;
}
