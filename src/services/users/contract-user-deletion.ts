import { z } from "zod";
import { route, type SecretName } from "../../platform/http/route.ts";
import { Id } from "./contract-subjects.ts";

/**
 * A service that stores data of users deletes or transfers a deleted user's data, and returns all
 * data of a user for an export. It adds its name to both lists below, consumes its queue and
 * implements its route.
 */

/** Services that consume `userDeletionQueue(name)`: one durable message per deleted user. */
export const SERVICES_WITH_USER_DATA = [
  "core",
  "documents",
  "automations",
  "integrations",
  "parser",
] as const;

export function userDeletionQueue(
  service: (typeof SERVICES_WITH_USER_DATA)[number],
): string {
  return `user_deletions_${service}`;
}

export const UserDeletion = z.object({
  userId: Id,
  transferTo: Id.nullable().describe("The user who receives the data; null: it is deleted"),
});
export type UserDeletion = z.output<typeof UserDeletion>;

export const TransferQuery = z.object({
  transferTo: Id.optional().describe(
    "The user who receives the data; without it the data is deleted",
  ),
});

export const PersonalRecord = z.object({
  kind: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type PersonalRecord = z.output<typeof PersonalRecord>;

/** A service's data of a user, page by page, without secrets. */
function personalData<Service extends string>(service: Service, access: SecretName) {
  return route({
    method: "get",
    path: `/api/v1/personal-data/${service}/:userId`,
    access,
    summary: `All data of a user in the ${service} service, for the export`,
    params: z.object({ userId: Id }),
    query: z.object({
      after: z.string().max(200).optional().describe("`next` of the previous page"),
    }),
    ok: z.object({ records: z.array(PersonalRecord), next: z.string().nullable() }),
  });
}

/** The export route of each service. */
export const PERSONAL_DATA = {
  core: personalData("core", "service-secret"),
  documents: personalData("documents", "service-secret"),
  automations: personalData("automations", "service-secret"),
  integrations: personalData("integrations", "service-secret"),
  parser: personalData("parser", "service-secret"),
} as const;
