import type { en } from "./texts.en.ts";

/** A part of administration. */
export interface Part {
  to: string;
  /** Its name in the texts of administration. */
  label: keyof (typeof en)["parts"];
  /** The permission that the part requires. */
  permission: string;
  /** An address of the part that is not below `to`. */
  also?: string;
}

/** In the order of the navigation. */
export const PARTS: readonly Part[] = [
  { to: "/admin/overview", label: "overview", permission: "user:administer" },
  { to: "/admin/users", label: "users", permission: "user:administer" },
  { to: "/admin/groups", label: "groups", permission: "group:administer" },
  {
    to: "/admin/roles",
    label: "roles",
    permission: "role:administer",
    also: "/admin/new-role",
  },
  { to: "/admin/labels", label: "labels", permission: "label:administer" },
  { to: "/admin/models", label: "models", permission: "model:administer" },
  { to: "/admin/tools", label: "tools", permission: "tool:administer" },
  { to: "/admin/web-search", label: "webSearch", permission: "tool:administer" },
  { to: "/admin/branding", label: "branding", permission: "branding:administer" },
  { to: "/admin/parsing", label: "parsing", permission: "model:administer" },
  { to: "/admin/embedding", label: "embedding", permission: "model:administer" },
  { to: "/admin/queues", label: "queues", permission: "queue:administer" },
  { to: "/admin/locks", label: "locks", permission: "lock:administer" },
  { to: "/admin/audit", label: "audit", permission: "audit:administer" },
  { to: "/admin/feedback", label: "feedback", permission: "audit:administer" },
  { to: "/admin/system", label: "system", permission: "queue:administer" },
  { to: "/admin/flows", label: "flows", permission: "flow:administer" },
];

/** The part that an address belongs to. */
export function partAt(path: string): Part | undefined {
  return PARTS.find(({ to, also }) =>
    [to, also].some((one) => one === path || path.startsWith(`${one}/`)),
  );
}
