import { z } from "zod";
import type { RareOption } from "../contract-model-parameters.ts";
import type { ProviderClient } from "../provider-client.ts";
import type { EmbeddingEndpoint } from "./embedding-endpoint.ts";
import type { ModelListRequest } from "./model-list.ts";
import { withEachKey, withFirstKey } from "./split-keys.ts";
import type { MediaEndpoint } from "./media-endpoint.ts";

/** Everything that is specific to one kind of provider, whose file in this folder declares it. */
export interface ProviderKindDefinition {
  displayName: string;
  /** Settings of a provider of this kind. Forms are made from the schema. */
  config: z.ZodObject;
  /** Environment variables that configure a provider of this kind. */
  environment: z.ZodObject;
  /** Providers that these variables configure. */
  fromEnvironment(variables: object): ConfiguredProvider[];
  /**
   * The request that lists the models of a provider, which also tests its address and key.
   * `unsupported`: the provider has no such list. `built-in`: there is no server to ask.
   */
  modelList(config: Record<string, unknown>): ModelListRequest | "unsupported" | "built-in";
  /** Where a model embeds texts, by each key; empty where such a provider embeds none. */
  embeddings(config: Record<string, unknown>, model: string): EmbeddingEndpoint[];
  /**
   * Where a model makes images, speaks, transcribes or moderates; `undefined` when a provider with
   * this config does not.
   */
  media(config: Record<string, unknown>, model: string): MediaEndpoint | undefined;
  /** Files that the protocol has a place for, beside images. Absent: none. */
  files?: FilesOfKind;
  /** The options that the protocol has a place for, of those that not all have. Absent: all. */
  takes?: readonly RareOption[];
  /** Loads the client, which streams replies. */
  loadClient(): Promise<ProviderClient>;
}

/** Files that messages may hold as they are, and the names of the models that take them. */
export interface FilesOfKind {
  /** `maxBytes`: of one PDF. */
  pdf?: { models: RegExp; maxBytes: number };
  /** `types`: of recordings. */
  audio?: { models: RegExp; types: readonly string[] };
}

/** A provider that environment variables configure. */
export interface ConfiguredProvider {
  name: string;
  /** Default: that of the kind. */
  displayName?: string;
  /** For a server that speaks OpenAI's protocol. Default: the kind itself. */
  kind?: "openai-compatible";
  config: Record<string, unknown>;
  /** Names of models, comma-separated. */
  models: string;
  /** Whether the server is asked for its models, because nothing else names them. */
  listsModels?: boolean;
}

/** How the file of a kind declares it, typed by its own schemas. */
interface Declaration<Config extends z.ZodObject, Environment extends z.ZodObject> {
  displayName: string;
  config: Config;
  environment: Environment;
  fromEnvironment(environment: z.output<Environment>): ConfiguredProvider[];
  modelList: ((config: z.output<Config>) => ModelListRequest) | "unsupported" | "built-in";
  files?: FilesOfKind;
  takes?: readonly RareOption[];
  /** Absent: they have no such models, or another API for them. */
  media?(config: z.output<Config>, model: string): MediaEndpoint;
  /** Absent: providers of this kind embed no texts. */
  embeddings?(config: z.output<Config>, model: string): EmbeddingEndpoint;
  loadClient(): Promise<ProviderClient<z.output<Config>>>;
}

/** Of one file: a request to the completion service has room for it in base64. */
export const MAX_FILE_BYTES = 6 * 1024 * 1024;
/** No name: the catalogue says which models. */
export const NONE = /^(?!)/;

/** Checks configs and variables by the schemas of the kind before its functions get them. */
export function defineProviderKind<
  Config extends z.ZodObject,
  Environment extends z.ZodObject,
>(kind: Declaration<Config, Environment>): ProviderKindDefinition {
  const { config: schema, environment, modelList } = kind;
  return {
    ...kind,
    fromEnvironment: (variables) => kind.fromEnvironment(environment.parse(variables)),
    modelList: (config) =>
      typeof modelList === "string"
        ? modelList
        : modelList(withFirstKey(schema.parse(config))),
    embeddings(config, model) {
      const known = schema.safeParse(config);
      if (!known.success) return [];
      return withEachKey(known.data).flatMap((one) => kind.embeddings?.(one, model) ?? []);
    },
    media(config, model) {
      const known = schema.safeParse(config);
      return known.success ? kind.media?.(withFirstKey(known.data), model) : undefined;
    },
    async loadClient() {
      const client = await kind.loadClient();
      return (call) => client({ ...call, config: schema.parse(call.config) });
    },
  };
}

/** Fields of configs and environment variables that several kinds of providers share. */

export const apiKey = z
  .string()
  .min(1)
  .max(4_000)
  .describe("API key")
  .meta({ secret: true });

/** An address of a provider. Every field made by it is checked before it is saved or called. */
export function address(description: string) {
  return z.url({ protocol: /^https?$/ }).describe(description);
}

export function keyVariable(provider: string) {
  return z
    .string()
    .min(1)
    .optional()
    .describe(`API key of ${provider}; makes it a provider`)
    .meta({ secret: true });
}

export function modelsVariable(provider: string) {
  return z
    .string()
    .optional()
    .describe(`Models of ${provider}, comma-separated, instead of the usual ones`);
}

export function secretVariable(description: string) {
  return z.string().optional().describe(description).meta({ secret: true });
}
