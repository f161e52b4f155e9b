import { singleFlight } from "../../../../platform/single-flight.ts";
import { z } from "zod";
import { BadGateway } from "../../../../platform/http/errors.ts";
import { ProviderRefused } from "../provider.ts";
import type { AskLangflow } from "./client.ts";

/**
 * Before, and in its pre-releases: strangers or other users run code, read flows or take over
 * accounts. docs/flows.md names the weaknesses with their versions.
 */
const MIN_VERSION: Version = [1, 10, 1];
const CHECK_LIFETIME_MS = 60_000;

/** With -1 as a fourth part for a pre-release, which is older than its release. */
type Version = readonly [number, number, number, number?];
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

export function createGate(ask: AskLangflow): Gate {
  let checked: { version: string; until: number } | undefined;

  async function inspect(): Promise<{ version: string }> {
    const version = await readVersion(ask);
    await checkServer(ask);
    checked = { version, until: Date.now() + CHECK_LIFETIME_MS };
    return checked;
  }

  const forget = () => void (checked = undefined);
  const check = singleFlight(() =>
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
async function readVersion(ask: AskLangflow): Promise<string> {
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
      `Langflow ${versionText} is refused: versions before ${MIN_VERSION.join(".")}, and its pre-releases, let others run code on it. The operator must install a newer one.`,
      { params: { version: versionText, min: MIN_VERSION.join(".") } },
    );
  return versionText;
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
  const [, major, minor, patch, rest = ""] =
    /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})(.*)$/.exec(version.trim()) ?? [];
  if (major === undefined) return undefined;
  const base = /base/i.test(name) && Number(major) === 0 ? 1 : 0;
  const isRelease = /^(?:\.post\d{1,9})?(?:\+.*)?$/.test(rest);
  return [Number(major) + base, Number(minor), Number(patch), isRelease ? 0 : -1];
}

function isOlder(version: Version, than: Version): boolean {
  for (const [index, actual] of version.entries()) {
    const part = than[index] ?? 0;
    if (actual !== part) return (actual ?? 0) < part;
  }
  return false;
}
