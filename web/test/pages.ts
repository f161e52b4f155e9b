/** Every address that is tested for accessibility, themes, languages and narrow screens. */
export const PAGES: readonly { name: string; path: string; needsSession: boolean }[] = [
  { name: "sign-in", path: "/sign-in", needsSession: false },
  { name: "start", path: "/", needsSession: true },
  { name: "welcome", path: "/welcome", needsSession: true },
];
