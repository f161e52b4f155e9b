import { z } from "zod";
import { BadGateway } from "../../../../platform/http/errors.ts";
import type { Logger } from "../../../../platform/telemetry/log.ts";
import { ProviderRefused } from "../provider.ts";
import type { AskLangflow } from "./client.ts";

/**
 * Below: strangers and other users reach flows and keys (CVE-2026-33017, CVE-2026-33053, flows by
 * id without an owner check).
 */
const LEAST: Version = [1, 9, 1];
/** Below: users run code by tweaks, sign-up is open, tokens last a year (fixed in 1.10.1). */
const WANTED: Version = [1, 10, 1];
const TRUSTED_MS = 60_000;

type Version = readonly [number, number, number];
const VersionAnswer = z.object({
  version: z.string().max(100),
  package: z.string().max(100).optional(),
});

/**
 * Whether the Langflow that answers is safe to use: by its version, and because it lets nobody in
 * without a password.
 */
export interface Gate {
  /**
   * Asks it, whatever is known. Callers at the same time share one look.
   * @throws ProviderRefused with the reason; what `ask` throws.
   */
  check(): Promise<{ version: string }>;
  /** The same, but what was found within the last minute holds. */
  pass(signal?: AbortSignal): Promise<void>;
  /** A call failed: it may come back as another server, so the next call looks again. */
  forget(): void;
}

export function createGate(ask: AskLangflow, log: Logger): Gate {
  let known: { version: string; until: number } | undefined;
  let asking: Promise<{ version: string }> | undefined;
  let warned = "";

  async function look(): Promise<{ version: string }> {
    const answer = await ask({ method: "GET", path: "/api/v1/version", as: "nobody" });
    const parsed = VersionAnswer.safeParse(answer.body);
    if (answer.status !== 200 || !parsed.success)
      throw new BadGateway(
        "provider_invalid",
        "What answers at FLOWENGINE_BASE_URL is not Langflow: it tells no version.",
      );
    const shown = parsed.data.version;
    const version = versionOf(parsed.data);
    if (!version || older(version, LEAST))
      throw new ProviderRefused(
        `Langflow ${shown} is refused: versions before ${LEAST.join(".")} let strangers and other users reach flows and keys. The operator must install a newer one.`,
      );
    if (older(version, WANTED) && warned !== shown) {
      warned = shown;
      log.warn(
        { version: shown },
        `this Langflow has known weaknesses that ${WANTED.join(".")} mends: install it`,
      );
    }
    if ((await ask({ method: "GET", path: "/api/v1/auto_login", as: "nobody" })).status === 200)
      throw new ProviderRefused(
        "Langflow is refused: it signs anybody in as its administrator. The operator must start it with LANGFLOW_AUTO_LOGIN=false.",
      );
    const ready = await ask({ method: "GET", path: "/health_check", as: "nobody" });
    if (ready.status !== 200)
      throw new BadGateway("provider_failed", "The flow provider says that it is not well.");
    known = { version: shown, until: Date.now() + TRUSTED_MS };
    return known;
  }

  const forget = () => void (known = undefined);
  const check = () => {
    asking ??= look()
      .catch((error: unknown) => {
        forget();
        throw error;
      })
      .finally(() => (asking = undefined));
    return asking;
  };
  return {
    check,
    forget,
    async pass(signal) {
      signal?.throwIfAborted();
      if (!known || known.until <= Date.now()) await check();
    },
  };
}

/** langflow-base counted from 0 while Langflow counted from 1: its 0.10.3 is 1.10.3. */
function versionOf({
  version,
  package: name = "",
}: z.output<typeof VersionAnswer>): Version | undefined {
  const [, major, minor, patch] = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})/.exec(version) ?? [];
  if (major === undefined) return undefined;
  const base = /base/i.test(name) && Number(major) === 0 ? 1 : 0;
  return [Number(major) + base, Number(minor), Number(patch)];
}

function older(version: Version, than: Version): boolean {
  for (const [index, part] of than.entries()) {
    const own = version[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
