import { createHmac, timingSafeEqual } from "node:crypto";
import { openSecret, randomSecret } from "../../../platform/auth/secrets.ts";
import type { Cache } from "../../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../../platform/cache/take-or-refuse.ts";
import {
  Forbidden,
  NotFound,
  TooManyRequests,
  Unauthorized,
} from "../../../platform/http/errors.ts";
import { uploadedBytes } from "../../../platform/http/read-body.ts";
import type { RefuseInactive } from "../refuse-inactive.ts";
import type { AcceptedMedium } from "../contract-runs.ts";
import { type IntakeDeps, takeMedium } from "../media/take-medium.ts";
import { findSource, type StoredSource } from "./store.ts";

export interface HookDeps extends IntakeDeps {
  cache: Cache;
  refuseInactive: RefuseInactive;
  encryptionKey: string;
  hookMaxBytes: number;
}

const SECRET_PREFIX = "whsec_";
/** Older messages are refused, so that recorded ones cannot be replayed later. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;
const ID = /^[\x21-\x7e]{1,200}$/;
const TIMESTAMP = /^\d{1,12}$/;
const MAX_SIGNATURES = 10;
const RATE_LIMIT = { name: "automation-hooks", points: 300, durationMs: 60_000 };

/** Extensions by content type, because the bytes of text do not tell its type. */
const EXTENSIONS: Record<string, string> = {
  "application/json": ".json",
  "text/html": ".html",
  "text/markdown": ".md",
  "text/csv": ".csv",
  "application/xml": ".xml",
  "message/rfc822": ".eml",
};

/** A new secret in the format of Standard Webhooks. */
export function createHookSecret(): string {
  return SECRET_PREFIX + randomSecret();
}

/**
 * Submits the body of a signed webhook as a medium (Standard Webhooks 1.0): the signature is an
 * HMAC-SHA256 over id, timestamp and body, compared in constant time after the last byte. A
 * repeated id returns the same run.
 * @throws NotFound if there is no such active webhook; Unauthorized `signature_invalid`.
 */
export async function receiveHook(
  deps: HookDeps,
  sourceId: string,
  request: Request,
  peer: string,
  signal: AbortSignal,
): Promise<AcceptedMedium> {
  await limitRate(deps.cache, sourceId, peer);
  const source = await findActiveHook(deps, sourceId);
  const secret = openSecret(source.secret, deps.encryptionKey);
  const signed = readSigned(request, secret);
  const type =
    request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const { userId, clientId, origin, type: sourceType, tags } = source;
  const fields = {
    origin,
    ...(sourceType !== null && { type: sourceType }),
    tags,
    metadata: {},
  };
  const arrival = {
    user: { userId, clientId },
    fields,
    sourceId,
    idempotencyKey: `hook:${sourceId}:${signed.id}`,
    check: signed.check,
  };
  const limited = { ...deps, maxBytes: Math.min(deps.maxBytes, deps.hookMaxBytes) };
  const upload = { name: `${signed.id}${EXTENSIONS[type] ?? ""}`, body: signed.bytes };
  return takeMedium(limited, upload, arrival, signal);
}

/** @throws TooManyRequests. */
function limitRate(cache: Cache, sourceId: string, peer: string): Promise<void> {
  const tooMany = (retryAfterMs: number) =>
    new TooManyRequests(
      "too_many_requests",
      `This address may send ${RATE_LIMIT.points} messages a minute. Send fewer messages.`,
      retryAfterMs,
      { params: { max: RATE_LIMIT.points } },
    );
  return takeOrRefuse(cache, RATE_LIMIT, `${sourceId}:${peer}`, tooMany);
}

/** An active webhook whose owner may still use automations. @throws NotFound for all others. */
async function findActiveHook(deps: HookDeps, sourceId: string): Promise<StoredSource> {
  const source = await findSource(deps.db, sourceId);
  if (source?.settings.kind !== "webhook" || !source.isActive) throw hookNotFound();
  await deps.refuseInactive(source).catch((error: unknown) => {
    throw error instanceof Forbidden ? hookNotFound() : error;
  });
  return source;
}

/**
 * Reads the headers and the body of a message. `check` verifies the signature and is called after
 * the last byte. @throws Unauthorized `signature_invalid`.
 */
function readSigned(request: Request, secret: string) {
  const header = (name: string) => request.headers.get(name) ?? "";
  const id = header("webhook-id");
  const timestamp = header("webhook-timestamp");
  const skewMs = Math.abs(Date.now() - Number(timestamp) * 1_000);
  if (!ID.test(id) || !TIMESTAMP.test(timestamp) || skewMs > MAX_CLOCK_SKEW_MS)
    throw invalidSignature(
      "Send webhook-id, and webhook-timestamp within five minutes of now, in seconds.",
    );
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`);
  async function* bytes() {
    for await (const chunk of uploadedBytes(request)) {
      hmac.update(chunk);
      yield chunk;
    }
  }
  const check = () => {
    const expected = hmac.digest();
    const signatures = parseSignatures(header("webhook-signature"));
    const isValid = signatures.some(
      (signature) =>
        signature.length === expected.length && timingSafeEqual(signature, expected),
    );
    if (!isValid)
      throw invalidSignature("The signature does not match the body and the secret.");
  };
  return { id, bytes: bytes(), check };
}

function parseSignatures(header: string): Buffer[] {
  return header
    .split(" ")
    .slice(0, MAX_SIGNATURES)
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice("v1,".length), "base64"));
}

function hookNotFound(): NotFound {
  return new NotFound("source_not_found", "There is no such webhook. Check its URL.");
}

function invalidSignature(message: string): Unauthorized {
  return new Unauthorized("signature_invalid", message);
}
