import { isSealed, openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import {
  addressFields,
  type ProviderKind,
  providerKinds,
  secretFields,
} from "../../completion/contract-provider-kinds.ts";
import { describeConfig, MASK, parseConfig } from "../kind-config.ts";

type Config = Record<string, unknown>;

export function sealConfig(
  kind: ProviderKind,
  config: Config,
  encryptionKey: string,
): Config {
  return mapSecrets(kind, config, (secret) => sealSecret(secret, encryptionKey));
}

/** Seals the fields of a stored config that became secret after it was stored. */
export function sealNewSecrets(
  kind: ProviderKind,
  config: Config,
  encryptionKey: string,
): Config {
  return mapSecrets(kind, config, (stored) =>
    isSealed(stored) ? stored : sealSecret(stored, encryptionKey),
  );
}

export function openConfig(
  kind: ProviderKind,
  config: Config,
  encryptionKey: string,
): Config {
  return mapSecrets(kind, config, (sealed) => openSecret(sealed, encryptionKey));
}

export function maskConfig(kind: ProviderKind, config: Config): Config {
  return mapSecrets(kind, config, () => MASK);
}

/**
 * A config as it will be stored: checked by the schema of its kind, its addresses by `endpoints`,
 * and with the stored value of each masked secret.
 * @throws BadRequest with the fields that are wrong; `secret_required` for a masked secret when the
 * address is another than the stored one, because a key is sent only to the address that it was
 * stored for.
 */
export function checkConfig(
  kind: ProviderKind,
  given: Config,
  stored: Config | undefined,
  endpoints: Outgoing,
): Config {
  const config = parseConfig<Config>(
    providerKinds[kind].config,
    withStoredSecrets(kind, given, stored),
    stored,
  );
  for (const field of addressFields(kind)) {
    const address = config[field];
    if (typeof address === "string") endpoints.check(address);
  }
  return config;
}

function withStoredSecrets(
  kind: ProviderKind,
  given: Config,
  stored: Config | undefined,
): Config {
  const masked = secretFields(kind).filter((field) => given[field] === MASK);
  if (masked.length === 0) return given;
  if (stored === undefined || !haveSameAddress(kind, given, stored))
    throw secretRequired(masked);
  const secrets = masked.map((field) => [field, stored[field]] as const);
  return { ...given, ...Object.fromEntries(secrets) };
}

function secretRequired(fields: readonly string[]): BadRequest {
  return new BadRequest(
    "secret_required",
    `Enter ${fields.join(" and ")} again: a stored secret is sent only to the address that it ` +
      "was stored for.",
    {
      details: fields.map((field) => ({
        path: `body.config.${field}`,
        message: "is required",
      })),
    },
  );
}

/** JSON Schema to make a form from. */
export function describeProviderConfig(kind: ProviderKind): Record<string, unknown> {
  const { config, displayName } = providerKinds[kind];
  return describeConfig(config, displayName);
}

function haveSameAddress(kind: ProviderKind, one: Config, other: Config): boolean {
  return addressFields(kind).every(
    (field) => toOrigin(one[field]) === toOrigin(other[field]),
  );
}

function toOrigin(value: unknown): string {
  return typeof value === "string" && URL.canParse(value)
    ? new URL(value).origin
    : String(value);
}

function mapSecrets(
  kind: ProviderKind,
  config: Config,
  change: (secret: string) => string,
): Config {
  const secrets = secretFields(kind);
  return Object.fromEntries(
    Object.entries(config).map(([field, value]) => {
      const isSecret = secrets.includes(field) && typeof value === "string";
      return [field, isSecret ? change(value) : value];
    }),
  );
}
