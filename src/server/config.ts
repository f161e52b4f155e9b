import { z } from "zod";
import {
  duration,
  flag,
  headerSecret,
  host,
  list,
  origins,
  port,
  proxies,
  secret,
  httpUrl,
  url,
} from "../platform/config/schemas.ts";
import { isLoopback, type TrustedProxies } from "../platform/http/client-address.ts";

/** Variables of the server itself: ports, data stores, credentials. Each service adds its own. */
const fields = z.object({
  PORT: port()
    .optional()
    .describe(
      "Port for users. Default: 4000 for all services, the service's own port when it runs alone",
    ),
  HOST: host()
    .default("127.0.0.1")
    .describe("Address that PORT listens on; 0.0.0.0 for all"),
  INTERNAL_PORT: port()
    .optional()
    .describe(
      "Port for services. It accepts internal routes without a credential; 0 turns it off. Default: PORT + 1, or PORT + 10000 when only some services run",
    ),
  INTERNAL_HOST: host()
    .default("127.0.0.1")
    .describe("Address that INTERNAL_PORT listens on. Never use a public one"),
  DEV_OPEN_SERVICE_ROUTES: flag()
    .default(false)
    .describe(
      "For development only: PORT, too, accepts internal routes without a credential. Refused with PUBLIC_URL, a trusted proxy or a HOST beyond loopback",
    ),
  PUBLIC_URL: httpUrl()
    .optional()
    .describe("URL at which users reach Parlance behind a reverse proxy"),
  TRUST_PROXY: flag()
    .default(false)
    .describe("One reverse proxy is in front, and its X-Forwarded-For is trusted"),
  TRUSTED_PROXIES: proxies()
    .optional()
    .describe(
      "Reverse proxies in front whose X-Forwarded-For is trusted: their addresses and CIDR ranges, comma-separated, or how many there are in a row. Default: 1 with TRUST_PROXY, otherwise none",
    ),
  CORS_ORIGINS: origins()
    .default([])
    .describe(
      "Other sites whose scripts may call the API with a key, comma-separated, such as https://chat.example.org",
    ),
  MCP_VIEW_ORIGINS: origins()
    .default([])
    .describe(
      "Sites that views of tools' results (MCP Apps) may load files from and ask, where they declare them, comma-separated; without any they have no network",
    ),
  DATA_DIR: z
    .string()
    .default("./data")
    .describe("Folder for the embedded database, keys and files"),
  WEB_APP_DIR: z
    .string()
    .optional()
    .describe(
      "Folder of a built web app. Default: web/dist, which npm run build:web writes",
    ),
  SMALL_MACHINE: z
    .enum(["auto", "yes", "no"])
    .default("auto")
    .describe(
      "Whether to save memory: the embedded database peaks at 0.4 GB instead of 0.9, and searches take about a third longer. `auto`: when less than 1.5 GB may be used",
    ),
  DATABASE_URL: url("postgres", "postgresql")
    .optional()
    .describe("PostgreSQL 16+ with pgvector, instead of the embedded database"),
  AMQP_URL: url("amqp", "amqps")
    .optional()
    .describe("RabbitMQ, instead of the queue in the database"),
  AMQP_QUEUES: z
    .enum(["quorum", "plain"])
    .default("quorum")
    .describe(
      "How queues are declared at RabbitMQ: as `quorum` queues, or `plain`: durable and without arguments, for consumers of other systems that assert them so",
    ),
  UNSIGNED_MESSAGES: z
    .enum(["limited", "refused"])
    .default("limited")
    .describe(
      "Messages of other systems at RabbitMQ, which have no signature: `limited` to what can neither grant nor delete anything, or `refused`",
    ),
  REDIS_URL: url("redis", "rediss")
    .optional()
    .describe("Redis or Valkey, instead of memory"),
  NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]*$/, "lower-case letters, digits, dashes")
    .default("")
    .describe("Prefix that separates several installations on one RabbitMQ and one Redis"),
  S3_BUCKET: z
    .string()
    .optional()
    .describe(
      "Bucket for uploaded files, instead of the data folder; the other S3_… settings belong to it",
    ),
  S3_ENDPOINT: httpUrl()
    .optional()
    .describe(
      "URL of the S3 server, such as http://minio:9000. Default: Amazon's, for the region",
    ),
  S3_REGION: z.string().default("us-east-1").describe("Region of the bucket"),
  S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("Key that may read, write, delete and list in the bucket"),
  S3_SECRET_ACCESS_KEY: secret().optional().describe("Secret of S3_ACCESS_KEY_ID"),
  S3_PREFIX: z
    .string()
    .default("")
    .describe("Prefix of all object keys, such as parlance/"),
  FILES_ENCRYPTION_KEY: secret()
    .optional()
    .describe(
      "32 bytes in base64 that encrypt all stored files, for every service the same; earlier keys after commas still open files. Back it up: without it no file can be read. Unset, files are stored as they are",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "silent"])
    .default("info")
    .describe("Least severe level that is logged, as JSON lines on standard error"),
  JWT_JWKS_URL: httpUrl()
    .optional()
    .describe(
      "URL of the public keys (JWKS) that verify access tokens. Default: the users service",
    ),
  JWT_PUBLIC_KEY: z
    .string()
    .optional()
    .describe("Public key (PEM) that verifies access tokens, instead of JWT_JWKS_URL"),
  JWT_ISSUER: z.string().default("parlance").describe("`iss` of access tokens"),
  JWT_AUDIENCE: z.string().default("parlance").describe("`aud` of access tokens"),
  OPERATOR_CLIENT_ID: z
    .string()
    .min(1)
    .default("default")
    .describe("Tenant whose administrators administer the whole installation"),
  AGENT_JWT_SECRET: secret()
    .optional()
    .describe("Lets the agent loop accept HS256 tokens signed with this secret"),
  OUTGOING_ALLOW: list()
    .default([])
    .describe(
      "Private hosts, host:port or CIDR ranges that outgoing calls may reach, comma-separated; `private` allows all private networks",
    ),
  OUTGOING_GRANTS: flag()
    .default(true)
    .describe(
      "Whether the operator's administrators may allow private addresses for providers and tool servers",
    ),
  USER_STREAM_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(20)
    .describe("Streams that a user may have open at once, on all replicas together"),
  STREAM_EXPIRY_GRACE: duration()
    .refine((ms) => ms <= 3_600_000, "must be at most 3600000, an hour")
    .default(60_000)
    .describe("How long an open stream outlives the access token that opened it, in ms"),
  REQUEST_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1_000)
    .describe(
      "Requests on PORT that a process works on at once; more get 503 `server_busy`",
    ),
  SHUTDOWN_TIMEOUT: duration()
    .default(30_000)
    .describe("Time that requests and jobs in progress have to end at shutdown, in ms"),
  MCP_SERVICE_SECRET: headerSecret()
    .optional()
    .describe("Shared secret of the tool gateway; generated at the first start when unset"),
  COMPLETION_SERVICE_SECRET: headerSecret()
    .optional()
    .describe(
      "Shared secret of the completion service; generated at the first start when unset",
    ),
  USER_SERVICE_SECRET: headerSecret()
    .optional()
    .describe(
      "Shared secret of the users service; generated at the first start when unset",
    ),
  SERVICE_SECRET: headerSecret()
    .optional()
    .describe(
      "Credential for internal routes on PORT; messages at RabbitMQ and entries of Redis are signed with a key of it. Generated at the first start when unset",
    ),
  ENCRYPTION_KEY: secret()
    .optional()
    .describe(
      "32 bytes in base64 that encrypt stored secrets; generated at the first start when unset. Back it up: without it they cannot be decrypted",
    ),
  COMPLETION_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the completion service runs, when it is in another process"),
  MCP_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the tool gateway runs, when it is in another process"),
  LLM_CORE_URL: httpUrl()
    .optional()
    .describe("URL at which core runs, when it is in another process"),
  AGENT_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the agent loop runs, when it is in another process"),
  AUTOMATIONS_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the automations service runs, when it is in another process"),
  DOCUMENTS_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the documents service runs, when it is in another process"),
  PARSER_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the parser service runs, when it is in another process"),
  EMBEDDING_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the embedding service runs, when it is in another process"),
  RETRIEVAL_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the retrieval service runs, when it is in another process"),
  INTEGRATIONS_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the integrations service runs, when it is in another process"),
  WEB_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the web service runs, when it is in another process"),
  SANDBOX_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the sandbox service runs, when it is in another process"),
  USER_SERVICE_URL: httpUrl()
    .optional()
    .describe("URL at which the users service runs, when it is in another process"),
});

export const serverConfig = fields.superRefine((config, context) => {
  if (!config.DEV_OPEN_SERVICE_ROUTES || !isReachedFromOutside(config)) return;
  context.addIssue({
    code: "custom",
    path: ["DEV_OPEN_SERVICE_ROUTES"],
    message: "must not be set when other machines reach PORT: call INTERNAL_PORT instead",
  });
});

export type ServerConfig = z.output<typeof serverConfig>;

/** The settings that say who reaches PORT. */
interface Reach {
  HOST: string;
  PUBLIC_URL?: string | undefined;
  TRUST_PROXY: boolean;
  TRUSTED_PROXIES?: TrustedProxies | undefined;
}

/** The proxies in front of PORT. TRUST_PROXY alone is one proxy, at any address. */
export function trustedProxies({
  TRUST_PROXY,
  TRUSTED_PROXIES,
}: Pick<Reach, "TRUST_PROXY" | "TRUSTED_PROXIES">) {
  return TRUSTED_PROXIES ?? (TRUST_PROXY ? 1 : undefined);
}

/** Whether INTERNAL_PORT answers without a credential: only where one process is all there is. */
export function isOpenInternally(
  config: Reach & { INTERNAL_HOST: string },
  hasPeersApart: boolean,
): boolean {
  return (
    isLoopback(config.INTERNAL_HOST) && !isReachedFromOutside(config) && !hasPeersApart
  );
}

/** Whether others than programs of this machine reach PORT. */
export function isReachedFromOutside(config: Reach): boolean {
  return (
    !isLoopback(config.HOST) ||
    config.PUBLIC_URL !== undefined ||
    trustedProxies(config) !== undefined
  );
}
