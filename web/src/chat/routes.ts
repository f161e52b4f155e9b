import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { validateCanvasSearch } from "../canvas/search.ts";
import { appRoute } from "../shell/app-route.ts";

/** One page for all: a new conversation gets its address while it is answered. */
const chat = createRoute({
  getParentRoute: () => appRoute,
  id: "chat",
  component: lazyRouteComponent(() => import("./page.tsx"), "ChatPage"),
});

const newConversation = createRoute({
  getParentRoute: () => chat,
  path: "/",
  validateSearch: ({ agent }: Record<string, unknown>): { agent?: string } => ({
    ...(typeof agent === "string" && { agent }),
  }),
});

const conversation = createRoute({ getParentRoute: () => chat, path: "/c/$id" });

/** A canvas beside its conversation. */
const canvas = createRoute({
  getParentRoute: () => chat,
  path: "/c/$id/canvas/$canvas",
  validateSearch: validateCanvasSearch,
});

const print = createRoute({
  getParentRoute: () => appRoute,
  path: "/c/$id/print",
  component: lazyRouteComponent(() => import("./print-page.tsx"), "PrintPage"),
});

export const chatRoutes = [
  chat.addChildren([newConversation, conversation, canvas]),
  print,
];
