import type { Registry } from "prom-client";
import type { z } from "zod";
import type { Consumer, Job, Subscription } from "./background/job.ts";
import type { WorkLoop } from "./background/work-loop.ts";
import type { Revocations } from "./auth/revocations.ts";
import type { Cache } from "./cache/cache.ts";
import type { Database } from "./db/database.ts";
import type { Files } from "./files/files.ts";
import type { Fetch } from "./http/call.ts";
import type { Guard } from "./http/guard.ts";
import type { Contract } from "./http/route.ts";
import type { Routes } from "./http/routes.ts";
import type { Leases } from "./lease/leases.ts";
import type { Endpoints, Outgoing } from "./outgoing/outgoing.ts";
import type { Queue } from "./queue/queue.ts";
import type { Check } from "./telemetry/health.ts";
import type { Logger } from "./telemetry/log.ts";
import type { Workers } from "./workers/workers.ts";

export type ServiceName =
  | "agent"
  | "tool-gateway"
  | "completion"
  | "core"
  | "documents"
  | "parser"
  | "pdf-backend"
  | "embedding"
  | "retrieval"
  | "integrations"
  | "users"
  | "automations"
  | "web"
  | "sandbox";

/** Everything that the server passes to a service. A service reads nothing else from outside. */
export interface ServiceContext<Config> {
  /** Its own variables, validated. */
  config: Config;
  log: Logger;
  metrics: Registry;
  /** Throws when read by a service that declares no `migrations`. */
  db: Database;
  /** Throws when read by a service that declares no `migrations`. */
  leases: Leases;
  queue: Queue;
  cache: Cache;
  /**
   * This process's copy of revocations. Code that revokes something refreshes it, so that the next
   * request is refused.
   */
  revocations: Pick<Revocations, "refresh">;
  /** Storage for files that are too large for the database. */
  files: Files;
  /**
   * The `fetch` of another service, in process or over HTTP, with the required credential attached.
   */
  peer(name: ServiceName): Fetch;
  /** Checks the permissions of a user, for decisions that a route alone cannot make. */
  guard: Guard;
  /** Whether an optional peer runs in this process or has an address. */
  hasPeer(name: ServiceName): boolean;
  /** Makes all outgoing calls, and refuses private addresses. */
  outgoing: Outgoing;
  /** Calls providers and tool servers, also at the private addresses that administrators allow. */
  endpoints: Endpoints;
  /** Processes for work that is superlinear in what users send. */
  workers: Workers;
  /** The shared secrets, by name of the environment variable. */
  secrets: Secrets;
  /** The URL at which users reach the server, without a trailing slash. */
  publicUrl: string;
  /** Other sites whose scripts may call the API with a key. */
  allowedOrigins: readonly string[];
  dataDir: string;
  /** Aborts when the drain at shutdown has ended: remaining work must stop. */
  signal: AbortSignal;
}

/** Unvalidated environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A secret that is not configured is an empty text, which no credential matches. */
export interface Secrets {
  MCP_SERVICE_SECRET: string;
  COMPLETION_SERVICE_SECRET: string;
  USER_SERVICE_SECRET: string;
  SERVICE_SECRET: string;
  /** 32 bytes, base64: encrypts secrets at rest. */
  ENCRYPTION_KEY: string;
}

export interface Service {
  routes: Routes;
  /** The routes it serves, when its configuration disables some of the declared ones. */
  contract?: Contract;
  /** Named checks for readiness and health. A check throws when its part is down. */
  checks?: Record<string, Check>;
  /** Checks that call other servers. Only `doctor` runs them. */
  inspections?(): Promise<Record<string, () => Promise<void>>>;
  /** Queues whose messages it handles. */
  consumers?: readonly Consumer[];
  /** Work that it repeats. */
  jobs?: readonly Job[];
  /** Rows that it works on. */
  workLoops?: readonly WorkLoop[];
  /** Notifications of the database that it reacts to. */
  subscriptions?: readonly Subscription[];
  /** Lines for the terminal after the start, such as how to sign in. */
  startupMessages?(): Promise<string[]>;
  /** Closes what `create` opened. Requests and background work have ended by then. */
  close?(): PromiseLike<void>;
}

export interface ServiceDefinition<Config extends z.ZodObject = z.ZodObject> {
  name: ServiceName;
  /** Its default port when it runs alone. */
  port: number;
  contract: Contract;
  /** Its environment variables: each key is a variable, each with a `.describe()`. */
  config: Config;
  /** A folder of `NNNN_name.sql`; the service gets a database when it has one. */
  migrations?: URL;
  /** The database schema of the migrations. Default: the service's name. */
  schema?: ServiceName;
  /** Whether it publishes or consumes messages. */
  queue?: boolean;
  /** Peers that it requires: each runs in the process or has a URL. */
  needs?: readonly ServiceName[] | ((env: Environment) => readonly ServiceName[]);
  /** Peers that it calls only when they run in the process or have a URL. */
  uses?: readonly ServiceName[];
  /** Whether it encrypts stored data with ENCRYPTION_KEY. */
  encrypts?: boolean;
  /** Makes, beside the code, what its first use would wait for. It runs at each installation. */
  prepare?(): Promise<void>;
  create(context: ServiceContext<z.output<Config>>): Promise<Service>;
}

/** Declares a service: the default export of its `service.ts`. */
export function defineService<Config extends z.ZodObject>(
  definition: ServiceDefinition<Config>,
): ServiceDefinition<Config> {
  return definition;
}
