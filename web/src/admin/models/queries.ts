import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { addressesContract } from "../../../../src/services/core/catalogue/contract-addresses.ts";
import {
  availableModelsContract,
  modelsContract,
  providersContract,
} from "../../../../src/services/core/catalogue/contract.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";
import { readPages } from "../../shell/read-pages.ts";

const PAGE = 50;
const HEALTH_INTERVAL_MS = 30_000;

export type AvailableModel = RouteOk<typeof availableModelsContract.getAvailableModel>;
export type AvailableModelChange = RouteInput<
  typeof availableModelsContract.changeAvailableModel
>["body"];
export type Model = RouteOk<typeof modelsContract.getModel>;
export type ModelChange = RouteInput<typeof modelsContract.changeModel>["body"];
export type Provider = RouteOk<typeof providersContract.getProvider>;
export type ProviderHealth = RouteOk<
  typeof providersContract.listProviderHealth
>["items"][number];
export type ProviderChange = RouteInput<typeof providersContract.changeProvider>["body"];

/** In order: the first usable one of a kind is the default. */
export function offeredQuery(q: string | undefined) {
  return pagedQuery({
    queryKey: ["models", "offered"],
    filter: [q],
    load: (page, signal) =>
      call(
        availableModelsContract.listAllAvailableModels,
        { query: { query: q, page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

/** The model that answers if none is chosen. */
export const defaultQuery = queryOptions({
  queryKey: ["models", "default"],
  queryFn: ({ signal }) =>
    call(availableModelsContract.completionSelections, { query: { limit: 1 } }, { signal }),
});

/** All models that can be asked now, of every kind, however many. */
export const usableQuery = queryOptions({
  queryKey: ["models", "usable"],
  queryFn: ({ signal }) =>
    readPages((page) =>
      call(
        availableModelsContract.listSelections,
        { query: { page, limit: 100 } },
        { signal },
      ),
    ),
});

export function modelQuery(id: string) {
  return queryOptions({
    queryKey: ["models", "one", id],
    queryFn: ({ signal }) => call(modelsContract.getModel, { params: { id } }, { signal }),
  });
}

export const providersQuery = pagedQuery({
  queryKey: ["providers"],
  load: (page, signal) =>
    call(providersContract.listAllProviders, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ name }) => name,
});

/** How the calls to each provider ended in the last 24 hours, in the order of the providers. */
export const healthQuery = {
  ...pagedQuery({
    queryKey: ["provider-health"],
    load: (page, signal) =>
      call(
        providersContract.listProviderHealth,
        { query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ name }) => name,
  }),
  refetchInterval: ({ state }: { state: { error: unknown } }) =>
    state.error ? false : HEALTH_INTERVAL_MS,
};

export function providerQuery(name: string) {
  return queryOptions({
    queryKey: ["providers", "one", name],
    queryFn: ({ signal }) =>
      call(providersContract.getProvider, { params: { name } }, { signal }),
  });
}

export function availableQuery(id: string) {
  return queryOptions({
    queryKey: ["models", "available", id],
    queryFn: ({ signal }) =>
      call(availableModelsContract.getAvailableModel, { params: { id } }, { signal }),
  });
}

/** Asks a saved provider for its models. */
export function offersQuery(name: string) {
  return queryOptions({
    queryKey: ["providers", "offers", name],
    queryFn: ({ signal }) =>
      call(providersContract.testProvider, { params: { name } }, { signal }),
    retry: false,
    // a test is made when somebody asks for it, not because something changed
    staleTime: "static",
    gcTime: 0,
  });
}

export function changeAvailable(id: string, body: AvailableModelChange) {
  return call(availableModelsContract.changeAvailableModel, { params: { id }, body });
}

export function deleteAvailable(id: string) {
  return call(availableModelsContract.deleteAvailableModel, { params: { id } });
}

export function changeModel(id: string, body: ModelChange) {
  return call(modelsContract.changeModel, { params: { id }, body });
}

/** Private addresses that administrators allowed. */
export const allowedAddressesQuery = pagedQuery({
  queryKey: ["providers", "addresses"],
  load: (page, signal) =>
    call(
      addressesContract.listAllowedAddresses,
      { query: { page, limit: PAGE } },
      { signal },
    ),
  keyOf: ({ address }) => address,
});

export function revokeAddress(address: string) {
  return call(addressesContract.revokeAddress, { params: { address } });
}

export function changeProvider(name: string, body: ProviderChange) {
  return call(providersContract.changeProvider, { params: { name }, body });
}

export function deleteProvider(name: string) {
  return call(providersContract.deleteProvider, { params: { name } });
}
