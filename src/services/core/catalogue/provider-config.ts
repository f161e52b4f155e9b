import { z } from "zod";
import { isSealed, openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import {
  type ProviderKind,
  providerKinds,
  secretFields,
} from "../../completion/contract-catalogue.ts";

type Config = Record<string, unknown>;

/**
 * What a secret reads as, and what stands for "as it is" when it is sent back. Source: design
 * "Conversation core", provider.
 */
export const MASK = "•••";
const ADDRESSES = ["baseUrl", "endpoint"];

export function sealConfig(kind: ProviderKind, config: Config, encryptionKey: string): Config {
  return onSecrets(kind, config, (plain) => sealSecret(plain, encryptionKey));
}

/** A stored config with what is secret by now, and was not when it was stored. */
export function sealRest(kind: ProviderKind, config: Config, encryptionKey: string): Config {
  return onSecrets(kind, config, (stored) =>
    isSealed(stored) ? stored : sealSecret(stored, encryptionKey),
  );
}

export function openConfig(kind: ProviderKind, config: Config, encryptionKey: string): Config {
  return onSecrets(kind, config, (sealed) => openSecret(sealed, encryptionKey));
}

export function maskConfig(kind: ProviderKind, config: Config): Config {
  return onSecrets(kind, config, () => MASK);
}

/**
 * A config to be stored: checked against its kind, its addresses against the guard of the way out,
 * with masked secrets as they were.
 * @throws BadRequest with the fields that are wrong; `secret_required` for a masked secret at
 * another address, since a key goes only to where it was meant to go (security row 11).
 */
export function readConfig(
  kind: ProviderKind,
  given: Config,
  before: Config | undefined,
  outgoing: Outgoing,
): Config {
  const masked = secretFields(kind).filter((field) => given[field] === MASK);
  if (masked.length > 0 && (before === undefined || !sameAddress(given, before)))
    throw new BadRequest(
      "secret_required",
      `Enter ${masked.join(" and ")} again: a stored secret is sent only to the address that it ` +
        "was stored for.",
      {
        details: masked.map((field) => ({
          path: `body.config.${field}`,
          message: "enter it again",
        })),
      },
    );
  const parsed = providerKinds[kind].config.safeParse(
    Object.fromEntries(
      Object.entries(given).map(([field, value]) => [
        field,
        masked.includes(field) ? before?.[field] : value,
      ]),
    ),
  );
  if (!parsed.success) {
    const details = parsed.error.issues.map(({ path, message }) => ({
      path: ["body", "config", ...path].join("."),
      message,
    }));
    const [first] = details;
    throw new BadRequest(
      "validation_failed",
      `The request is not valid: ${first?.path}: ${first?.message}.`,
      { details },
    );
  }
  const config: Config = parsed.data;
  for (const field of ADDRESSES) {
    const address = config[field];
    if (typeof address === "string") outgoing.check(address);
  }
  return config;
}

const configSchemas = new Map<ProviderKind, Record<string, unknown>>();

/** JSON Schema that a form can be made from; secrets are `writeOnly` with the format `password`. */
export function configSchema(kind: ProviderKind): Record<string, unknown> {
  const known = configSchemas.get(kind) ?? describeConfig(kind);
  configSchemas.set(kind, known);
  return known;
}

function describeConfig(kind: ProviderKind): Record<string, unknown> {
  const { config, displayName } = providerKinds[kind];
  const { secret: _, ...schema } = z.toJSONSchema(config, {
    io: "input",
    target: "draft-2020-12",
    override({ jsonSchema }) {
      if (jsonSchema["secret"] !== true) return;
      delete jsonSchema["secret"];
      Object.assign(jsonSchema, { writeOnly: true, format: "password" });
    },
  });
  return { ...schema, title: displayName };
}

function sameAddress(one: Config, other: Config): boolean {
  return ADDRESSES.every((field) => originOf(one[field]) === originOf(other[field]));
}

function originOf(value: unknown): string {
  return typeof value === "string" && URL.canParse(value) ? new URL(value).origin : String(value);
}

function onSecrets(kind: ProviderKind, config: Config, change: (secret: string) => string): Config {
  const fields = secretFields(kind);
  return Object.fromEntries(
    Object.entries(config).map(([field, value]) => [
      field,
      fields.includes(field) && typeof value === "string" ? change(value) : value,
    ]),
  );
}
