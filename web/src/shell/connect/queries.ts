import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { addressesContract } from "../../../../src/services/core/catalogue/contract-addresses.ts";
import {
  availableModelsContract,
  modelsContract,
  providersContract,
} from "../../../../src/services/core/catalogue/contract.ts";
import { call } from "../../api/call.ts";
import { currentLanguage } from "../../texts/language.ts";

const LIST = { limit: 100 };

export type LocalServer = RouteOk<
  typeof addressesContract.findLocalServers
>["items"][number];

export type Probe = RouteInput<typeof providersContract.testNewProvider>["body"];
export type ProviderTest = RouteOk<typeof providersContract.testNewProvider>;
export type OfferedModel = Pick<
  ProviderTest["models"][number],
  "providerModelId" | "displayName" | "kind" | "contextWindow" | "vision"
>;

export const providerKindsQuery = queryOptions({
  queryKey: ["provider-kinds"],
  queryFn: ({ signal }) => call(providersContract.listProviderKinds, {}, { signal }),
  select: (kinds) => kinds.map(wordKind),
  staleTime: Infinity,
});

/** A kind as the reader's language names it: all but one have the names of companies. */
function wordKind<Kind extends { kind: string; displayName: string }>(kind: Kind): Kind {
  const isWorded = currentLanguage() === "de" && kind.kind === "openai-compatible";
  return isWorded
    ? { ...kind, displayName: "OpenAI-kompatibel (vLLM, LiteLLM, Groq, OpenRouter …)" }
    : kind;
}

export function testProvider(body: Probe): Promise<ProviderTest> {
  return call(providersContract.testNewProvider, { body });
}

/** Servers of models on the machine of the server. They are asked when the form opens. */
export const localServersQuery = queryOptions({
  queryKey: ["providers", "local"],
  queryFn: ({ signal }) => call(addressesContract.findLocalServers, {}, { signal }),
  retry: false,
  staleTime: 0,
});

/** Allows a private address, `host:port`, for providers and tool servers. */
export function allowAddress(address: string) {
  return call(addressesContract.allowAddress, { body: { address } });
}

/** Saves a provider, and the models of it that are to be used. */
export async function connectProvider(
  { kind, config }: Pick<Probe, "kind" | "config">,
  models: readonly OfferedModel[],
  displayName?: string,
): Promise<void> {
  const { items } = await call(providersContract.listAllProviders, { query: LIST });
  const name = freeName(kind, new Set(items.map((provider) => provider.name)));
  await call(providersContract.createProvider, {
    body: { name, kind, config, ...(displayName && { displayName }) },
  });
  await addModels(name, models);
}

/** Adds models of a saved provider to those that users choose from. */
export async function addModels(
  providerName: string,
  models: readonly OfferedModel[],
): Promise<void> {
  for (const { providerModelId, displayName, kind, contextWindow, vision } of models) {
    // what is of no known kind was chosen by its name, to answer
    const isKnown = kind !== "rerank" && kind !== "other";
    const answers = !isKnown || kind === "completion";
    const { id: modelId } = await call(modelsContract.createModel, {
      body: {
        name: displayName,
        kind: isKnown ? kind : "completion",
        ...(contextWindow !== undefined && { contextWindow }),
        capabilities: {
          tools: answers,
          // as of the models of the environment: what nobody said may well be
          vision: answers && vision !== false,
          ...(answers && vision === undefined && { visionAssumed: true }),
        },
      },
    });
    const id = toEntryId(`${providerName}/${providerModelId}`);
    await call(availableModelsContract.createAvailableModel, {
      body: { ...(id && { id }), modelId, providerName, providerModelId, displayName },
    });
  }
}

/** `openai`, or `openai-2` where that is taken. */
function freeName(kind: string, taken: ReadonlySet<string>): string {
  let name = kind;
  for (let number = 2; taken.has(name); number += 1) name = `${kind}-${number}`;
  return name;
}

/** The id by which requests name a model, as the API takes it; otherwise the server makes one. */
function toEntryId(name: string): string | undefined {
  return /^[\w@.:+-][\w@.:+/-]{0,299}$/.test(name) ? name : undefined;
}
