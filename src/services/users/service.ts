import { z } from "zod";
import {
  bytes,
  httpUrl,
  duration,
  flag,
  jsonOf,
  maximum,
} from "../../platform/config/schemas.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { defineService } from "../../platform/service.ts";
import { usersContract } from "./contract.ts";
import { ensureAdministrator } from "./sign-in/ensure-administrator.ts";
import { createGuessLimit } from "./sign-in/limit-guesses.ts";
import { recordGuessing } from "./sign-in/record-guessing.ts";
import { loadSigningKeys } from "./sign-in/signing-keys.ts";
import { createProviders, OidcProviders } from "./sign-in/oidc/providers.ts";
import { usersRoutes } from "./routes.ts";
import { reportOf, UserDeletion, userDeletionQueue } from "./contract-user-deletion.ts";
import { forgetUser } from "./user-deletion/delete-user-data.ts";
import { confirmDeletion } from "./user-deletion/find-deletion.ts";
import { recordReport } from "./user-deletion/deletion-parts.ts";

export default defineService({
  name: "users",
  port: 4000,
  contract: usersContract,
  config: z.object({
    PARLANCE_ADMIN_EMAIL: z
      .email()
      .default("admin@parlance.local")
      .describe("Email of the administrator that the first start creates"),
    PARLANCE_ADMIN_PASSWORD: z
      .string()
      .min(8, "must have at least 8 characters")
      .optional()
      .describe("Password of that administrator; generated and printed when unset")
      .meta({ secret: true }),
    SIGNUP_ENABLED: flag().default(false).describe("Whether anyone may create an account"),
    SIGN_IN_NETWORK_LIMIT: z.coerce
      .number()
      .int()
      .positive()
      .default(20)
      .describe(
        "Wrong passwords in 15 minutes from one address (IPv6: one /64), " +
          "for accounts that never signed in from there",
      ),
    ACCESS_TOKEN_TTL: duration()
      .refine((ms) => ms <= 86_400_000, "must be at most 86400000, a day")
      .default(900_000)
      .describe("Lifetime of an access token, in ms; at most a day"),
    REFRESH_TOKEN_TTL: z.coerce
      .number()
      .int()
      .positive()
      .default(30 * 86_400_000)
      .describe("Lifetime of a session without use, in ms"),
    CONFIRMATION_TTL: duration()
      .default(600_000)
      .describe(
        "How long after a password, or a fresh sign-in at the identity provider, administrators " +
          "may export data of others and set their passwords, in ms",
      ),
    EXTERNAL_USER_MAX_ABSENCE: z.coerce
      .number()
      .int()
      .min(3_600_000, "must be at least 3600000, an hour")
      .default(30 * 86_400_000)
      .describe(
        "How long automations and flow keys work for a user of another token issuer " +
          "after the user's last token, in ms",
      ),
    OIDC_PROVIDERS: jsonOf(OidcProviders)
      .default([])
      .describe(
        "Identity providers for signing in, as a JSON array " +
          "[{name, issuer, clientId, clientSecret?, …}]; see docs/identity.md",
      )
      .meta({ secret: true }),
    MCP_CLIENT_REGISTRATION: flag()
      .default(true)
      .describe(
        "Whether clients of MCP may register themselves at /mcp; without, only those with a client ID metadata document sign users in",
      ),
    SCIM_REQUESTS_PER_MINUTE: z.coerce
      .number()
      .int()
      .positive()
      .default(3_000)
      .describe(
        "Requests in a minute that an identity provider may send with one SCIM token",
      ),
    LOCK_TTL: duration()
      .default(300_000)
      .describe("Lifetime of an editing lock without renewal, in ms"),
    SHARES_PER_RESOURCE: maximum(1_000).describe(
      "Users and groups that one resource may be shared with",
    ),
    GROUPS_PER_TENANT: maximum(10_000).describe("Groups that one organisation may have"),
    GROUPS_PER_USER: maximum(1_000).describe(
      "Groups that one user may be a direct member of",
    ),
    MEMBERS_PER_GROUP: maximum(10_000).describe("Direct members that one group may have"),
    MARKS_PER_USER: maximum(10_000).describe(
      "Pins that one user may have, and likewise favourites and tags on resources",
    ),
    DOCUMENT_MAX_BYTES: bytes()
      .default(100 * 2 ** 20)
      .describe("Largest file that can be uploaded, in bytes"),
    FLOWENGINE_BASE_URL: httpUrl()
      .optional()
      .describe(
        "Where Langflow is, the flow provider; without it flows are off. A private address must be in OUTGOING_ALLOW",
      ),
    OPERATOR_CLIENT_ID: z
      .string()
      .min(1)
      .default("default")
      .describe("Tenant whose administrators administer the whole installation"),
    JWT_ISSUER: z.string().default("parlance").describe("`iss` of access tokens"),
    JWT_AUDIENCE: z.string().default("parlance").describe("`aud` of access tokens"),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  uses: ["core", "documents", "automations", "integrations", "parser", "tool-gateway"],
  encrypts: true,
  async create({
    config,
    db,
    cache,
    guard,
    revocations,
    queue,
    outgoing,
    secrets,
    peer,
    publicUrl,
    hasPeer,
  }) {
    const keys = await loadSigningKeys(db, secrets.ENCRYPTION_KEY);
    const administrator = await ensureAdministrator(
      db,
      config.OPERATOR_CLIENT_ID,
      config.PARLANCE_ADMIN_EMAIL,
      config.PARLANCE_ADMIN_PASSWORD,
    );
    return {
      routes: usersRoutes({
        db,
        cache,
        guard,
        guesses: createGuessLimit(cache, config.SIGN_IN_NETWORK_LIMIT, recordGuessing(db)),
        queue,
        peer,
        keys,
        revocations,
        issuer: config.JWT_ISSUER,
        audience: config.JWT_AUDIENCE,
        accessTtlMs: config.ACCESS_TOKEN_TTL,
        refreshTtlMs: config.REFRESH_TOKEN_TTL,
        confirmationMs: config.CONFIRMATION_TTL,
        operatorClientId: config.OPERATOR_CLIENT_ID,
        maxAbsenceMs: config.EXTERNAL_USER_MAX_ABSENCE,
        signUpOpen: config.SIGNUP_ENABLED,
        publicUrl,
        outgoing,
        encryptionKey: secrets.ENCRYPTION_KEY,
        maxUploadBytes: config.DOCUMENT_MAX_BYTES,
        features: {
          documents: hasPeer("documents"),
          retrieval: hasPeer("retrieval"),
          flows: hasPeer("integrations") && config.FLOWENGINE_BASE_URL !== undefined,
          automations: hasPeer("automations"),
        },
        lockTtlMs: config.LOCK_TTL,
        maxMarks: config.MARKS_PER_USER,
        maxShares: config.SHARES_PER_RESOURCE,
        maxGroups: config.GROUPS_PER_TENANT,
        maxGroupsOfUser: config.GROUPS_PER_USER,
        maxMembers: config.MEMBERS_PER_GROUP,
        clientsRegister: config.MCP_CLIENT_REGISTRATION,
        scimRequestsPerMinute: config.SCIM_REQUESTS_PER_MINUTE,
        providers: createProviders(config.OIDC_PROVIDERS, outgoing),
      }),
      consumers: [
        confirmedConsumer({
          queue: userDeletionQueue("users"),
          schema: UserDeletion,
          confirm: ({ userId }) => confirmDeletion(db, userId),
          handle: (deletion) => forgetUser(db, deletion),
          report: ({ userId }, outcome) =>
            recordReport(db, userId, reportOf("users", outcome)),
        }),
      ],
      subscriptions: [
        { channel: "revocations", onNotification: () => void revocations.refresh() },
      ],
      startupMessages: async () =>
        administrator ? announceAdministrator(administrator, publicUrl) : [],
    };
  },
});

function announceAdministrator(
  { email, password }: { email: string; password?: string | undefined },
  publicUrl: string,
): string[] {
  return [
    `Open ${publicUrl} in your browser, and sign in as the first administrator:`,
    `  email     ${email}`,
    password === undefined
      ? "  password  the one in PARLANCE_ADMIN_PASSWORD"
      : `  password  ${password}  (printed once: change it)`,
    password === undefined
      ? "The page then helps you to connect a model."
      : "The page then asks for a password of your own, and helps you to connect a model.",
  ];
}
