import { call, type Fetch } from "../../platform/http/call.ts";
import { coreServicesConfig } from "../core/contract.ts";
import { chooseModel, type ModelNeed } from "./contract-choose-model.ts";

const TIMEOUT_MS = 10_000;

/**
 * The id of the first model of the core's catalogue that meets a need, if there is one.
 * @throws ApiError when the core does not answer.
 */
export async function findModel(
  core: Fetch,
  need: ModelNeed,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  const catalogue = await call(core, coreServicesConfig.modelsProviders, {}, options);
  return chooseModel(catalogue, need)?.entry.id;
}
