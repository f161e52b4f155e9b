/** The assistant, which every installation has. */
const BUILT_IN = "00000000-0000-7000-8000-000000000001";
const BUILT_IN_TEMPLATE = "00000000-0000-7000-8000-000000010001";

export interface PageAddress {
  name: string;
  path: string;
  needsSession: boolean;
}

/** Ids of one thing of each kind that has a page of its own. */
export interface FilledIds {
  conversation: string;
  calledConversation: string;
  waitingConversation: string;
  canvas: string;
  htmlCanvas: string;
  document: string;
  folder: string;
  agent: string;
  agentFolder: string;
  template: string;
  conversion: string;
  rule: string;
  run: string;
  source: string;
  schedule: string;
  flow: string;
  user: string;
  group: string;
  role: string;
}

/** Every address that is tested for accessibility, themes, languages and narrow screens. */
export function pagesOf(ids: FilledIds): readonly PageAddress[] {
  const paths = detailPaths(ids);
  return [...PAGES, ...paths.map((path) => ({ name: path, path, needsSession: true }))];
}

export const PAGES: readonly PageAddress[] = [
  { name: "sign-in", path: "/sign-in", needsSession: false },
  { name: "sign-up", path: "/sign-up", needsSession: false },
  { name: "start", path: "/", needsSession: true },
  { name: "needs you", path: "/needs-you", needsSession: true },
  { name: "welcome", path: "/welcome", needsSession: true },
  { name: "history", path: "/history", needsSession: true },
  { name: "trash", path: "/trash", needsSession: true },
  { name: "canvases", path: "/canvases", needsSession: true },
  { name: "deleted canvases", path: "/trash/canvases", needsSession: true },
  { name: "shared conversations", path: "/shared", needsSession: true },
  { name: "shared canvases", path: "/shared?kind=canvas", needsSession: true },
  { name: "deleted agents", path: "/trash/agents", needsSession: true },
  { name: "profile", path: "/settings/profile", needsSession: true },
  { name: "preferences", path: "/settings/preferences", needsSession: true },
  { name: "security", path: "/settings/security", needsSession: true },
  { name: "always allowed tools", path: "/settings/tools", needsSession: true },
  { name: "keys", path: "/settings/keys", needsSession: true },
  { name: "connections", path: "/settings/connections", needsSession: true },
  { name: "data", path: "/settings/data", needsSession: true },
  { name: "usage", path: "/usage", needsSession: true },
  { name: "budgets", path: "/usage/budgets", needsSession: true },
  { name: "administration", path: "/admin", needsSession: true },
  { name: "overview", path: "/admin/overview", needsSession: true },
  { name: "branding", path: "/admin/branding", needsSession: true },
  { name: "feedback", path: "/admin/feedback", needsSession: true },
  { name: "parsing", path: "/admin/parsing", needsSession: true },
  { name: "search index", path: "/admin/embedding", needsSession: true },
  { name: "queues", path: "/admin/queues", needsSession: true },
  { name: "locks", path: "/admin/locks", needsSession: true },
  { name: "audit", path: "/admin/audit", needsSession: true },
  { name: "system", path: "/admin/system", needsSession: true },
  { name: "documents", path: "/documents", needsSession: true },
  { name: "search", path: "/documents/try", needsSession: true },
  { name: "measuring the search", path: "/documents/measure", needsSession: true },
  { name: "search results", path: "/documents/try?q=leave", needsSession: true },
  { name: "models", path: "/admin/models/offered", needsSession: true },
  { name: "providers", path: "/admin/models/providers", needsSession: true },
  { name: "tool-servers", path: "/admin/tools/servers", needsSession: true },
  { name: "tools", path: "/admin/tools/list", needsSession: true },
  { name: "changed-tools", path: "/admin/tools/changed", needsSession: true },
  { name: "search-engines", path: "/admin/web-search", needsSession: true },
  { name: "users", path: "/admin/users", needsSession: true },
  { name: "deleted users", path: "/admin/users/deleted", needsSession: true },
  { name: "users of another issuer", path: "/admin/users/external", needsSession: true },
  { name: "programs of users", path: "/admin/users/programs", needsSession: true },
  { name: "provisioning", path: "/admin/users/provisioning", needsSession: true },
  { name: "groups", path: "/admin/groups", needsSession: true },
  { name: "labels", path: "/admin/labels", needsSession: true },
  { name: "roles", path: "/admin/roles", needsSession: true },
  { name: "role", path: "/admin/roles/reader", needsSession: true },
  { name: "new-role", path: "/admin/new-role?from=reader", needsSession: true },
  { name: "flows", path: "/flows", needsSession: true },
  { name: "flow account", path: "/flows/account", needsSession: true },
  { name: "flow permissions", path: "/admin/flows", needsSession: true },
  { name: "rules", path: "/automations", needsSession: true },
  { name: "rule editor", path: "/automations/new", needsSession: true },
  { name: "runs", path: "/automations/runs", needsSession: true },
  { name: "sources", path: "/automations/sources", needsSession: true },
  { name: "schedules", path: "/automations/schedules", needsSession: true },
  { name: "schedule editor", path: "/automations/schedules/new", needsSession: true },
  { name: "agents", path: "/agents", needsSession: true },
  { name: "new agent", path: "/agents/new", needsSession: true },
  { name: "built-in agent", path: `/agents/${BUILT_IN}`, needsSession: true },
  { name: "versions", path: `/agents/${BUILT_IN}/versions`, needsSession: true },
  { name: "comparison", path: `/agents/${BUILT_IN}/compare`, needsSession: true },
  { name: "templates", path: "/templates", needsSession: true },
  { name: "new template", path: "/templates/new", needsSession: true },
  {
    name: "built-in template",
    path: `/templates/${BUILT_IN_TEMPLATE}`,
    needsSession: true,
  },
  { name: "text tools", path: "/text", needsSession: true },
  { name: "translation", path: "/text?tool=translation", needsSession: true },
  { name: "summary", path: "/text?tool=summarisation", needsSession: true },
  { name: "kept texts", path: "/text/kept", needsSession: true },
];

function detailPaths(ids: FilledIds): string[] {
  const beside = `/c/${ids.conversation}/canvas/${ids.canvas}`;
  return [
    `/c/${ids.conversation}`,
    `/c/${ids.conversation}/print`,
    `/c/${ids.calledConversation}`,
    `/c/${ids.waitingConversation}`,
    beside,
    ...["edit", "versions", "diff"].map((view) => `${beside}?view=${view}`),
    `/canvas/${ids.canvas}`,
    `/canvas/${ids.htmlCanvas}`,
    `/documents/${ids.folder}`,
    `/documents/d/${ids.document}`,
    `/agents?folder=${ids.agentFolder}`,
    ...["own", "shared", "organization"].map((view) => `/agents?view=${view}`),
    `/agents/${ids.agent}`,
    `/agents/${ids.agent}/versions`,
    `/agents/${ids.agent}/versions?from=1&to=2`,
    `/agents/${ids.agent}/compare`,
    `/?agent=${ids.agent}`,
    `/templates/${ids.template}`,
    `/text/kept/${ids.conversion}`,
    `/automations/${ids.rule}`,
    `/automations/${ids.rule}/runs`,
    `/automations/runs/${ids.run}`,
    `/automations/sources/${ids.source}`,
    `/automations/schedules/${ids.schedule}`,
    `/flows/${ids.flow}`,
    `/admin/users/${ids.user}`,
    `/admin/users/${ids.user}/account`,
    `/admin/users/${ids.user}/access`,
    `/admin/groups/${ids.group}`,
    `/admin/roles/${ids.role}`,
  ];
}
