import type { Caller } from "../../platform/http/caller.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { toStoredFailure } from "../../platform/http/reported-error.ts";
import { Degraded } from "../../platform/telemetry/health.ts";
import { within } from "../../platform/within.ts";
import type { ProviderHealth } from "./contract.ts";
import { type Provider, ProviderRefused } from "./providers/provider.ts";

const TIMEOUT_MS = 5_000;
const SILENT = { code: "part_silent", message: "The provider does not respond." };

/**
 * Whether a provider can be used: it is `down` when it does not answer within `timeoutMs`. The
 * reason never contains an address or the response.
 */
async function healthOf(
  provider: Provider,
  timeoutMs = TIMEOUT_MS,
): Promise<ProviderHealth> {
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  try {
    const { version } = await within(timeoutMs, provider.check());
    return { provider: provider.name, status: "up", latencyMs: latencyMs(), version };
  } catch (error) {
    const status = error instanceof ProviderRefused ? "refused" : "down";
    const { message: reason, ...failure } =
      error instanceof ApiError ? toStoredFailure(error) : SILENT;
    return { provider: provider.name, status, latencyMs: latencyMs(), reason, ...failure };
  }
}

/** The same for a caller: strangers read no version and no reason. */
export async function healthFor(
  { kind }: Caller,
  provider: Provider,
): Promise<ProviderHealth> {
  const health = await healthOf(provider);
  if (kind !== "anonymous") return health;
  const { provider: name, status, latencyMs } = health;
  return { provider: name, status, latencyMs };
}

/** @throws Degraded when the provider cannot be used. */
export async function checkUsable(provider: Provider, timeoutMs?: number): Promise<void> {
  const {
    status,
    reason = "",
    code = "part_silent",
    params,
  } = await healthOf(provider, timeoutMs);
  if (status !== "up")
    throw new Degraded({ code, message: reason, ...(params && { params }) });
}
