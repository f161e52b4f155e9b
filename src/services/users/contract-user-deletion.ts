import { z } from "zod";
import { route, type SecretName } from "../../platform/http/route.ts";
import { Id } from "./contract-subjects.ts";

/**
 * What services that keep people's things owe the users service: they let go of a deleted user's
 * things, and they tell all they hold of a user. A service that keeps such things adds its name to
 * both lists, consumes its queue and answers its route. Source: issue "Deleting a user", "an export
 * of all of a person's data".
 */

/** Services that consume `departureQueue(name)`: a durable message for each user who is deleted. */
export const DEPARTURE_LISTENERS = [
  "core",
  "documents",
  "automations",
  "integrations",
  "parser",
] as const;

export function userDeletionQueue(service: (typeof DEPARTURE_LISTENERS)[number]): string {
  return `user_departures_${service}`;
}

export const UserDeletion = z.object({
  userId: Id,
  transferTo: Id.nullable().describe("Who gets what the user owned; null: it is deleted"),
});
export type UserDeletion = z.output<typeof UserDeletion>;

export const PersonalRecord = z.object({
  kind: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type PersonalRecord = z.output<typeof PersonalRecord>;

/** What a service holds of a user, page by page; never a secret. */
function personalData<Service extends string>(service: Service, access: SecretName) {
  return route({
    method: "get",
    path: `/api/v1/personal-data/${service}/:userId`,
    access,
    summary: `What the ${service} service holds of a user, for the export of all his data`,
    params: z.object({ userId: Id }),
    query: z.object({
      after: z.string().max(200).optional().describe("`next` of the page before"),
    }),
    ok: z.object({ records: z.array(PersonalRecord), next: z.string().nullable() }),
  });
}

/** The route of each service that answers. */
export const PERSONAL_DATA = {
  core: personalData("core", "service-secret"),
  documents: personalData("documents", "service-secret"),
  automations: personalData("automations", "service-secret"),
  integrations: personalData("integrations", "service-secret"),
  parser: personalData("parser", "service-secret"),
} as const;
