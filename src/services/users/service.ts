import { z } from "zod";
import { duration, flag, jsonOf, maximum } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { usersContract } from "./contract.ts";
import { ensureAdministrator } from "./identity/ensure-administrator.ts";
import { createGuessLimit } from "./identity/limit-guesses.ts";
import { recordGuessing } from "./identity/record-guessing.ts";
import { loadSigningKeys } from "./identity/signing-keys.ts";
import { createProviders, OidcProviders } from "./oidc/providers.ts";
import { usersRoutes } from "./routes.ts";

export default defineService({
  name: "users",
  port: 4000,
  contract: usersContract,
  config: z.object({
    PARLANCE_ADMIN_EMAIL: z
      .email()
      .default("admin@parlance.local")
      .describe("Email of the administrator that the first start makes"),
    PARLANCE_ADMIN_PASSWORD: z
      .string()
      .min(8, "must have at least 8 characters")
      .optional()
      .describe("Password of that administrator; made and printed when unset")
      .meta({ secret: true }),
    SIGNUP_ENABLED: flag().default(false).describe("Whether anyone may make an account"),
    SIGN_IN_NETWORK_LIMIT: z.coerce
      .number()
      .int()
      .positive()
      .default(20)
      .describe(
        "Wrong passwords in 15 minutes from one address (IPv6: one /64), for accounts that did not sign in from there before",
      ),
    ACCESS_TOKEN_TTL: duration()
      .refine((ms) => ms <= 86_400_000, "must be at most 86400000, a day")
      .default(900_000)
      .describe("How long an access token lives, in ms; a day at most"),
    REFRESH_TOKEN_TTL: z.coerce
      .number()
      .int()
      .positive()
      .default(30 * 86_400_000)
      .describe("How long a session lives without use, in ms"),
    OIDC_PROVIDERS: jsonOf(OidcProviders)
      .default([])
      .describe(
        "Identity providers to sign in with, as a JSON array [{name, issuer, clientId, clientSecret?, …}]; see docs/identity.md",
      )
      .meta({ secret: true }),
    LOCK_TTL: duration()
      .default(300_000)
      .describe("How long an editing lock holds without being renewed, in ms"),
    SHARES_PER_RESOURCE: maximum(1_000).describe(
      "Users and groups that one resource is shared with",
    ),
    MEMBERS_PER_GROUP: maximum(10_000).describe("Users that are in one group themselves"),
    MARKS_PER_USER: maximum(10_000).describe(
      "Pins that one user may have; as many favourites, and as many tags on resources",
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
  uses: ["core", "documents", "automations", "integrations", "parser"],
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
        // asked for exports alone, which say so where it cannot be reached
        peer,
        keys,
        revocations,
        issuer: config.JWT_ISSUER,
        audience: config.JWT_AUDIENCE,
        accessTtlMs: config.ACCESS_TOKEN_TTL,
        refreshTtlMs: config.REFRESH_TOKEN_TTL,
        signUpOpen: config.SIGNUP_ENABLED,
        publicUrl,
        encryptionKey: secrets.ENCRYPTION_KEY,
        lockTtlMs: config.LOCK_TTL,
        maxMarks: config.MARKS_PER_USER,
        maxShares: config.SHARES_PER_RESOURCE,
        maxMembers: config.MEMBERS_PER_GROUP,
        providers: createProviders(config.OIDC_PROVIDERS, outgoing),
      }),
      async startupMessages() {
        if (!administrator) return [];
        const password = administrator.password ?? "the one in PARLANCE_ADMIN_PASSWORD";
        return [
          "Created the first administrator. Sign in with:",
          `  email     ${administrator.email}`,
          `  password  ${password}${administrator.password ? "  (printed only once: change it)" : ""}`,
          `  POST ${publicUrl}/api/v1/auth/login`,
        ];
      },
    };
  },
});
