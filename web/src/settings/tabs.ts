/** The parts of the settings, in their order. */
export const TABS = [
  "profile",
  "preferences",
  "security",
  "tools",
  "connections",
  "keys",
  "data",
] as const;
