import { z } from "zod";
import { anthropic } from "./providers/anthropic.ts";
import { azure } from "./providers/azure.ts";
import { bedrock } from "./providers/bedrock.ts";
import { google } from "./providers/google.ts";
import { mistral } from "./providers/mistral.ts";
import { offline } from "./providers/offline.ts";
import { ollama } from "./providers/ollama.ts";
import { openAiCompatible } from "./providers/openai-compatible.ts";
import { openai } from "./providers/openai.ts";
import type { ProviderKindDefinition } from "./providers/provider-kind.ts";
import { RARE_OPTIONS, type RareOption } from "./contract-model-parameters.ts";

export type { EmbeddingEndpoint } from "./providers/embedding-endpoint.ts";
export type { OfferedModel } from "./providers/model-list.ts";

/**
 * Every kind of provider. A new one is a file in `providers/` and a line here. Of the providers
 * that the environment configures, the first one's first model is the default.
 */
const kinds = {
  openai,
  anthropic,
  google,
  mistral,
  "openai-compatible": openAiCompatible,
  azure,
  bedrock,
  ollama,
  offline,
};

export type ProviderKind = keyof typeof kinds;
export const providerKinds: Record<ProviderKind, ProviderKindDefinition> = kinds;
export const PROVIDER_KINDS = Object.keys(kinds) as [ProviderKind]; // keys of a constant
export const ProviderKind = z.enum(PROVIDER_KINDS);

/** What a model takes of files as they are, beside images. */
export interface TakenFiles {
  /** Of one PDF; 0: none. */
  pdfBytes: number;
  /** Types of recordings. */
  audio: readonly string[];
}

/** By what the catalogue says of the model, else by its name at the provider. */
export function takenFiles(
  kind: ProviderKind,
  name: string,
  capabilities: { documents?: boolean | undefined; audio?: boolean | undefined },
): TakenFiles {
  const { pdf, audio } = providerKinds[kind].files ?? {};
  const reads = pdf && (capabilities.documents ?? pdf.models.test(name));
  const hears = audio && (capabilities.audio ?? audio.models.test(name));
  return { pdfBytes: reads ? pdf.maxBytes : 0, audio: hears ? audio.types : [] };
}

/** The first of these options that the protocol of the kind has no place for. */
export function untakenOption(kind: ProviderKind, options: object): RareOption | undefined {
  const { takes = RARE_OPTIONS } = providerKinds[kind];
  return RARE_OPTIONS.find((name) => name in options && !takes.includes(name));
}

/** Names of the fields of a kind's config that are secret. */
export function secretFields(kind: ProviderKind): string[] {
  return fieldsWhere(kind, (field) => field.meta()?.["secret"] === true);
}

/** Names of the fields of a kind's config that hold an address. */
export function addressFields(kind: ProviderKind): string[] {
  return fieldsWhere(kind, (field) => field instanceof z.ZodURL);
}

function fieldsWhere(kind: ProviderKind, matches: (field: z.ZodType) => boolean): string[] {
  const shape: Record<string, z.core.$ZodType> = providerKinds[kind].config.shape;
  return Object.keys(shape).filter((name) => {
    for (let field = shape[name]; field instanceof z.ZodType;) {
      if (matches(field)) return true;
      field = field instanceof z.ZodOptional ? field.unwrap() : undefined;
    }
    return false;
  });
}
