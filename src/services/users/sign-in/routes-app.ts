import type { Routes } from "../../../platform/http/routes.ts";
import { hasSessionCookie } from "../../../platform/http/session-cookie.ts";
import { VERSION } from "../../../platform/version.ts";
import { type AppInfo, MIN_PASSWORD_CHARACTERS } from "../contract-app.ts";
import { usersContract as contract } from "../contract.ts";
import { readBranding } from "../branding/branding.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import type { SessionDeps } from "./sessions.ts";
import type { Providers } from "./oidc/providers.ts";
import { needsSetup, setUp } from "./set-up.ts";

export interface AppDeps extends SessionDeps {
  guesses: GuessLimit;
  signUpOpen: boolean;
  providers: Providers;
  features: AppInfo["features"];
  maxUploadBytes: number;
}

const PRODUCT = "Parlance";
const MAX_MESSAGE_CHARACTERS = 1_000_000;
const MAX_MESSAGE_FILES = 20;

/** Routes that a page needs before anyone has signed in. */
export function appRoutes(routes: Routes, deps: AppDeps): void {
  const { db, features, maxUploadBytes, providers, signUpOpen } = deps;
  routes
    .on(contract.app, async ({ request }) => ({
      signedIn: hasSessionCookie(request),
      ...(await nameAndLook(db)),
      version: VERSION,
      setup: await needsSetup(db),
      signUp: signUpOpen,
      providers: providers.all.map(({ name, displayName = name }) => ({
        name,
        displayName,
        url: `/api/v1/auth/oidc/${name}`,
      })),
      features,
      limits: {
        uploadBytes: maxUploadBytes,
        messageCharacters: MAX_MESSAGE_CHARACTERS,
        messageFiles: MAX_MESSAGE_FILES,
        passwordCharacters: MIN_PASSWORD_CHARACTERS,
      },
    }))
    .on(contract.setUp, ({ body, peer }) => setUp(deps, body, peer));
}

async function nameAndLook(db: AppDeps["db"]): Promise<Pick<AppInfo, "name" | "branding">> {
  const branding = await readBranding(db);
  return { name: branding.name ?? PRODUCT, branding };
}
