/** Every address that is tested for accessibility, themes, languages and narrow screens. */
export const PAGES: readonly { name: string; path: string; needsSession: boolean }[] = [
  { name: "sign-in", path: "/sign-in", needsSession: false },
  { name: "start", path: "/", needsSession: true },
  { name: "welcome", path: "/welcome", needsSession: true },
  { name: "history", path: "/history", needsSession: true },
  { name: "trash", path: "/trash", needsSession: true },
  { name: "profile", path: "/settings/profile", needsSession: true },
  { name: "preferences", path: "/settings/preferences", needsSession: true },
  { name: "security", path: "/settings/security", needsSession: true },
  { name: "keys", path: "/settings/keys", needsSession: true },
  { name: "data", path: "/settings/data", needsSession: true },
  { name: "usage", path: "/usage", needsSession: true },
  { name: "budgets", path: "/usage/budgets", needsSession: true },
  { name: "documents", path: "/documents", needsSession: true },
];
