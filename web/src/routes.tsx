import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { StoredDocument } from "./documents/queries.ts";
import { Root } from "./root.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { PageError } from "./shell/page-error.tsx";
import { meQuery } from "./shell/queries.ts";
import { Shell } from "./shell/shell.tsx";
import { toFailure } from "./api/failure.ts";

interface Context {
  queries: QueryClient;
}

type Status = StoredDocument["status"];
interface DocumentsSearch {
  q?: string;
  status?: Status;
}
interface DocumentSearch {
  page?: number;
  view?: "text" | "chunks";
}

/** Every address of the app. A room is its own file, fetched when it is opened. */

const root = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: NotFound,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ next }: { next?: unknown }): { next?: string } =>
    isPath(next) ? { next } : {},
  component: lazyRouteComponent(() => import("./sign-in/page.tsx"), "SignInPage"),
});

/** What needs a session, in the frame of the shell. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  component: Shell,
  errorComponent: PageError,
  async beforeLoad({ context, location }) {
    try {
      await context.queries.ensureQueryData(meQuery);
    } catch (error) {
      if (toFailure(error).status !== 401) throw error;
      throw redirect({ to: "/sign-in", search: { next: location.href }, replace: true });
    }
  },
});

/** One page for both addresses: a new conversation gets its own while it is answered. */
const chat = createRoute({
  getParentRoute: () => app,
  id: "chat",
  component: lazyRouteComponent(() => import("./chat/page.tsx"), "ChatPage"),
});
const newConversation = createRoute({ getParentRoute: () => chat, path: "/" });
const conversation = createRoute({ getParentRoute: () => chat, path: "/c/$id" });

const print = createRoute({
  getParentRoute: () => app,
  path: "/c/$id/print",
  component: lazyRouteComponent(() => import("./chat/print-page.tsx"), "PrintPage"),
});

const welcome = createRoute({
  getParentRoute: () => app,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./welcome/page.tsx"), "WelcomePage"),
});

const history = createRoute({
  getParentRoute: () => app,
  path: "/history",
  validateSearch: ({ q, tag }: Record<string, unknown>): { q?: string; tag?: string } => ({
    ...(typeof q === "string" && { q }),
    ...(typeof tag === "string" && { tag }),
  }),
  component: lazyRouteComponent(() => import("./history/page.tsx"), "HistoryPage"),
});
const trash = createRoute({
  getParentRoute: () => app,
  path: "/trash",
  component: lazyRouteComponent(() => import("./history/trash-page.tsx"), "TrashPage"),
});

const documents = createRoute({
  getParentRoute: () => app,
  id: "documents-list",
  validateSearch: ({ q, status }: Record<string, unknown>): DocumentsSearch => ({
    ...(typeof q === "string" && { q }),
    ...(isStatus(status) && { status }),
  }),
  component: lazyRouteComponent(() => import("./documents/page.tsx"), "DocumentsPage"),
});
const allDocuments = createRoute({ getParentRoute: () => documents, path: "/documents" });
const folder = createRoute({ getParentRoute: () => documents, path: "/documents/$folder" });
const document = createRoute({
  getParentRoute: () => app,
  path: "/documents/d/$id",
  validateSearch: ({ page, view }: Record<string, unknown>): DocumentSearch => ({
    ...(typeof page === "number" && { page }),
    ...((view === "text" || view === "chunks") && { view }),
  }),
  component: lazyRouteComponent(() => import("./documents/document-page.tsx"), "DocumentPage"),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/page.tsx"), "SettingsPage"),
});
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad() {
    throw redirect({ to: "/settings/profile", replace: true });
  },
});
const profile = createRoute({
  getParentRoute: () => settings,
  path: "profile",
  component: lazyRouteComponent(() => import("./settings/profile.tsx"), "Profile"),
});
const preferences = createRoute({
  getParentRoute: () => settings,
  path: "preferences",
  component: lazyRouteComponent(() => import("./settings/preferences.tsx"), "Preferences"),
});
const security = createRoute({
  getParentRoute: () => settings,
  path: "security",
  component: lazyRouteComponent(() => import("./settings/security.tsx"), "Security"),
});
const keys = createRoute({
  getParentRoute: () => settings,
  path: "keys",
  component: lazyRouteComponent(() => import("./settings/keys.tsx"), "Keys"),
});
const data = createRoute({
  getParentRoute: () => settings,
  path: "data",
  component: lazyRouteComponent(() => import("./settings/data.tsx"), "Data"),
});
const settingsParts = [settingsStart, profile, preferences, security, keys, data];

const rooms = [
  history,
  trash,
  documents.addChildren([allDocuments, folder]),
  document,
  settings.addChildren(settingsParts),
  welcome,
  chat.addChildren([newConversation, conversation]),
  print,
];
const tree = root.addChildren([signIn, app.addChildren(rooms)]);

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: "intent",
    defaultErrorComponent: PageError,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

/** A path of this app, never another site. */
function isPath(value: unknown): value is string {
  return typeof value === "string" && /^\/(?![/\\])/.test(value);
}

const STATUSES: readonly Status[] = [
  "UPLOADED",
  "PARSING",
  "PARSED",
  "EMBEDDING",
  "PROCESSED",
  "FAILED",
];

function isStatus(value: unknown): value is Status {
  return STATUSES.some((status) => status === value);
}
