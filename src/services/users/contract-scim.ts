import { z } from "zod";
import { jsonObject, MAX_INT4 } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";
import { text } from "./contract-subjects.ts";
import { toScimError } from "./contract-scim-errors.ts";

/**
 * SCIM 2.0 (RFC 7643, RFC 7644): an identity provider manages the users and groups of the
 * organisation that its token belongs to.
 */

const MEDIA_TYPE = "application/scim+json";
/** A group of 10,000 members, each with its id, name, kind and address. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
const MAX_GROUP_VALUES = 50_000;

const ScimError = z.object({
  schemas: z.array(z.string()),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string(),
});

/** What all routes of the protocol share. */
const SCIM = {
  access: "scim-token",
  mediaType: MEDIA_TYPE,
  errorBody: toScimError,
  errorSchema: ScimError,
} as const;

const Meta = z.object({
  resourceType: z.string(),
  created: z.iso.datetime().optional(),
  lastModified: z.iso.datetime().optional(),
  location: z.string(),
});

/** Which attributes an answer has. `id` and `schemas` are in every one. */
const Projection = z.object({
  attributes: text(4_000)
    .optional()
    .describe("Names of the attributes to answer, with commas between"),
  excludedAttributes: text(4_000)
    .optional()
    .describe("Names of attributes to leave out, such as `members`"),
});
export type Projection = z.output<typeof Projection>;

const whole = () => z.coerce.number().int().min(-MAX_INT4).max(MAX_INT4);
const ScimQuery = Projection.extend({
  filter: text(4_000)
    .optional()
    .describe('Which ones, such as `userName eq "ada@example.com"`'),
  startIndex: whole().default(1).describe("Of the first one, from 1"),
  count: whole().default(100).describe("How many at most; never more than 200"),
});
export type ScimQuery = z.output<typeof ScimQuery>;

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(item),
  });

const ScimUser = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: z.string().optional(),
  userName: z.string().optional(),
  name: z
    .object({
      formatted: z.string().optional(),
      familyName: z.string().optional(),
      givenName: z.string().optional(),
    })
    .optional(),
  displayName: z.string().optional(),
  emails: z
    .array(
      z.object({
        value: z.string().optional(),
        type: z.string().optional(),
        primary: z.boolean().optional(),
      }),
    )
    .optional(),
  active: z.boolean().optional(),
  meta: Meta.optional(),
});

const ScimGroup = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  members: z
    .array(
      z.object({
        value: z.string().optional(),
        $ref: z.string().optional(),
        type: z.string().optional(),
      }),
    )
    .optional(),
  meta: Meta.optional(),
});

const scimPatch = (maxOperations: number) =>
  z.object({
    schemas: z.array(text(200)).max(20).optional(),
    Operations: z
      .array(
        z.object({
          op: text(20).describe("`add`, `replace` or `remove`, in any case"),
          path: text(4_000)
            .optional()
            .describe('An attribute, such as `active` or `members[value eq "…"]`'),
          value: z.unknown().optional().describe("Without a path, an object of attributes"),
        }),
      )
      .min(1)
      .max(maxOperations),
  });
const UserPatch = scimPatch(100);
const GroupPatch = scimPatch(2_000);

const byId = z.object({ id: text(200) });
/** Names are alike in any case, and what is not kept is left out, so no schema names them. */
const Body = jsonObject(200);

const PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const USER_EXAMPLE = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: "ada@example.org",
  displayName: "Ada Lovelace",
  emails: [{ value: "ada@example.org", primary: true }],
  active: true,
};
const GROUP_EXAMPLE = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
  displayName: "Travel",
  members: [{ value: "0198c1f2-7a4b-7c3d-8e5f-6a7b8c9d0e1f" }],
};

export const scimContract = {
  scimConfig: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/ServiceProviderConfig",
    summary: "Read what of SCIM is supported",
    ok: z.looseObject({ schemas: z.array(z.string()) }),
  }),
  scimResourceTypes: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/ResourceTypes",
    summary: "List the kinds of resources",
    ok: listOf(z.looseObject({ id: z.string() })),
  }),
  scimResourceType: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/ResourceTypes/:id",
    summary: "Read a kind of resource",
    params: byId,
    ok: z.looseObject({ id: z.string() }),
  }),
  scimSchemas: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/Schemas",
    summary: "List the attributes of users and groups",
    ok: listOf(z.looseObject({ id: z.string() })),
  }),
  scimSchema: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/Schemas/:id",
    summary: "Read the attributes of users or groups",
    params: byId,
    ok: z.looseObject({ id: z.string() }),
  }),
  scimListUsers: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/Users",
    summary: "List the accounts of the organisation, disabled ones too",
    query: ScimQuery,
    ok: listOf(ScimUser),
  }),
  scimCreateUser: route({
    ...SCIM,
    method: "post",
    path: "/scim/v2/Users",
    changes: "user",
    summary: "Create an account without a password",
    query: Projection,
    body: Body,
    example: USER_EXAMPLE,
    status: 201,
    okHeaders: { Location: "The address of the new resource" },
    ok: ScimUser,
  }),
  scimGetUser: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/Users/:id",
    summary: "Read an account",
    params: byId,
    query: Projection,
    ok: ScimUser,
  }),
  scimReplaceUser: route({
    ...SCIM,
    method: "put",
    path: "/scim/v2/Users/:id",
    changes: "user/:id",
    summary: "Replace the attributes of an account; without `active` its state stays",
    params: byId,
    query: Projection,
    body: Body,
    example: USER_EXAMPLE,
    ok: ScimUser,
  }),
  scimPatchUser: route({
    ...SCIM,
    method: "patch",
    path: "/scim/v2/Users/:id",
    changes: "user/:id",
    summary: "Change an account; `active: false` ends its sessions and keys at once",
    params: byId,
    query: Projection,
    body: UserPatch,
    example: {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: "replace", path: "active", value: false }],
    },
    ok: ScimUser,
  }),
  scimDeleteUser: route({
    ...SCIM,
    method: "delete",
    path: "/scim/v2/Users/:id",
    changes: "user/:id",
    summary: "Delete an account and its data",
    params: byId,
  }),
  scimListGroups: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/Groups",
    summary: "List the groups of the organisation",
    query: ScimQuery,
    ok: listOf(ScimGroup),
  }),
  scimCreateGroup: route({
    ...SCIM,
    method: "post",
    path: "/scim/v2/Groups",
    changes: "group",
    summary: "Create a group with its members",
    query: Projection,
    body: Body,
    example: GROUP_EXAMPLE,
    maxBody: MAX_GROUP_BYTES,
    maxValues: MAX_GROUP_VALUES,
    status: 201,
    okHeaders: { Location: "The address of the new resource" },
    ok: ScimGroup,
  }),
  scimGetGroup: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/Groups/:id",
    summary: "Read a group and its members",
    params: byId,
    query: Projection,
    ok: ScimGroup,
  }),
  scimReplaceGroup: route({
    ...SCIM,
    method: "put",
    path: "/scim/v2/Groups/:id",
    changes: "group/:id",
    summary: "Replace the name and the members of a group",
    params: byId,
    query: Projection,
    body: Body,
    example: GROUP_EXAMPLE,
    maxBody: MAX_GROUP_BYTES,
    maxValues: MAX_GROUP_VALUES,
    ok: ScimGroup,
  }),
  scimPatchGroup: route({
    ...SCIM,
    method: "patch",
    path: "/scim/v2/Groups/:id",
    changes: "group/:id",
    summary: "Change the name of a group, or add and remove members",
    params: byId,
    body: GroupPatch,
    example: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        {
          op: "add",
          path: "members",
          value: [{ value: "0198c1f2-7a4b-7c3d-8e5f-6a7b8c9d0e1f" }],
        },
      ],
    },
    maxBody: MAX_GROUP_BYTES,
    maxValues: MAX_GROUP_VALUES,
  }),
  scimDeleteGroup: route({
    ...SCIM,
    method: "delete",
    path: "/scim/v2/Groups/:id",
    changes: "group/:id",
    summary: "Delete a group and every share with it; its members stay",
    params: byId,
  }),
  scimSearch: route({
    ...SCIM,
    method: "post",
    path: "/scim/v2/.search",
    changes: "none",
    hidden: true,
    summary: "Search users and groups at once, which is not supported",
  }),
  scimUnknown: route({
    ...SCIM,
    method: "get",
    path: "/scim/v2/:endpoint",
    hidden: true,
    summary: "An address of SCIM that does not exist",
  }),
};
