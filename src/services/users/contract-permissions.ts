import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";

/**
 * Every permission, as `resource:verb`. Routes name them, roles grant them, and the scopes of API
 * keys list them. No wildcard includes `administer`: it is granted by name.
 */
export const PERMISSIONS = {
  "account:read": "Read own preferences",
  "account:update": "Change own name and preferences",
  "account:export": "Export all own data",
  "agent:read": "List and read agents, their folders, files and versions",
  "agent:create": "Create agents and folders",
  "agent:update": "Change, move and restore agents and folders",
  "agent:delete": "Delete agents and folders",
  "agent:use": "Run agents, in conversations or through the agent loop",
  "agent:administer": "Create and change agents of the whole organisation",
  "audit:administer": "Read and export the audit log, and what people think of answers",
  "automation:read": "List and read automation rules, runs, schedules and sources",
  "automation:create": "Create automation rules, schedules and sources",
  "automation:update": "Change automation rules, schedules and sources",
  "automation:delete": "Delete automation rules, runs, schedules and sources",
  "automation:run": "Submit media, and start, repeat or cancel runs",
  "automation:administer": "Create and change automation rules of the whole organisation",
  "branding:administer":
    "Change the name, colour and logo of the installation, and its notice",
  "budget:administer": "Create, change and delete budgets, and read spending",
  "canvas:read": "List and read canvases and their versions",
  "canvas:create": "Create canvases",
  "canvas:update": "Change and restore canvases, and add versions",
  "canvas:delete": "Delete canvases",
  "canvas:export": "Export canvases as files",
  "conversation:read": "List, search and read conversations, and follow replies",
  "conversation:create": "Send messages and receive replies, also through the OpenAI API",
  "conversation:update": "Change, rate and restore conversations, and stop replies",
  "conversation:delete": "Delete conversations",
  "conversation:export": "Export conversations as files",
  "conversion:read": "List and read conversions of text",
  "conversion:create": "Correct, translate and summarise text",
  "conversion:update": "Change the result of a conversion",
  "conversion:delete": "Delete conversions",
  "directory:read": "Find users and groups of the organisation by name",
  "code:use": "Run code in replies",
  "document:read": "List and read documents and their folders",
  "document:create": "Upload documents and create folders",
  "document:update": "Change, move and reprocess documents and folders",
  "document:delete": "Delete documents and folders",
  "document:search": "Search documents for passages",
  "document:process": "Parse, chunk, embed and translate files and text",
  "flow:read": "List and read flows",
  "flow:create": "Create flows",
  "flow:run": "Run flows, and read own account at the flow provider",
  "flow:administer": "Grant and revoke flows",
  "group:administer": "Create, change and delete groups and their members",
  "image:create": "Make images, and change those of conversations",
  "label:administer":
    "Define labels and their rules, and put them on anything or take them off",
  "lock:read": "Read who holds an editing lock",
  "lock:update": "Acquire and release editing locks",
  "lock:administer": "Release editing locks of other users",
  "mark:read": "Read own pins, favourites and tags",
  "mark:update": "Change own pins, favourites and tags",
  "model:read": "List and read models and their providers",
  "model:use": "Use models; conditions may name the field `model`",
  "model:administer": "Configure models and their providers",
  "queue:administer": "Read queues, and retry or delete dead letters",
  "role:read": "Read own roles and their permissions",
  "role:administer": "Create, change and delete roles",
  "share:read": "Read shares and links, and check access",
  "share:create": "Share resources, and open links to them",
  "share:delete": "Revoke shares",
  "template:read": "List, read and fill in templates",
  "template:create": "Create templates",
  "template:update": "Change templates",
  "template:delete": "Delete templates",
  "template:administer": "Create, change and delete templates of the whole organisation",
  "tool:read": "Read which tool servers are configured",
  "tool:approve": "Approve pending tool calls, and allow tools to run without approval",
  "tool:use": "Use tools; conditions may name the field `tool`",
  "tool:administer": "Configure tool servers and approve their tools",
  "usage:read": "Read own usage and budgets",
  "web:use": "Search the web and read its pages in replies",
  "user:administer": "Create, change, delete and export users",
} as const satisfies Record<`${string}:${string}`, string>;

export type PermissionName = keyof typeof PERMISSIONS;
type ResourceOf<Name> = Name extends `${infer Resource}:${string}` ? Resource : never;
type VerbOf<Name> = Name extends `${string}:${infer Verb}` ? Verb : never;
export type PermissionResource = ResourceOf<PermissionName>;
export type PermissionVerb = VerbOf<PermissionName>;
// the keys of a constant object
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as PermissionName[];

// `PERMISSION_NAMES` is not empty
const unique = (parts: string[]) => [...new Set(parts)] as [string, ...string[]];
export const RESOURCES = unique(PERMISSION_NAMES.map((name) => name.split(":")[0] ?? name));
export const VERBS = unique(PERMISSION_NAMES.map((name) => name.split(":")[1] ?? name));

/** A scope of an API key: a permission, or every permission of a resource except `administer`. */
export const Scope = z.enum(
  [...PERMISSION_NAMES, ...RESOURCES.map((name) => `${name}:*`)],
  {
    error: () =>
      `a scope is one of: ${PERMISSION_NAMES.join(", ")}; or, for every permission of ` +
      `a resource except administer, the resource with a star, such as conversation:*`,
  },
);

export const permissionsContract = {
  listPermissions: route({
    method: "get",
    path: "/api/v1/permissions",
    access: "jwt",
    permission: "signed-in",
    summary: "List all permissions that roles grant and scopes of API keys name",
    query: pageQuery,
    ok: pageOf(
      z.object({
        name: z.string(),
        resource: z.string(),
        action: z.string(),
        description: z.string(),
      }),
    ),
  }),
};
