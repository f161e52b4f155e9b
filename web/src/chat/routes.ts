import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";

/** One page for both addresses: a new conversation gets its own while it is answered. */
const chat = createRoute({
  getParentRoute: () => appRoute,
  id: "chat",
  component: lazyRouteComponent(() => import("./page.tsx"), "ChatPage"),
});

const newConversation = createRoute({ getParentRoute: () => chat, path: "/" });

const conversation = createRoute({ getParentRoute: () => chat, path: "/c/$id" });

const print = createRoute({
  getParentRoute: () => appRoute,
  path: "/c/$id/print",
  component: lazyRouteComponent(() => import("./print-page.tsx"), "PrintPage"),
});

export const chatRoutes = [chat.addChildren([newConversation, conversation]), print];
