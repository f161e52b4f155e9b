import { openApi } from "../src/platform/http/openapi.ts";
import { serverContract } from "../src/server/contract.ts";
import { schemaNames } from "../src/server/schema-names.ts";
import { SERVICE_DESCRIPTIONS } from "../src/server/service-descriptions.ts";
import { SERVICES } from "../src/server/services.ts";

/** The OpenAPI document of all services, as a server of this version answers it. */
export async function describeApi(): Promise<object> {
  const services = [{ name: "server", contract: serverContract }];
  for (const load of Object.values(SERVICES)) {
    const { name, contract } = (await load()).default;
    services.push({ name, contract: contract as typeof serverContract });
  }
  const names = await schemaNames();
  return openApi(services, "0", { names, descriptions: SERVICE_DESCRIPTIONS });
}
