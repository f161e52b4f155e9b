import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id, text } from "./contract-subjects.ts";

/** Pins, favourites, tags and preferences of a user, and the names of users. */

const Kind = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]{0,63}$/, "lower-case letters, digits, dashes");
const Resource = z.object({ resourceType: Kind, resourceId: Id });
const Mark = Resource.extend({ createdAt: z.iso.datetime() });
const ForUser = z.object({ userId: Id.optional().describe("For services: the user") });
const Tag = text(100).trim().min(1);
const Tags = z.object({ tags: z.array(z.string()) });
const USER_OR_SERVICE = ["jwt", "user-secret"] as const;

const MAX_PREFERENCES_CHARACTERS = 32 * 1024;
const Preferences = z
  .record(z.string().max(100), z.unknown())
  .refine(
    (value) => JSON.stringify(value).length <= MAX_PREFERENCES_CHARACTERS,
    "at most 32 KB",
  )
  .refine((value) => !JSON.stringify(value).includes("\\u0000"), "no NUL characters");

const StoredPreferences = z.record(z.string(), z.unknown());

/** The routes of pins or favourites, which differ only in name. */
function marks(name: "pins" | "favorites", one: string) {
  const path = `/api/v1/${name}/:resourceType/:resourceId`;
  return {
    list: route({
      method: "get",
      path: `/api/v1/${name}`,
      access: USER_OR_SERVICE,
      permission: "mark:read",
      summary: `List the caller's ${name}, newest first`,
      query: pageQuery.extend({ resourceType: Kind.optional() }).extend(ForUser.shape),
      ok: pageOf(Mark),
    }),
    add: route({
      method: "put",
      path,
      access: USER_OR_SERVICE,
      permission: "mark:update",
      changes: "none",
      summary: `Add a ${one}`,
      params: Resource,
      query: ForUser,
    }),
    remove: route({
      method: "delete",
      path,
      access: USER_OR_SERVICE,
      permission: "mark:update",
      changes: "none",
      summary: `Remove a ${one}`,
      params: Resource,
      query: ForUser,
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
    access: USER_OR_SERVICE,
    permission: "mark:read",
    summary: "List the caller's tags with the number of uses of each",
    query: pageQuery.extend({ resourceType: Kind.optional() }).extend(ForUser.shape),
    ok: pageOf(z.object({ tag: z.string(), count: z.number().int() })),
  }),
  listTagged: route({
    method: "get",
    path: "/api/v1/tags/:tag",
    access: USER_OR_SERVICE,
    permission: "mark:read",
    summary: "List the resources with a tag of the caller",
    params: z.object({ tag: Tag }),
    query: pageQuery.extend({ resourceType: Kind.optional() }).extend(ForUser.shape),
    ok: pageOf(Resource),
  }),
  getTags: route({
    method: "get",
    path: "/api/v1/tags/:resourceType/:resourceId",
    access: USER_OR_SERVICE,
    permission: "mark:read",
    summary: "List the caller's tags of a resource",
    params: Resource,
    query: ForUser,
    ok: Tags,
  }),
  setTags: route({
    method: "put",
    path: "/api/v1/tags/:resourceType/:resourceId",
    access: USER_OR_SERVICE,
    permission: "mark:update",
    changes: "none",
    summary: "Replace the caller's tags of a resource",
    params: Resource,
    query: ForUser,
    body: z.object({ tags: z.array(Tag).max(50) }),
    ok: Tags,
  }),
  getPreferences: route({
    method: "get",
    path: "/api/v1/preferences",
    access: USER_OR_SERVICE,
    permission: "account:read",
    summary: "Read the caller's preferences, as clients store them",
    query: ForUser,
    ok: StoredPreferences,
  }),
  changePreferences: route({
    method: "patch",
    path: "/api/v1/preferences",
    access: USER_OR_SERVICE,
    permission: "account:update",
    changes: "none",
    summary: "Change some preferences; null removes a preference",
    query: ForUser,
    body: Preferences,
    ok: StoredPreferences,
  }),
  userInfo: route({
    method: "get",
    path: "/api/v1/user-info",
    access: USER_OR_SERVICE,
    permission: "directory:read",
    summary:
      "Read the names of users of the caller's organisation by id; unknown ids are left out",
    query: z.object({
      ids: z
        .string()
        .max(10_000)
        .transform((ids) => [...new Set(ids.split(","))])
        .pipe(z.array(Id).max(100)),
      clientId: Id.optional().describe("For services: only users of this tenant"),
    }),
    ok: z.object({
      items: z.array(
        z.object({ id: z.string(), name: z.string(), email: z.string().optional() }),
      ),
    }),
  }),
  changeMe: route({
    method: "patch",
    path: "/api/v1/auth/me",
    access: "jwt",
    permission: "account:update",
    changes: "session",
    summary: "Change the caller's name",
    body: z.object({ name: text(200).trim().min(1) }),
    ok: z.object({ id: z.uuid(), name: z.string() }),
  }),
};
