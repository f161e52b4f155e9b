import type { z } from "zod";

/**
 * Who may call a route. A route names one or several; any one of them is enough.
 * - `public`: anyone who reaches the port (health, docs, sign-in).
 * - `internal`: another service; without a credential on INTERNAL_PORT, with a credential of a user
 *   or the service secret on PORT.
 * - `jwt`: a user, by an access token or by an API key whose scopes cover the route's permission.
 * - `session`: a user, by an access token alone: what manages credentials.
 * - `key`: an API key alone, in `X-API-Key` or as a bearer.
 * - `admin`: a user with the role `admin`, for what is of the own tenant, by a token or by a key
 *   that names the permission; 403 for
 *   any other known user.
 * - `operator`: the same in the tenant that runs the installation, for what all tenants share.
 * - `flow-key`: a key that runs the flows it was granted (`fk_…` in `X-API-Key`), and opens nothing
 *   else.
 * - `agent-jwt`: an HS256 token of the agent service's own scheme, where AGENT_JWT_SECRET is set
 *   (requirements 1, Authentication).
 * - a secret: a header that carries a shared secret, compared in constant time.
 * Source: design "Who may call".
 */
export type Access =
  | "public"
  | "internal"
  | "jwt"
  | "session"
  | "key"
  | "flow-key"
  | "admin"
  | "operator"
  | "agent-jwt"
  | SecretName;

/** The largest JSON body of any route: parsing or writing more holds the event loop too long. */
export const MAX_BODY_BYTES = 12 * 1024 * 1024;
/** The most values in a JSON body of any route. */
export const MAX_BODY_VALUES = 50_000;
/** `resource:verb`, or `signed-in` for what every signed-in user may do, whatever their roles. */
export type RoutePermission = `${string}:${string}` | "signed-in";

/** The ways in that make a caller a user; a route with one of them names a permission. */
const USER_WAYS: readonly Access[] = [
  "jwt",
  "session",
  "key",
  "flow-key",
  "admin",
  "operator",
  "agent-jwt",
  "internal",
];

/** What every `flow-key` begins with. */
export const FLOW_KEY = "fk_";

/** The shared secrets between services, each with the environment variable that holds it. */
export type SecretName = "service-secret" | "mcp-secret" | "completion-secret" | "user-secret";

/** What a caller sees of an error. */
export interface ErrorView {
  status: number;
  code: string;
  message: string;
  details?: unknown;
}

type Method = "get" | "post" | "put" | "patch" | "delete";
type Schema = z.ZodType;

/** A file as a body: multipart/form-data with it in `file`, after the fields; or its bare bytes. */
export interface Upload {
  as: readonly ("multipart" | "bytes")[];
  fields?: z.ZodObject;
}

/**
 * One route of a contract: what validates requests, types clients and makes the OpenAPI document.
 * `events` is the schema of one event when the route can answer with a stream.
 */
export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Ok extends Schema = Schema,
  Event extends Schema = Schema,
> {
  method: Method;
  /** With `:name` for parameters, as in the requirements. */
  path: string;
  access: Access | readonly Access[];
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  /** JSON body. Absent: no body is read, unless `raw`. */
  body?: Body;
  /**
   * The handler reads `request` itself (uploads, another protocol); nothing is parsed or limited
   * here.
   */
  raw?: boolean;
  /** How a `raw` route takes a file: said in the OpenAPI document. */
  upload?: Upload;
  /** Headers that mean something here, with what they mean: said in the OpenAPI document. */
  headers?: Readonly<Record<string, string>>;
  /** Status of success. Default 200. */
  status?: number;
  /**
   * What JSON answers hold; an answer is built from it, so a field that it does not name never
   * leaves.
   */
  ok?: Ok;
  stream?: "sse" | "ndjson";
  events?: Event;
  /** As many streams of this route, counted apart, may a user have open beside all others. */
  streamLimit?: number;
  /** Largest JSON body in bytes, at most `MAX_BODY_BYTES`. Default 1 MB. */
  maxBody?: number;
  /**
   * Most values in a JSON body, at any level, at most `MAX_BODY_VALUES`. Default `MAX_JSON_VALUES`.
   */
  maxValues?: number;
  /** What a user's roles, and the scopes of an API key, must permit. */
  permission?: RoutePermission;
  /** What a known user without the role `admin` gets. Default 403. */
  notAdmin?: 401;
  /** The status of an error where the route may answer fewer than others do. */
  statusOf?: (status: number) => number;
  /** The body of errors where the route speaks another protocol than ours, and its schema. */
  errorBody?: (error: ErrorView) => object;
  errorSchema?: z.ZodType;
  /** Other statuses of success with the same body, and when each is answered. */
  also?: Readonly<Record<number, string>>;
  /**
   * Failures of this route alone, and when each is answered. See `openapi-responses.ts` for shared
   * ones.
   */
  failures?: Readonly<Record<number, string>>;
  /** Media types of a route that answers with a file. */
  produces?: readonly string[];
  /** Left out of the OpenAPI document (none but protocol endpoints). */
  hidden?: boolean;
}

/** Declares a route; only its types are of interest. */
export function route<
  Params extends Schema = z.ZodUndefined,
  Query extends Schema = z.ZodUndefined,
  Body extends Schema = z.ZodUndefined,
  Ok extends Schema = z.ZodUndefined,
  Event extends Schema = z.ZodNever,
>(definition: Route<Params, Query, Body, Ok, Event>): Route<Params, Query, Body, Ok, Event> {
  return definition;
}

/** Any route, whatever its schemas. `any` because schemas are invariant in a generic position. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRoute = Route<any, any, any, any, any>;

/** The routes of a service by name: its front door. */
export type Contract = Record<string, AnyRoute>;

/** What a client gives. Fields that a route does not declare must be absent. */
export type RouteInput<R extends AnyRoute> = Given<"params", R["params"], "input"> &
  Given<"query", R["query"], "input"> &
  Given<"body", R["body"], "input">;

/** What a handler takes: validated, defaults filled in. */
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

/** The ways in of a route. */
export function waysInto({ access }: Pick<AnyRoute, "access">): readonly Access[] {
  return typeof access === "string" ? [access] : access;
}

/** Whether users may call a route, or services and anonymous clients alone. */
export function isForUsers(route: Pick<AnyRoute, "access">): boolean {
  return waysInto(route).some((way) => USER_WAYS.includes(way));
}
