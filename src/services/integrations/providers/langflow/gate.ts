import { shareRuns } from "../../../../platform/share-runs.ts";
import { z } from "zod";
import { BadGateway } from "../../../../platform/http/errors.ts";
import type { Logger } from "../../../../platform/telemetry/log.ts";
import { ProviderRefused } from "../provider.ts";
import type { AskLangflow } from "./client.ts";

/**
 * Before: strangers and other users reach flows and keys (CVE-2026-33017, CVE-2026-33053, flows by
 * id without an owner check).
 */
const MIN_VERSION: Version = [1, 9, 1];
/** Before: users run code by tweaks, sign-up is open, tokens last a year (fixed in 1.10.1). */
const RECOMMENDED_VERSION: Version = [1, 10, 1];
const CHECK_LIFETIME_MS = 60_000;

type Version = readonly [number, number, number];
const VersionAnswer = z.object({
  version: z.string().max(100),
  package: z.string().max(100).optional(),
});

/** Checks that a Langflow server is safe: by its version, and that it requires a password. */
export interface Gate {
  /**
   * Checks the server now. Concurrent callers share one check.
   * @throws ProviderRefused with the reason; and what `ask` throws.
   */
  check(): Promise<{ version: string }>;
  /** As `check`, but a successful check is valid for a minute. */
  pass(signal?: AbortSignal): Promise<void>;
  /** Called when a call failed: the server may be replaced, so the next call checks again. */
  forget(): void;
}

export function createGate(ask: AskLangflow, log: Logger): Gate {
  let checked: { version: string; until: number } | undefined;
  let warned = "";

  async function inspect(): Promise<{ version: string }> {
    const { version, versionText } = await readVersion(ask);
    if (isOlder(version, RECOMMENDED_VERSION) && warned !== versionText) {
      warned = versionText;
      log.warn(
        { version: versionText },
        `this Langflow has known weaknesses that ${RECOMMENDED_VERSION.join(".")} mends: install it`,
      );
    }
    await checkServer(ask);
    checked = { version: versionText, until: Date.now() + CHECK_LIFETIME_MS };
    return checked;
  }

  const forget = () => void (checked = undefined);
  const check = shareRuns(() =>
    inspect().catch((error: unknown) => {
      forget();
      throw error;
    }),
  );
  return {
    check,
    forget,
    async pass(signal) {
      signal?.throwIfAborted();
      if (!checked || checked.until <= Date.now()) await check();
    },
  };
}

/** @throws ProviderRefused for a version that is not safe. */
async function readVersion(ask: AskLangflow) {
  const answer = await ask({ method: "GET", path: "/api/v1/version", as: "nobody" });
  const parsed = VersionAnswer.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success)
    throw new BadGateway(
      "provider_invalid",
      "What answers at FLOWENGINE_BASE_URL is not Langflow: it reports no version. The " +
        "operator must correct the address.",
    );
  const versionText = parsed.data.version;
  const version = versionOf(parsed.data);
  if (!version || isOlder(version, MIN_VERSION))
    throw new ProviderRefused(
      "provider_refused",
      `Langflow ${versionText} is refused: versions before ${MIN_VERSION.join(".")} let strangers and other users reach flows and keys. The operator must install a newer one.`,
      { params: { version: versionText, min: MIN_VERSION.join(".") } },
    );
  return { version, versionText };
}

/** @throws ProviderRefused without a password on the server, BadGateway when it is not well. */
async function checkServer(ask: AskLangflow): Promise<void> {
  const login = await ask({ method: "GET", path: "/api/v1/auto_login", as: "nobody" });
  if (login.status === 200)
    throw new ProviderRefused(
      "provider_refused",
      "Langflow is refused: it signs anybody in as its administrator. The operator must start it with LANGFLOW_AUTO_LOGIN=false.",
    );
  const ready = await ask({ method: "GET", path: "/health_check", as: "nobody" });
  if (ready.status !== 200)
    throw new BadGateway(
      "provider_failed",
      "The flow provider reports that it is unhealthy. The operator must check it.",
    );
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

function isOlder(version: Version, than: Version): boolean {
  for (const [index, part] of than.entries()) {
    const actual = version[index] ?? 0;
    if (actual !== part) return actual < part;
  }
  return false;
}
