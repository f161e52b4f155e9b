import { z } from "zod";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { engineOf, secretFieldsOf } from "../../web/contract-engine-kinds.ts";

export type EngineConfig = Record<string, string>;

/** Stands for a key in answers. In a request it stands for the stored one. */
const MASK = "•••";
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
  const config = parse(kind, { ...given, ...Object.fromEntries(keys) });
  if (config[ADDRESS] !== undefined) endpoints.check(config[ADDRESS]);
  return config;
}

function parse(kind: string, given: Record<string, unknown>): EngineConfig {
  const parsed = engineOf(kind).config.safeParse(given);
  if (parsed.success) return parsed.data;
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

/** JSON Schema to make a form from. Keys are `writeOnly` with the format `password`. */
export function describeEngineConfig(kind: string): Record<string, unknown> {
  const { config, title } = engineOf(kind);
  const schema = z.toJSONSchema(config, {
    io: "input",
    target: "draft-2020-12",
    override({ jsonSchema }) {
      if (jsonSchema["secret"] !== true) return;
      delete jsonSchema["secret"];
      Object.assign(jsonSchema, { writeOnly: true, format: "password" });
    },
  });
  return { ...schema, title };
}
