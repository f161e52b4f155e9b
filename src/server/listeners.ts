import type { App } from "../platform/http/app.ts";
import { type Listener, listen } from "../platform/http/server.ts";
import type { ServiceDefinition } from "../platform/service.ts";
import type { ServerConfig } from "./config.ts";
import { siblingUrls } from "./peers.ts";

const DEFAULT_PORT = 4000;
const MAX_PORT = 65_535;
/** From PORT to the default of INTERNAL_PORT: with all services in the process, and with some. */
const NEXT_PORT = 1;
const NEXT_PORT_APART = 10_000;

interface Ports {
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
  const usual = allServices ? DEFAULT_PORT : (definitions[0]?.port ?? DEFAULT_PORT);
  const port = config.PORT ?? usual;
  if (config.INTERNAL_PORT === 0) return { public: port, internal: undefined };
  const step = allServices ? NEXT_PORT : NEXT_PORT_APART;
  return { public: port, internal: config.INTERNAL_PORT ?? nextPort(port, step) };
}

/** Opens PORT, then INTERNAL_PORT unless it is off, and adds each to `listeners`. */
export async function openListeners(
  app: Pick<App, "fetch">,
  config: ServerConfig,
  ports: Ports,
  listeners: Listener[],
): Promise<void> {
  const { HOST, INTERNAL_HOST, TRUST_PROXY, DEV_OPEN_SERVICE_ROUTES } = config;
  listeners.push(
    await listen(app, {
      port: ports.public,
      host: HOST,
      listener: "public",
      trustProxy: TRUST_PROXY,
      openServiceRoutes: DEV_OPEN_SERVICE_ROUTES,
    }),
  );
  if (ports.internal === undefined) return;
  listeners.push(
    await listen(app, {
      port: ports.internal,
      host: INTERNAL_HOST,
      listener: "internal",
      setting: "INTERNAL_PORT",
    }),
  );
}

/**
 * Ports of this machine that no outgoing call reaches: our own, and the default INTERNAL_PORT of
 * services that run apart on the same machine.
 */
export function guardedPorts(config: ServerConfig, listeners: readonly Listener[]) {
  const apart = siblingUrls(config)
    .map((url) => Number(new URL(url).port))
    .filter((port) => port > 0)
    .map((port) => nextPort(port, NEXT_PORT_APART));
  return [...listeners.map(({ port }) => port), ...apart];
}

function nextPort(port: number, step: number): number {
  if (port === 0) return 0;
  return port + step > MAX_PORT ? port - step : port + step;
}
