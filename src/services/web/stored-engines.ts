import { call, type Fetch } from "../../platform/http/call.ts";
import { coalesce } from "../../platform/single-flight.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { storedEnginesContract } from "../core/search-engines/contract.ts";
import { engineOf } from "./contract-engine-kinds.ts";
import { openEngine, type OpenEngine } from "./open-engines.ts";

/** Another process hears of a change at once by the cache, or after this time. */
const KNOWN_MS = 10_000;
const TIMEOUT_MS = 3_000;

export interface StoredEngines {
  /** Those that are enabled, in the order in which they are asked. */
  read(): Promise<readonly OpenEngine[]>;
  /** They changed. */
  forget(): void;
}

/** The engines that administrators added, which core keeps. */
export function readStoredEngines(core: Fetch | undefined, log: Logger): StoredEngines {
  let known: readonly OpenEngine[] = [];
  let until = 0;
  const update = coalesce(async () => {
    if (!core) return;
    const readAt = performance.now();
    try {
      const { engines } = await call(
        core,
        storedEnginesContract.storedSearchEngines,
        {},
        { timeoutMs: TIMEOUT_MS },
      );
      known = engines.map(({ id, version, kind, name, config }) =>
        openEngine(engineOf(kind), config, {
          id: `${id}.${version}`,
          name,
          fromEnvironment: false,
        }),
      );
    } catch (error) {
      log.warn({ err: error }, "cannot read the search engines; using the last copy");
    }
    until = readAt + KNOWN_MS;
  });
  return {
    async read() {
      if (performance.now() >= until) await update();
      return known;
    },
    forget() {
      until = 0;
    },
  };
}
