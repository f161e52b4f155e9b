import { createRoute } from "@tanstack/react-router";
import { validateCanvasSearch } from "../canvas/search.ts";
import { appRoute } from "../shell/app-route.ts";
import { lazyPart } from "../ui/lazy-part.ts";

/** One page for all: a new conversation gets its address while it is answered. */
const chat = createRoute({
  getParentRoute: () => appRoute,
  id: "chat",
  component: lazyPart(() => import("./page.tsx"), "ChatPage"),
});

const newConversation = createRoute({
  getParentRoute: () => chat,
  path: "/",
  /** Who answers, and a template whose text the message begins with. */
  validateSearch: ({
    agent,
    template,
  }: Record<string, unknown>): { agent?: string; template?: string } => ({
    ...(typeof agent === "string" && { agent }),
    ...(typeof template === "string" && { template }),
  }),
});

const MAX_FIND_CHARACTERS = 200;

const conversation = createRoute({
  getParentRoute: () => chat,
  path: "/c/$id",
  /** `find`: words to open the thread at. */
  validateSearch: ({ find }: Record<string, unknown>): { find?: string } => ({
    ...(typeof find === "string" &&
      find.trim() !== "" && { find: find.slice(0, MAX_FIND_CHARACTERS) }),
  }),
});

/** A canvas beside its conversation. */
const canvas = createRoute({
  getParentRoute: () => chat,
  path: "/c/$id/canvas/$canvas",
  validateSearch: validateCanvasSearch,
});

const print = createRoute({
  getParentRoute: () => appRoute,
  path: "/c/$id/print",
  component: lazyPart(() => import("./print-page.tsx"), "PrintPage"),
});

/** What waits for the person. */
const needs = createRoute({
  getParentRoute: () => appRoute,
  path: "/needs-you",
  component: lazyPart(() => import("./needs-page.tsx"), "NeedsPage"),
});

export const chatRoutes = [
  chat.addChildren([newConversation, conversation, canvas]),
  print,
  needs,
];
