import { openApi } from "../platform/http/openapi.ts";
import type { Contract } from "../platform/http/route.ts";
import { serverContract } from "./contract.ts";
import { schemaNames } from "./schema-names.ts";
import { SERVICE_DESCRIPTIONS } from "./service-descriptions.ts";
import { loadServices } from "./services.ts";

interface NamedContract {
  name: string;
  contract: Contract;
}

/** The contracts of the server and of all services. */
export async function loadContracts(): Promise<NamedContract[]> {
  const services = await loadServices();
  const contracts = services.map(({ name, contract }) => ({ name, contract }));
  return [{ name: "server", contract: serverContract }, ...contracts];
}

/** The OpenAPI document of all of them, as a server of this version answers it. */
export async function describeApi(): Promise<object> {
  const options = { names: await schemaNames(), descriptions: SERVICE_DESCRIPTIONS };
  return openApi(await loadContracts(), "0", options);
}
