import { hashToken, randomToken } from "../../../../platform/auth/secrets.ts";
import { sealedCache } from "../../../../platform/auth/sealed-cache.ts";
import type { Cache } from "../../../../platform/cache/cache.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { Unauthorized } from "../../../../platform/http/errors.ts";
import { findUser } from "../../accounts/users-store.ts";
import type { ProviderSession } from "../sessions.ts";
import type { SignedIn } from "./finish-sign-in.ts";
import { signInCookie } from "./sign-in-cookie.ts";
import { type PendingSignIn } from "./start-sign-in.ts";

interface CodeDeps {
  cache: Cache;
  encryptionKey: string;
}

const CODE_LIFETIME_MS = 60_000;

/** What the service remembers between the end of a sign-in and the exchange of its code. */
interface FinishedSignIn extends Pick<PendingSignIn, "browserHash"> {
  userId: string;
  isConfirmed?: boolean;
  cameFrom?: ProviderSession | undefined;
}

/** A code with which the browser that started a sign-in gets its session. */
export async function issueCode(
  { cache, encryptionKey }: CodeDeps,
  { user: { id: userId }, ...proved }: SignedIn,
  browserHash: string,
): Promise<string> {
  const code = randomToken();
  const finished: FinishedSignIn = { userId, ...proved, browserHash };
  const key = `oidc-code:${hashToken(code)}`;
  await sealedCache(cache, encryptionKey).set(key, finished, CODE_LIFETIME_MS, userId);
  return code;
}

/**
 * The user who came back from an identity provider with this code; it works once, in the browser
 * that started the sign-in.
 * @throws Unauthorized `code_invalid`.
 */
export async function redeemCode(
  deps: CodeDeps & { db: Database; publicUrl: string },
  code: string,
  request: Request,
): Promise<SignedIn> {
  const key = `oidc-code:${hashToken(code)}`;
  const sealed = sealedCache(deps.cache, deps.encryptionKey);
  const finished = await sealed.get<FinishedSignIn>(key);
  const browser = signInCookie(deps.publicUrl).read(request) ?? "";
  const isFirstUse =
    finished?.browserHash === hashToken(browser) &&
    (await deps.cache.add(`${key}:used`, "1", CODE_LIFETIME_MS, finished.userId));
  const user = isFirstUse ? await findUser(deps.db, finished.userId) : undefined;
  if (!user || user.disabled) throw codeInvalid();
  await deps.cache.delete(key);
  const { isConfirmed = false, cameFrom } = finished ?? {};
  return { user, isConfirmed, cameFrom };
}

export function codeInvalid(): Unauthorized {
  return new Unauthorized(
    "code_invalid",
    "This code is wrong, already used, too old or of another browser. Sign in again.",
  );
}
