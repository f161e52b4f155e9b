import { availableModelsContract } from "../../../src/services/core/catalogue/contract.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { conversationsContract } from "../../../src/services/core/conversations/contract.ts";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { accountNoticesContract } from "../../../src/services/users/contract-account-notices.ts";
import { appContract } from "../../../src/services/users/contract-app.ts";
import { usersContract } from "../../../src/services/users/contract.ts";
import { oidcContract } from "../../../src/services/users/contract-oidc.ts";
import { sessionsContract } from "../../../src/services/users/contract-sessions.ts";
import { call } from "../api/call.ts";
import { sessionStarted } from "../api/session.ts";

const RECENT_CONVERSATIONS = 30;
const MINUTE_MS = 60_000;

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => {
    const me = await call(usersContract.me, {}, { signal });
    sessionStarted();
    return me;
  },
  staleTime: 5 * MINUTE_MS,
  retry: false,
});

/** What the installation offers, and how it presents itself. */
export const appQuery = queryOptions({
  queryKey: ["app"],
  queryFn: ({ signal }) => call(appContract.app, {}, { signal }),
  staleTime: 5 * MINUTE_MS,
});

const SHOWN_NOTICES = 20;

/** What administrators did to the account. */
export const accountNoticesQuery = queryOptions({
  queryKey: ["account-notices"],
  queryFn: ({ signal }) =>
    call(
      accountNoticesContract.listNotices,
      { query: { limit: SHOWN_NOTICES } },
      { signal },
    ),
});

export function readAccountNotices() {
  return call(accountNoticesContract.readNotices, {});
}

export const recentQuery = queryOptions({
  queryKey: ["conversations", "recent"],
  queryFn: ({ signal }) =>
    call(
      conversationsContract.chatHistory,
      { query: { limit: RECENT_CONVERSATIONS } },
      { signal },
    ),
});

export type RecentConversation = RouteOk<
  typeof conversationsContract.chatHistory
>["items"][number];

/** Those that are pinned, however long ago they were used. */
export const pinnedQuery = queryOptions({
  queryKey: ["conversations", "pinned"],
  queryFn: ({ signal }) =>
    call(
      conversationsContract.chatHistory,
      { query: { limit: RECENT_CONVERSATIONS, pinned: "true" } },
      { signal },
    ),
});

export const identityProvidersQuery = queryOptions({
  queryKey: ["identity-providers"],
  queryFn: ({ signal }) => call(usersContract.listProviders, { query: {} }, { signal }),
  staleTime: Infinity,
});

export function searchConversationsQuery(query: string) {
  return queryOptions({
    queryKey: ["conversations", "search", query],
    queryFn: ({ signal }) =>
      call(conversationsContract.search, { query: { query, limit: 8 } }, { signal }),
    enabled: query.trim().length > 1,
  });
}

/** Whether the roles of the person signed in permit something. */
export function usePermission(permission: string): boolean {
  const { data } = useQuery(meQuery);
  return data?.permissions.includes(permission) ?? false;
}

export async function signIn(credentials: {
  email: string;
  password: string;
}): Promise<void> {
  await call(sessionsContract.startBrowserSession, { body: credentials });
}

/** Signs in with the code that an identity provider's sign-in came back with. */
export async function signInWithCode(code: string): Promise<void> {
  await call(sessionsContract.startBrowserSession, { body: { code } });
}

/** Links the account of this password with the identity provider's, and signs in. */
export async function signInWithPassword(link: string, password: string): Promise<void> {
  const { code } = await call(oidcContract.link, { body: { code: link, password } });
  await signInWithCode(code);
}

/** Replaces the printed password of the first administrator. @returns the email to sign in with. */
export async function setUp(
  body: RouteInput<typeof appContract.setUp>["body"],
): Promise<{ email: string }> {
  return call(appContract.setUp, { body });
}

/** Creates an account, where the installation lets anybody do so. */
export async function signUp(
  body: RouteInput<typeof usersContract.signUp>["body"],
): Promise<void> {
  await call(usersContract.signUp, { body });
}

export async function signOut(): Promise<void> {
  await call(usersContract.logout, {});
}

/** What models are there for, of those that the user may use. */
export const modelKindsQuery = queryOptions({
  queryKey: ["models", "kinds"],
  queryFn: ({ signal }) => call(availableModelsContract.usableKinds, {}, { signal }),
  staleTime: MINUTE_MS,
});

/** The models that the user may ask, best first, by the names that the server has for them. */
export const modelsQuery = queryOptions({
  queryKey: ["models", "selections"],
  queryFn: ({ signal }) =>
    call(
      availableModelsContract.completionSelections,
      { query: { limit: 100 } },
      { signal },
    ),
  staleTime: MINUTE_MS,
});
