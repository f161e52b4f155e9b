import { existsSync } from "node:fs";
import type { Endpoints, Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { ProviderKind } from "../../completion/contract-provider-kinds.ts";
import type { LocalServer } from "./contract-addresses.ts";
import { listOfferedModels } from "./list-offered-models.ts";

const TIMEOUT_MS = 1_500;

interface UsualServer {
  name: string;
  kind: ProviderKind;
  port: number;
  path: string;
}

/** Where servers of models listen unless told otherwise. Source: the documentation of each. */
const USUAL: readonly UsualServer[] = [
  { name: "Ollama", kind: "ollama", port: 11_434, path: "" },
  { name: "LM Studio", kind: "openai-compatible", port: 1_234, path: "/v1" },
  { name: "llama.cpp", kind: "openai-compatible", port: 8_080, path: "/v1" },
  { name: "vLLM", kind: "openai-compatible", port: 8_000, path: "/v1" },
];

/** In a container, the machine itself is found by name. */
const hosts = () =>
  existsSync("/.dockerenv") ? ["127.0.0.1", "host.docker.internal"] : ["127.0.0.1"];

/**
 * Asks the usual ports of this machine for a list of models. Where the operator does not let
 * administrators allow addresses, only those that may be called anyway are asked.
 */
export async function findLocalServers(
  endpoints: Endpoints,
  signal: AbortSignal,
  usual = USUAL,
): Promise<LocalServer[]> {
  const candidates = hosts().flatMap((host) =>
    usual.map((one) => ({ ...one, address: `${host}:${one.port}` })),
  );
  await using outgoing = endpoints.allowing(candidates.map(({ address }) => address));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const found = await Promise.all(
    candidates.map(async ({ name, kind, address, path }) => {
      const baseUrl = `http://${address}${path}`;
      const models = await countModels(outgoing, { kind, config: { baseUrl } }, limit);
      if (models === undefined) return [];
      return [
        { name, kind, baseUrl, address, allowed: mayCall(endpoints, baseUrl), models },
      ];
    }),
  );
  return found.flat();
}

/** `undefined` when nothing there answers as a server of models does. */
async function countModels(
  outgoing: Outgoing,
  provider: { kind: ProviderKind; config: Record<string, unknown> },
  limit: AbortSignal,
): Promise<number | undefined> {
  try {
    return (await listOfferedModels(outgoing, provider, limit)).length;
  } catch {
    return undefined;
  }
}

function mayCall(endpoints: Endpoints, url: string): boolean {
  try {
    endpoints.check(url);
    return true;
  } catch {
    return false;
  }
}
