import type {
  PermissionResource,
  PermissionVerb,
} from "../../../../src/services/users/contract-permissions.ts";
import { nameOf } from "../../texts/name-of.ts";
import type { Rule } from "./rules.ts";

const VERBS: Record<PermissionVerb | "manage", string> = {
  manage: "Everything but administration",
  read: "Read",
  export: "Export",
  create: "Create",
  update: "Change",
  delete: "Delete",
  use: "Use",
  run: "Run",
  administer: "Administer",
  search: "Search",
  process: "Process",
  approve: "Approve",
};
const RESOURCES: Record<PermissionResource, string> = {
  account: "Own account",
  agent: "Agents",
  audit: "Audit log",
  automation: "Automations",
  branding: "Look of the app",
  budget: "Budgets",
  canvas: "Canvases",
  code: "Code in replies",
  conversation: "Conversations",
  conversion: "Text tools",
  directory: "Directory",
  document: "Documents",
  flow: "Flows",
  group: "Groups",
  image: "Images",
  label: "Labels",
  lock: "Editing locks",
  mark: "Pins and tags",
  model: "Models",
  queue: "Queues",
  role: "Roles",
  share: "Sharing",
  template: "Templates",
  tool: "Tools",
  usage: "Usage",
  user: "Users",
  web: "The web",
};
const BUILT_IN: Record<string, string> = {
  admin: "Everything, administration too",
  user: "Everything but administration",
  reader: "Reads what is their own or shared with them, and changes nothing",
};
const resource = (name: string) => nameOf(RESOURCES, name);

export const en = {
  title: "Roles",
  hint: "A role is a set of permissions. Users have one or several.",
  all: "All roles",
  create: "Create role",
  created: (name: string) => `The role ${name} exists now. Give it to users.`,
  copy: "Copy",
  copyOf: (name: string) => `Copy of ${name}`,
  name: "Name",
  nameHint: "Lower-case letters, digits and dashes.",
  description: "Description",
  describe: ({
    name,
    description,
    builtIn,
  }: {
    name: string;
    description: string;
    builtIn: boolean;
  }) => (builtIn && BUILT_IN[name]) || description,
  builtIn: "built in",
  builtInHint: "Built-in roles cannot be changed.",
  permissions: "Permissions",
  countOf: (count: number, all: number) => `${count} of ${all}`,
  actionsLabel: "Actions",
  actions: (name: string) => `Actions for ${name}`,
  delete: "Delete",
  deleted: (name: string) => `The role ${name} is deleted.`,
  deleteTitle: (name: string) => `Delete the role ${name}`,
  deleteText: "Only a role that no user has can be deleted. This cannot be undone.",
  save: "Save",
  saved: "Saved. It counts from the next request of each user.",
  discard: "Discard changes",
  changeHint: "What you choose is kept in this browser until you save it.",
  general: "In general",
  generalHint: "These also cover permissions that later versions add.",
  rule: ({ action, subject, inverted }: Rule) => {
    const what = subject === "all" ? "" : `: ${resource(subject)}`;
    const of = `${nameOf(VERBS, action)}${subject === "all" && action !== "manage" ? " everything" : what}`;
    return inverted ? `Forbidden: ${of}` : of;
  },
  resource,
  effects: { none: "—", allow: "Allow", forbid: "Forbid", several: "Several rules" },
  asGeneral: "As in general",
  addCondition: "Add a condition",
  condition: "Only if",
  conditionHint: 'Fields of the request as JSON: {"model": {"$in": ["openai/gpt-5"]}}',
  conditionInvalid: "This is not a JSON object.",
  onlyIf: (conditions: string) => `only if ${conditions}`,
  show: "Show",
  shown: {
    all: "All permissions",
    allowed: "What is permitted",
    missing: "What is missing",
  },
  outcomes: {
    yes: "Permitted",
    no: "Not permitted",
    conditional: "Depends on the request",
    forbidden: "Forbidden, whatever other roles permit",
  },
  matrix: "Side by side",
  matrixHint:
    "What each role permits. A dash leaves it to other roles of the user; a crossed circle forbids it.",
  onlyDifferent: "Only where they differ",
  granted: (role: string) => `by the role ${role}`,
  forbidden: (role: string) => `forbidden by the role ${role}`,
};
