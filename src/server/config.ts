import { z } from "zod";
import {
  duration,
  flag,
  headerSecret,
  host,
  list,
  port,
  secret,
  httpUrl,
  url,
} from "../platform/config/schemas.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/** Variables of the server itself: ports, data stores, credentials. Each service adds its own. */
const fields = z.object({
  PORT: port()
    .optional()
    .describe(
      "Port for users. Default: 4000 for all services, the service's own port when one is served alone",
    ),
  HOST: host().default("127.0.0.1").describe("Address that PORT listens on; 0.0.0.0 for all"),
  INTERNAL_PORT: port()
    .optional()
    .describe(
      "Port for services, which asks no credential for routes between services; 0 turns it off. Default: PORT + 1, or PORT + 10000 when only some services are served",
    ),
  INTERNAL_HOST: host()
    .default("127.0.0.1")
    .describe("Address that INTERNAL_PORT listens on; never one that strangers reach"),
  DEV_OPEN_SERVICE_ROUTES: flag()
    .default(false)
    .describe(
      "For development only: PORT, too, asks no credential for routes between services. Refused with PUBLIC_URL, TRUST_PROXY or a HOST beyond loopback",
    ),
  PUBLIC_URL: httpUrl()
    .optional()
    .describe("Where users reach Parlance, when a proxy stands in front"),
  TRUST_PROXY: flag().default(false).describe("Believe X-Forwarded-For of the proxy in front"),
  DATA_DIR: z
    .string()
    .default("./data")
    .describe("Folder for the embedded database, keys and files"),
  DATABASE_URL: url("postgres", "postgresql")
    .optional()
    .describe("PostgreSQL 16+ with pgvector, instead of the embedded database"),
  AMQP_URL: url("amqp", "amqps")
    .optional()
    .describe("RabbitMQ, instead of the queue in the database"),
  REDIS_URL: url("redis", "rediss").optional().describe("Redis or Valkey, instead of memory"),
  NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]*$/, "lower-case letters, digits, dashes")
    .default("")
    .describe("Keeps several installations apart on one RabbitMQ and one Redis"),
  S3_BUCKET: z
    .string()
    .optional()
    .describe("Bucket for uploaded files, instead of the data folder; takes the four S3_… below"),
  S3_ENDPOINT: httpUrl()
    .optional()
    .describe("Where S3 is, such as http://minio:9000; default: Amazon's, by the region"),
  S3_REGION: z.string().default("us-east-1").describe("Region of the bucket"),
  S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("Key that may read, write, delete and list in the bucket"),
  S3_SECRET_ACCESS_KEY: secret().optional().describe("Its secret"),
  S3_PREFIX: z
    .string()
    .default("")
    .describe("What the keys of the files begin with, such as parlance/"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "silent"])
    .default("info")
    .describe("How much is logged, as JSON lines on standard error"),
  JWT_JWKS_URL: httpUrl()
    .optional()
    .describe("Public keys of access tokens; default: the built-in identity"),
  JWT_PUBLIC_KEY: z
    .string()
    .optional()
    .describe("A public key (PEM) of access tokens, instead of JWT_JWKS_URL"),
  JWT_ISSUER: z.string().default("parlance").describe("`iss` of access tokens"),
  JWT_AUDIENCE: z.string().default("parlance").describe("`aud` of access tokens"),
  OPERATOR_CLIENT_ID: z
    .string()
    .min(1)
    .default("default")
    .describe("Tenant whose administrators administer the whole installation"),
  AGENT_JWT_SECRET: secret()
    .optional()
    .describe("Lets the agent service take HS256 tokens signed with this secret"),
  OUTGOING_ALLOW: list()
    .default([])
    .describe(
      "Hosts, host:port or CIDR ranges that may be called although they are private, comma-separated; `private` for all private networks",
    ),
  USER_STREAM_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(20)
    .describe("Streams that a user may have open at once, by all ways in and on all replicas"),
  SHUTDOWN_TIMEOUT: duration()
    .default(30_000)
    .describe("How long running work may take to end at shutdown, in ms"),
  MCP_SERVICE_SECRET: headerSecret()
    .optional()
    .describe("Shared secret of the tool gateway; made at first start when unset"),
  COMPLETION_SERVICE_SECRET: headerSecret()
    .optional()
    .describe("Shared secret of the completion service; made at first start when unset"),
  USER_SERVICE_SECRET: headerSecret()
    .optional()
    .describe("Shared secret of the users service; made at first start when unset"),
  SERVICE_SECRET: headerSecret()
    .optional()
    .describe(
      "Opens routes between services where no network does; made at first start when unset",
    ),
  ENCRYPTION_KEY: secret()
    .optional()
    .describe(
      "32 bytes in base64 that encrypt stored secrets; made at first start when unset. Keep it: without it they cannot be read",
    ),
  COMPLETION_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the completion service is, when it runs elsewhere"),
  MCP_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the tool gateway is, when it runs elsewhere"),
  LLM_CORE_URL: httpUrl()
    .optional()
    .describe("Where the conversation core is, when it runs elsewhere"),
  AGENT_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the agent service is, when it runs elsewhere"),
  AUTOMATIONS_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the automations service is, when it runs elsewhere"),
  DOCUMENTS_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the documents service is, when it runs elsewhere"),
  PARSER_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the parser service is, when it runs elsewhere"),
  EMBEDDING_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the embedding service is, when it runs elsewhere"),
  RETRIEVAL_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the retrieval service is, when it runs elsewhere"),
  INTEGRATIONS_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the integrations service is, when it runs elsewhere"),
  USER_SERVICE_URL: httpUrl()
    .optional()
    .describe("Where the users service is, when it runs elsewhere"),
});

export const serverConfig = fields.superRefine((config, context) => {
  const { DEV_OPEN_SERVICE_ROUTES: open, HOST, PUBLIC_URL, TRUST_PROXY } = config;
  if (!open || (LOOPBACK.includes(HOST) && !PUBLIC_URL && !TRUST_PROXY)) return;
  context.addIssue({
    code: "custom",
    path: ["DEV_OPEN_SERVICE_ROUTES"],
    message: "must not be set where others reach PORT: call INTERNAL_PORT instead",
  });
});

export type ServerConfig = z.output<typeof serverConfig>;
