import { errors, jwtVerify } from "jose";
import sql from "sql-template-tag";
import { z } from "zod";
import type { Limit } from "../../../../platform/cache/cache.ts";
import { StorableId } from "../../../../platform/http/bounds.ts";
import { BadRequest, TooManyRequests } from "../../../../platform/http/errors.ts";
import { readJsonText } from "../../../../platform/http/read-body.ts";
import { purgeRevocations, revokeSessions } from "../revocations-store.ts";
import type { SessionDeps } from "../sessions.ts";
import { type DiscoveredProvider, unreachable } from "./providers.ts";

/** Anybody may send these requests, and each may cost a signature. */
export const LOGOUTS: Limit = { name: "oidc-logout", points: 600, durationMs: 60_000 };

const MAX_FORM_BYTES = 32 * 1024;
/** A token that was kept back ends nothing that began after it. */
const MAX_AGE_SECONDS = 300;
const CLOCK_SECONDS = 60;
const TYPES = ["logout+jwt", "application/logout+jwt", "jwt"];
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Never those whose key is a secret that both know, or none. */
const ALGORITHMS = ["RS", "PS", "ES"].flatMap((kind) =>
  ["256", "384", "512"].map((size) => kind + size),
);

const Claims = z
  .object({
    iat: z.number(),
    sub: StorableId.optional(),
    sid: StorableId.optional(),
    nonce: z.never().optional(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);
type Claims = z.output<typeof Claims>;

/**
 * Ends the sessions that came from a session at the provider which has ended, or all that the
 * person began there. Source: OpenID Connect Back-Channel Logout 1.0, 2.5 and 2.6.
 * @throws BadRequest `logout_token_invalid`, BadGateway `oidc_provider_unreachable`.
 */
export async function endProviderSessions(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  provider: DiscoveredProvider,
  request: Request,
): Promise<void> {
  const form = new URLSearchParams(
    await readJsonText(request, { maxBytes: MAX_FORM_BYTES }),
  );
  const { sub, sid, iat } = await readToken(provider, form.get("logout_token") ?? "");
  const { issuer } = provider.discovered.serverMetadata();
  const owner = sql`select user_id from users.identities
    where issuer = ${issuer} and subject = ${sub ?? null}`;
  // one that came without the id of its session is the person's all the same
  const session =
    sid === undefined
      ? sql`user_id in (${owner})`
      : sql`(provider_session = ${sid} or (provider_session is null and user_id in (${owner})))`;
  await db.tx(async () => {
    const ended = await db.query<{ id: string }>(sql`
      update users.sessions set ended_at = now()
      where provider = ${provider.settings.name} and ended_at is null and ${session}
        and created_at <= to_timestamp(${iat + CLOCK_SECONDS}) returning id`);
    await revokeSessions(
      db,
      ended.map(({ id }) => id),
    );
  });
  await revocations.refresh();
  await purgeRevocations(db);
}

async function readToken(
  { settings, discovered, keys }: DiscoveredProvider,
  token: string,
): Promise<Claims> {
  const { issuer } = discovered.serverMetadata();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: settings.clientId,
      algorithms: ALGORITHMS,
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_SECONDS,
      requiredClaims: ["jti"],
    });
    const isTyped = TYPES.includes((protectedHeader.typ ?? "jwt").toLowerCase());
    if (isTyped) return Claims.parse(payload);
    throw new errors.JWTInvalid("it is no logout token");
  } catch (error) {
    const isToken = error instanceof errors.JOSEError || error instanceof z.ZodError;
    if (!isToken || error instanceof errors.JWKSTimeout) throw unreachable(settings, error);
    throw new BadRequest(
      "logout_token_invalid",
      "This is no logout token of the provider for this client. Send a fresh one.",
      { cause: error },
    );
  }
}

export function tooManyLogouts(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "too_many_logouts",
    "Too many sign-outs come from this network. Wait a minute.",
    retryAfterMs,
  );
}
