import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { engineOf, secretFieldsOf } from "../../web/contract-engine-kinds.ts";
import { describeConfig, MASK, parseConfig } from "../kind-config.ts";

export type EngineConfig = Record<string, string>;

/** The field of the address, where a kind has one. */
const ADDRESS = "baseUrl";

export function sealEngineConfig(kind: string, config: EngineConfig, key: string) {
  return mapKeys(kind, config, (value) => sealSecret(value, key));
}

export function openEngineConfig(kind: string, config: EngineConfig, key: string) {
  return mapKeys(kind, config, (value) => openSecret(value, key));
}

export function maskEngineConfig(kind: string, config: EngineConfig) {
  return mapKeys(kind, config, () => MASK);
}

function mapKeys(
  kind: string,
  config: EngineConfig,
  change: (value: string) => string,
): EngineConfig {
  const keys = secretFieldsOf(kind);
  const fields = Object.entries(config).map(([field, value]) => [
    field,
    keys.includes(field) ? change(value) : value,
  ]);
  return Object.fromEntries(fields);
}

/**
 * The configuration as it will be stored: checked by the schema of its kind, its address by
 * `endpoints`, with the stored value of each key that is masked.
 * @throws BadRequest with the fields that are wrong; `secret_required` for a masked key without a
 * stored one for the same address; `address_not_allowed`.
 */
export function checkEngineConfig(
  kind: string,
  given: Record<string, unknown>,
  stored: EngineConfig | undefined,
  endpoints: Pick<Outgoing, "check">,
): EngineConfig {
  const masked = secretFieldsOf(kind).filter((field) => given[field] === MASK);
  if (masked.length > 0 && (!stored || stored[ADDRESS] !== given[ADDRESS]))
    throw new BadRequest(
      "secret_required",
      `Enter ${masked.join(" and ")} again: there is no stored one for this engine.`,
      {
        details: masked.map((field) => ({
          path: `body.config.${field}`,
          message: "is required",
        })),
      },
    );
  const keys = masked.map((field) => [field, stored?.[field]] as const);
  const config = parseConfig<EngineConfig>(
    engineOf(kind).config,
    { ...given, ...Object.fromEntries(keys) },
    stored,
  );
  if (config[ADDRESS] !== undefined) endpoints.check(config[ADDRESS]);
  return config;
}

/** JSON Schema to make a form from. */
export function describeEngineConfig(kind: string): Record<string, unknown> {
  const { config, title } = engineOf(kind);
  return describeConfig(config, title);
}
