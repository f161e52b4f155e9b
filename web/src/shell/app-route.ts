import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  isRedirect,
  redirect,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { toFailure } from "../api/failure.ts";
import { NotFound, Root } from "./root.tsx";
import { PageError } from "./page-error.tsx";
import { sessionClosed, wasSignedIn } from "../api/session.ts";
import { appQuery, meQuery, type RecentConversation } from "./queries.ts";
import type { PaletteProps } from "./palette.tsx";
import { Shell } from "./shell.tsx";

interface Context {
  queries: QueryClient;
  /** Of the area of conversations, for the rail. */
  RailRowMenu: ComponentType<{ conversation: RecentConversation }>;
  /** With the pages of all areas. */
  Palette: ComponentType<Omit<PaletteProps, "pages">> & { preload?: () => unknown };
}

export const rootRoute = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: NotFound,
});

/** The parent of what needs a session, in the frame of the shell. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "app",
  component: Shell,
  errorComponent: PageError,
  async beforeLoad({ context, location }) {
    try {
      // who never signed in here is not asked who they are
      if (!wasSignedIn() && !(await context.queries.ensureQueryData(appQuery)).signedIn)
        throw toSignIn(location);
      const me = await context.queries.ensureQueryData(meQuery);
      if (me.passwordIsTemporary) throw redirect({ to: "/new-password", replace: true });
    } catch (error) {
      if (isRedirect(error) || toFailure(error).status !== 401) throw error;
      sessionClosed();
      throw toSignIn(location);
    }
  },
});

const toSignIn = ({ href }: { href: string }) =>
  redirect({ to: "/sign-in", search: { next: href }, replace: true });

/** Every other address, in the same frame. */
export const otherRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "$",
  component: NotFound,
});
