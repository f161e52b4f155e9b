import { hashToken, randomToken } from "../../../../platform/auth/secrets.ts";
import { sealedCache } from "../../../../platform/auth/sealed-cache.ts";
import type { Cache } from "../../../../platform/cache/cache.ts";
import type { GuessLimit } from "../limit-guesses.ts";
import type { SessionDeps } from "../sessions.ts";
import { signIn } from "../sign-in.ts";
import { type Person, resolveUser } from "./link-identity.ts";
import type { Providers } from "./providers.ts";
import { codeInvalid, issueCode } from "./sign-in-codes.ts";
import { signInCookie } from "./sign-in-cookie.ts";
import { type PendingSignIn, SIGN_IN_LIFETIME_MS } from "./start-sign-in.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  encryptionKey: string;
  publicUrl: string;
  providers: Providers;
  guesses: GuessLimit;
}

/** What the service remembers until the person gives the password of the account. */
interface PendingLink extends Pick<PendingSignIn, "provider" | "browserHash"> {
  person: Person;
}

/** @returns a code with which the browser that started the sign-in sends the password. */
export async function rememberLink(
  { cache, encryptionKey }: Pick<Deps, "cache" | "encryptionKey">,
  { provider, browserHash, origin }: PendingSignIn,
  person: Person,
): Promise<string> {
  const code = randomToken();
  const pending: PendingLink = { provider, browserHash, person };
  await sealedCache(cache, encryptionKey).set(
    `oidc-link:${hashToken(code)}`,
    pending,
    SIGN_IN_LIFETIME_MS,
    origin,
  );
  return code;
}

/**
 * Links an identity with the account of the same email, whose password the person gives. Wrong
 * passwords count as at every sign-in, and the code stays for another try.
 * @returns the code of the finished sign-in.
 * @throws Unauthorized `code_invalid`, `credentials_wrong`; TooManyRequests; and as `resolveUser`.
 */
export async function linkAccount(
  deps: Deps,
  { code, password }: { code: string; password: string },
  request: Request,
  peer: string,
): Promise<string> {
  const key = `oidc-link:${hashToken(code)}`;
  const pending = await sealedCache(deps.cache, deps.encryptionKey).get<PendingLink>(key);
  const browser = signInCookie(deps.publicUrl).read(request) ?? "";
  const provider = deps.providers.all.find(({ name }) => name === pending?.provider);
  if (!pending || !provider || pending.browserHash !== hashToken(browser))
    throw codeInvalid();
  const { person, browserHash } = pending;
  const owner = await signIn(deps, { email: person.email ?? "", password }, peer);
  if (!(await deps.cache.add(`${key}:used`, "1", SIGN_IN_LIFETIME_MS, owner.id)))
    throw codeInvalid();
  await deps.cache.delete(key);
  const user = await resolveUser(deps, provider, person, owner.id);
  const cameFrom = { provider: provider.name, id: person.session };
  return issueCode(deps, { user, isConfirmed: true, cameFrom }, browserHash);
}
