import type { ErrorParams } from "./errors.ts";
import type { z } from "zod";
import type { Changes } from "../changes/contract-changes.ts";

/**
 * Who may call a route. A route names one or several kinds; any one of them is enough.
 * - `public`: anyone who reaches the port (health, docs, sign-in).
 * - `local`: anyone on INTERNAL_PORT, and on a PORT that only programs of this machine reach. With
 *   `public`, others get in, too, and the handler sees by the caller who may read details.
 * - `internal`: another service: without a credential on INTERNAL_PORT, with a user's credential or
 *   the service secret on PORT.
 * - `jwt`: a user, with an access token or an API key whose scopes cover the route's permission.
 * - `session`: a user, with an access token only. For routes that manage credentials.
 * - `key`: an API key only, in `X-API-Key` or as a bearer token.
 * - `admin`: an administrator of the tenant, with a token or with a key that names the permission.
 *   Other known users get a 403.
 * - `operator`: an administrator of the tenant that runs the installation. For what all tenants
 *   share.
 * - `flow-key`: a key that only runs the flows it was granted (`fk_…` in `X-API-Key`).
 * - `agent-jwt`: an HS256 token of the agent loop, if AGENT_JWT_SECRET is set. See
 *   docs/agents.md.
 * - `mcp-token`: a user, with a token that they granted to a client of MCP. For `/mcp` alone.
 * - `scim-token`: an identity provider, with a token that an administrator made for it.
 * - a secret: a header with a shared secret, compared in constant time.
 * See docs/identity.md.
 */
export type Access =
  | "public"
  | "local"
  | "internal"
  | "jwt"
  | "session"
  | "key"
  | "flow-key"
  | "admin"
  | "operator"
  | "agent-jwt"
  | "mcp-token"
  | "scim-token"
  | SecretName;

/** The largest JSON body of any route. Parsing or writing more blocks the event loop too long. */
export const MAX_BODY_BYTES = 12 * 1024 * 1024;
/** The most values in a JSON body of any route. */
export const MAX_BODY_VALUES = 50_000;
/** `resource:verb`, or `signed-in` for what every signed-in user may do, whatever their roles. */
export type RoutePermission = `${string}:${string}` | "signed-in";

/** The kinds of access by which a user calls. A route with one of them names a permission. */
const USER_WAYS: readonly Access[] = [
  "jwt",
  "session",
  "key",
  "flow-key",
  "admin",
  "operator",
  "agent-jwt",
  "mcp-token",
  "internal",
];

/** The prefix of every flow key. */
export const FLOW_KEY = "fk_";
/** The prefix of every token of a client of MCP. */
export const MCP_TOKEN = "mcp_";
/** The prefix of every token of an identity provider. */
export const SCIM_TOKEN = "scim_";

/** The shared secrets between services, each with the environment variable that holds it. */
export type SecretName =
  | "service-secret"
  | "mcp-secret"
  | "completion-secret"
  | "user-secret";

/** The part of an error that a caller sees. */
export interface ErrorView {
  status: number;
  code: string;
  message: string;
  details?: unknown;
  params?: ErrorParams | undefined;
}

type Method = "get" | "post" | "put" | "patch" | "delete";
type Schema = z.ZodType;

/**
 * A file as a body: multipart/form-data with the file in `file` after the fields, or bare bytes.
 */
export interface Upload {
  as: readonly ("multipart" | "bytes")[];
  fields?: z.ZodObject;
  /** The fields of files in place of `file`; the first is required. */
  files?: Readonly<Record<string, "one" | "several">>;
}

/**
 * One route of a contract. It validates requests, types clients and describes the route in the
 * OpenAPI document. `events` is the schema of one event of a streamed answer.
 */
export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Ok extends Schema = Schema,
  Event extends Schema = Schema,
> {
  method: Method;
  /** Parameters are written as `:name`. */
  path: string;
  access: Access | readonly Access[];
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  /** JSON body. Absent: no body is read, unless `raw`. */
  body?: Body;
  /** A body, for the OpenAPI document. Absent: one is made from the schema. */
  example?: z.input<Body>;
  /**
   * The handler reads `request` itself (uploads, another protocol); nothing is parsed or limited
   * here.
   */
  raw?: boolean;
  /** How a `raw` route accepts a file, for the OpenAPI document. */
  upload?: Upload;
  /** Headers that the route reads, with their descriptions, for the OpenAPI document. */
  headers?: Readonly<Record<string, string>>;
  /** Headers of success that clients need, with their descriptions, for the OpenAPI document. */
  okHeaders?: Readonly<Record<string, string>>;
  /** Status of success. Default 200. */
  status?: number;
  /** The JSON answer. It is built from this schema, so that fields outside it are never sent. */
  ok?: Ok;
  stream?: "sse" | "ndjson";
  events?: Event;
  /**
   * The number of streams of this route that a user may have open, counted separately from others.
   */
  streamLimit?: number;
  /** For a stream that only waits for events: it ends at once when the server shuts down. */
  endsAtShutdown?: boolean;
  /** Largest JSON body in bytes, at most `MAX_BODY_BYTES`. Default 1 MB. */
  maxBody?: number;
  /**
   * Most values in a JSON body, at any level, at most `MAX_BODY_VALUES`. Default `MAX_JSON_VALUES`.
   */
  maxValues?: number;
  /** What a user's roles, and the scopes of an API key, must permit. */
  permission?: RoutePermission;
  /**
   * What a user changes with it, so that pages read it again. `"none"`: nothing that other pages
   * show, or only services call it, and what the user asked them for is announced instead.
   */
  changes?: Changes;
  /** What a known user without the role `admin` gets. Default 403. */
  notAdmin?: 401;
  /** Maps the status of an error, for a protocol that has others than ours. */
  statusOf?: (status: number, code?: string) => number;
  /** The media type of JSON answers, for a protocol that has its own. */
  mediaType?: string;
  /** The body of errors, and its schema, for a protocol other than ours. */
  errorBody?: (error: ErrorView) => object;
  errorSchema?: z.ZodType;
  /** Other statuses of success with the same body, and when each is answered. */
  also?: Readonly<Record<number, string>>;
  /**
   * Failures of this route only, and when each occurs. `openapi-responses.ts` has the shared ones.
   */
  failures?: Readonly<Record<number, string>>;
  /** Media types of a route that answers with a file. */
  produces?: readonly string[];
  /** Left out of the OpenAPI document (none but protocol endpoints). */
  hidden?: boolean;
}

/** A route that may change something says what. The start refuses one that does not, too. */
type Declared = { method: "get" } | { method: Exclude<Method, "get">; changes: Changes };

/** Declares a route and infers its types. */
export function route<
  Params extends Schema = z.ZodUndefined,
  Query extends Schema = z.ZodUndefined,
  Body extends Schema = z.ZodUndefined,
  Ok extends Schema = z.ZodUndefined,
  Event extends Schema = z.ZodNever,
>(
  definition: Route<Params, Query, Body, Ok, Event> & Declared,
): Route<Params, Query, Body, Ok, Event> {
  return definition;
}

/** Any route, whatever its schemas. `any` because schemas are invariant in a generic position. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRoute = Route<any, any, any, any, any>;

/** The routes of a service, by name. */
export type Contract = Record<string, AnyRoute>;

/** What a client sends. Fields that a route does not declare must be absent. */
export type RouteInput<R extends AnyRoute> = Given<"params", R["params"], "input"> &
  Given<"query", R["query"], "input"> &
  Given<"body", R["body"], "input">;

/** What a handler receives: validated, with defaults applied. */
export type RouteTaken<R extends AnyRoute> = Given<"params", R["params"], "output"> &
  Given<"query", R["query"], "output"> &
  Given<"body", R["body"], "output">;

export type RouteOk<R extends AnyRoute> =
  Exclude<R["ok"], undefined> extends infer S extends Schema ? z.output<S> : undefined;
export type RouteOkInput<R extends AnyRoute> =
  Exclude<R["ok"], undefined> extends infer S extends Schema
    ? S extends z.ZodUndefined
      ? void
      : z.input<S>
    : void;
export type RouteEvent<R extends AnyRoute> =
  Exclude<R["events"], undefined> extends infer S extends Schema ? z.output<S> : never;

type Given<Key extends string, S, Side extends "input" | "output"> =
  Exclude<S, undefined> extends infer T extends Schema
    ? T extends z.ZodUndefined
      ? unknown
      : { [K in Key]: Side extends "input" ? z.input<T> : z.output<T> }
    : unknown;

/** Returns the kinds of access of a route. */
export function waysInto({ access }: Pick<AnyRoute, "access">): readonly Access[] {
  return typeof access === "string" ? [access] : access;
}

/** Whether users may call a route, not only services and anonymous clients. */
export function isForUsers(route: Pick<AnyRoute, "access">): boolean {
  return waysInto(route).some((way) => USER_WAYS.includes(way));
}
