import type { Registry } from "prom-client";
import type { z } from "zod";
import type { Revocations } from "./auth/revocations.ts";
import type { Cache } from "./cache/cache.ts";
import type { Database } from "./db/database.ts";
import type { Files } from "./files/files.ts";
import type { Fetch } from "./http/call.ts";
import type { Guard } from "./http/guard.ts";
import type { Contract } from "./http/route.ts";
import type { Routes } from "./http/routes.ts";
import type { Outgoing } from "./outgoing/outgoing.ts";
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
  | "automations";

/** What a service is given to stand on. Nothing else reaches it from outside. */
export interface ServiceContext<Config> {
  /** Its own variables, validated. */
  config: Config;
  log: Logger;
  metrics: Registry;
  /** Its own schema is named after it. Present only when it declares `migrations`. */
  db: Database;
  queue: Queue;
  cache: Cache;
  /**
   * This process's copy of what was revoked; refreshed by whoever revokes, so that it holds at the
   * next request.
   */
  revocations: Pick<Revocations, "refresh">;
  /** Where bytes lie that are too many for the database. */
  files: Files;
  /**
   * A sibling's `fetch`, with the credential it asks for already attached: in process or over HTTP.
   */
  peer(name: ServiceName): Fetch;
  /** What the roles of a user permit, for decisions that a route alone cannot make. */
  guard: Guard;
  /** Whether an optional sibling is served here or has an address. */
  hasPeer(name: ServiceName): boolean;
  /** The only way to other servers: guarded against private addresses. */
  outgoing: Outgoing;
  /** Processes for work that is superlinear in what users send. */
  workers: Workers;
  /** The shared secrets, by name of the environment variable. */
  secrets: Secrets;
  /** Where users reach the server, without a slash at the end. */
  publicUrl: string;
  dataDir: string;
  /** Aborts when draining has ended and what is left must stop. */
  signal: AbortSignal;
}

/** Environment variables as they come. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Empty where an installation has none: no credential matches it. */
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
  /** What it serves, where its configuration leaves out some of what it declares. */
  contract?: Contract;
  /** Named parts that readiness and health ask; a check throws when its part is down. */
  checks?: Record<string, Check>;
  /** The same for checks that call other servers: only `doctor` makes them. */
  inspections?(): Promise<Record<string, () => Promise<void>>>;
  /**
   * Starts what runs without a request (consumers, watchers), once every service of the process is
   * built.
   */
  start?(): Promise<void>;
  /** Lines that tell the person at the terminal what the first start made (how to sign in). */
  welcome?(): Promise<string[]>;
  /** Ends what it started; called after requests and jobs have drained. */
  close?(): Promise<void>;
}

export interface ServiceDefinition<Config extends z.ZodObject = z.ZodObject> {
  name: ServiceName;
  /** Its port when it is served alone, as the requirements name it. */
  port: number;
  contract: Contract;
  /** Its environment variables: each key is a variable, each with a `.describe()`. */
  config: Config;
  /** A folder of `NNNN_name.sql`; the service gets a database when it has one. */
  migrations?: URL;
  /**
   * The schema that the migrations make, where it is another service's: the document store has
   * several. Default: its own.
   */
  schema?: ServiceName;
  /** Whether it publishes or consumes messages. */
  queue?: boolean;
  /** Siblings that it cannot do without: each is in the process or found at its URL. */
  needs?: readonly ServiceName[] | ((env: Environment) => readonly ServiceName[]);
  /** Siblings that it calls only where they are in the process or have a URL. */
  uses?: readonly ServiceName[];
  /** Whether it encrypts what it stores, with ENCRYPTION_KEY. */
  encrypts?: boolean;
  create(context: ServiceContext<z.output<Config>>): Promise<Service>;
}

/** Declares a service: the default export of its `service.ts`. */
export function defineService<Config extends z.ZodObject>(
  definition: ServiceDefinition<Config>,
): ServiceDefinition<Config> {
  return definition;
}
