import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id, text } from "./contract-subjects.ts";

/**
 * What a person keeps for himself. Source: requirements 1, "the user service (pins, tags,
 * favorites, sharing, user info)".
 */

const Kind = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]{0,63}$/, "lower-case letters, digits, dashes");
const Thing = z.object({ resourceType: Kind, resourceId: Id });
const Mark = Thing.extend({ createdAt: z.iso.datetime() });
const Of = z.object({ userId: Id.optional().describe("Whose; with the service secret alone") });
const Tag = text(100).trim().min(1);
const Tags = z.object({ tags: z.array(z.string()) });
const OWN = ["jwt", "user-secret"] as const;

const MAX_PREFERENCES = 32 * 1024;
const Preferences = z
  .record(z.string().max(100), z.json())
  .refine((value) => JSON.stringify(value).length <= MAX_PREFERENCES, "at most 32 KB")
  .refine((value) => !JSON.stringify(value).includes("\\u0000"), "no NUL characters");

/** Pins and favourites are the same but for their name. */
function marks(name: "pins" | "favorites", one: string) {
  const path = `/api/v1/${name}/:resourceType/:resourceId`;
  return {
    list: route({
      method: "get",
      path: `/api/v1/${name}`,
      access: OWN,
      permission: "mark:read",
      summary: `One's ${name}, the newest first`,
      query: pageQuery.extend({ resourceType: Kind.optional() }).extend(Of.shape),
      ok: pageOf(Mark),
    }),
    add: route({
      method: "put",
      path,
      access: OWN,
      permission: "mark:update",
      summary: `Add a ${one}`,
      params: Thing,
      query: Of,
    }),
    remove: route({
      method: "delete",
      path,
      access: OWN,
      permission: "mark:update",
      summary: `Remove a ${one}`,
      params: Thing,
      query: Of,
    }),
  };
}

const pins = marks("pins", "pin");
const favorites = marks("favorites", "favourite");

export const personalContract = {
  listPins: pins.list,
  addPin: pins.add,
  removePin: pins.remove,
  listFavorites: favorites.list,
  addFavorite: favorites.add,
  removeFavorite: favorites.remove,
  listTags: route({
    method: "get",
    path: "/api/v1/tags",
    access: OWN,
    permission: "mark:read",
    summary: "One's tags, with how often each is used",
    query: pageQuery.extend({ resourceType: Kind.optional() }).extend(Of.shape),
    ok: pageOf(z.object({ tag: z.string(), count: z.number().int() })),
  }),
  listTagged: route({
    method: "get",
    path: "/api/v1/tags/:tag",
    access: OWN,
    permission: "mark:read",
    summary: "What one gave a tag",
    params: z.object({ tag: Tag }),
    query: pageQuery.extend({ resourceType: Kind.optional() }).extend(Of.shape),
    ok: pageOf(Thing),
  }),
  getTags: route({
    method: "get",
    path: "/api/v1/tags/:resourceType/:resourceId",
    access: OWN,
    permission: "mark:read",
    summary: "The tags that one gave a resource",
    params: Thing,
    query: Of,
    ok: Tags,
  }),
  setTags: route({
    method: "put",
    path: "/api/v1/tags/:resourceType/:resourceId",
    access: OWN,
    permission: "mark:update",
    summary: "Give a resource these tags and no others",
    params: Thing,
    query: Of,
    body: z.object({ tags: z.array(Tag).max(50) }),
    ok: Tags,
  }),
  getPreferences: route({
    method: "get",
    path: "/api/v1/preferences",
    access: OWN,
    permission: "account:read",
    summary: "One's preferences, as a client keeps them",
    query: Of,
    ok: Preferences,
  }),
  changePreferences: route({
    method: "patch",
    path: "/api/v1/preferences",
    access: OWN,
    permission: "account:update",
    summary: "Change some preferences; null removes one",
    query: Of,
    body: Preferences,
    ok: Preferences,
  }),
  userInfo: route({
    method: "get",
    path: "/api/v1/user-info",
    access: OWN,
    permission: "directory:read",
    summary: "Names of users of one's organisation, by ids; those who are not there are left out",
    query: z.object({
      ids: z
        .string()
        .max(10_000)
        .transform((ids) => [...new Set(ids.split(","))])
        .pipe(z.array(Id).max(100)),
    }),
    ok: z.object({
      items: z.array(z.object({ id: z.string(), name: z.string(), email: z.string().optional() })),
    }),
  }),
  changeMe: route({
    method: "patch",
    path: "/api/v1/auth/me",
    access: "jwt",
    permission: "account:update",
    summary: "Change one's own name",
    body: z.object({ name: text(200).trim().min(1) }),
    ok: z.object({ id: z.uuid(), name: z.string() }),
  }),
};
