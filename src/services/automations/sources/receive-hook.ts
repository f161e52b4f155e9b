import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { openSecret } from "../../../platform/auth/secrets.ts";
import type { Cache } from "../../../platform/cache/cache.ts";
import {
  Forbidden,
  NotFound,
  TooManyRequests,
  Unauthorized,
} from "../../../platform/http/errors.ts";
import { uploadedBytes } from "../../../platform/http/read-body.ts";
import type { RefuseInactive } from "../acting-user.ts";
import type { Taken } from "../contract-runs.ts";
import { type IntakeDeps, takeMedium } from "../media/take-medium.ts";
import { findSource } from "./store.ts";

export interface HookDeps extends IntakeDeps {
  cache: Cache;
  refuseInactive: RefuseInactive;
  encryptionKey: string;
  hookMaxBytes: number;
}

export const HOOK_SECRET = "whsec_";
const SECRET_BYTES = 32;
/**
 * How far a sender's clock may be off: what is older is not taken, so what was overheard is of no
 * use later.
 */
const TOLERANCE_MS = 5 * 60_000;
const LIMIT = { name: "automation-hooks", points: 300, durationMs: 60_000 };

/** By content type: text has no mark of its own. */
const ENDINGS: Record<string, string> = {
  "application/json": ".json",
  "text/html": ".html",
  "text/markdown": ".md",
  "text/csv": ".csv",
  "application/xml": ".xml",
  "message/rfc822": ".eml",
};

/** A new secret, as Standard Webhooks writes it. */
export function newHookSecret(): string {
  return HOOK_SECRET + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * Takes a webhook's body as a medium, when it is signed: HMAC-SHA256 over id, timestamp and body,
 * compared in constant time after the last byte. The same id again is the same run. Source:
 * Standard Webhooks 1.0.
 * @throws NotFound for what is no active webhook, Unauthorized `signature_invalid`.
 */
export async function receiveHook(
  deps: HookDeps,
  sourceId: string,
  request: Request,
  peer: string,
  signal: AbortSignal,
): Promise<Taken> {
  const { allowed, retryAfterMs } = await deps.cache.take(LIMIT, `${sourceId}:${peer}`);
  if (!allowed)
    throw new TooManyRequests(
      "too_many_requests",
      "Too many messages came from this address. Slow down.",
      retryAfterMs,
    );
  const source = await findSource(deps.db, sourceId);
  if (source?.settings.kind !== "webhook" || !source.isActive)
    throw new NotFound("source_not_found", "There is no such webhook.");
  await deps.refuseInactive(source).catch((error: unknown) => {
    if (!(error instanceof Forbidden)) throw error;
    throw new NotFound("source_not_found", "There is no such webhook.");
  });
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => request.headers.get(name) ?? "",
  ) as [string, string, string]; // as many as there are names
  const age = Date.now() - Number(timestamp) * 1_000;
  if (
    !/^[\x21-\x7e]{1,200}$/.test(id) ||
    !/^\d{1,12}$/.test(timestamp) ||
    Math.abs(age) > TOLERANCE_MS
  )
    throw refused("Send webhook-id, and webhook-timestamp within five minutes of now, in seconds.");

  const key = Buffer.from(
    openSecret(source.secret, deps.encryptionKey).slice(HOOK_SECRET.length),
    "base64",
  );
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`);
  async function* signedBytes() {
    for await (const chunk of uploadedBytes(request)) {
      hmac.update(chunk);
      yield chunk;
    }
  }
  const check = () => {
    const expected = hmac.digest();
    const given = signatures
      .split(" ")
      .slice(0, 10)
      .filter((one) => one.startsWith("v1,"))
      .map((one) => Buffer.from(one.slice("v1,".length), "base64"));
    if (!given.some((one) => one.length === expected.length && timingSafeEqual(one, expected)))
      throw refused("The signature is not that of these bytes under the webhook's secret.");
  };
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const { userId, clientId, origin, type: own, tags } = source;
  const fields = { origin, ...(own !== null && { type: own }), tags, metadata: {} };
  const arrival = {
    user: { userId, clientId },
    fields,
    sourceId,
    idempotencyKey: `hook:${sourceId}:${id}`,
    check,
  };
  const limited = { ...deps, maxBytes: Math.min(deps.maxBytes, deps.hookMaxBytes) };
  return takeMedium(
    limited,
    { name: `${id}${ENDINGS[type] ?? ""}`, body: signedBytes() },
    arrival,
    signal,
  );
}

function refused(message: string): Unauthorized {
  return new Unauthorized("signature_invalid", message);
}
