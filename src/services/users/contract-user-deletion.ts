import { z } from "zod";
import { call, type Fetch } from "../../platform/http/call.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { flagText } from "../../platform/http/bounds.ts";
import { route, type SecretName } from "../../platform/http/route.ts";
import { Id } from "./contract-subjects.ts";

const MAX_REASON = 500;

/**
 * A service that stores data of users deletes or transfers a deleted user's data, and returns all
 * data of a user for an export. It adds its name to both lists below, consumes its queue and
 * implements its route.
 */

/**
 * Services that consume `userDeletionQueue(name)`: one durable message per deleted user. The users
 * service itself consumes what one transaction would take too long for.
 */
export const SERVICES_WITH_USER_DATA = [
  "core",
  "documents",
  "automations",
  "integrations",
  "parser",
  "tool-gateway",
  "users",
] as const;
const Service = z.enum(SERVICES_WITH_USER_DATA);
export type ServiceWithUserData = z.output<typeof Service>;

export function userDeletionQueue(service: ServiceWithUserData): string {
  return `user_deletions_${service}`;
}

export const UserDeletion = z.object({
  userId: Id,
  transferTo: Id.nullable().describe("The user who receives the data; null: it is deleted"),
});
export type UserDeletion = z.output<typeof UserDeletion>;

export const PartReport = z.object({
  service: Service,
  state: z.enum(["done", "failed"]),
  attempt: z.number().int().min(1).max(1_000_000),
  isLast: z.boolean().describe("Whether the message goes to the dead letters"),
  error: z.string().max(MAX_REASON).optional(),
});
export type PartReport = z.output<typeof PartReport>;

/** Where the deletion of a user stands at one service. */
const DeletionPart = z.object({
  service: z.string(),
  state: z.enum(["waiting", "failed", "done"]),
  attempt: z.number().int().describe("How often it was tried, as far as it was reported"),
  error: z.string().nullable().describe("Why the last attempt failed"),
  at: z.iso.datetime(),
});

export const DeletedUser = z.object({
  userId: z.string(),
  transferTo: z.string().nullable().describe("Who receives the data; null: it is deleted"),
  recipientName: z.string().nullable(),
  at: z.iso.datetime(),
  state: z
    .enum(["waiting", "failed", "done"])
    .describe("`failed` while the last attempt of a service has failed"),
  parts: z.array(DeletionPart),
});
export type DeletedUser = z.output<typeof DeletedUser>;

export const deletionsContract = {
  listDeletedUsers: route({
    method: "get",
    path: "/api/v1/users/deleted",
    access: "admin",
    permission: "user:administer",
    summary: "List deleted users, the last first, and what of their data is left",
    description:
      "Each service deletes or transfers its part of the data, and tries again when it fails. " +
      "After the last attempt the message is in the dead letters of `user_deletions_<service>`, " +
      "from which an administrator of the installation sends it again.",
    query: pageQuery.extend({
      open: flagText().optional().describe("Only those whose data is not gone everywhere"),
    }),
    ok: pageOf(DeletedUser),
  }),
  reportDeletion: route({
    method: "post",
    path: "/api/v1/auth/deletions/:userId/reports",
    access: "user-secret",
    changes: "none",
    summary: "Report that a service has deleted a user's data, or failed to",
    params: z.object({ userId: Id }),
    body: PartReport,
  }),
};

/** What services ask before they act on a message about a deleted user. */
export const readDeletion = route({
  method: "get",
  path: "/api/v1/auth/deletions/:userId",
  access: "user-secret",
  summary: "Whether a user was deleted, and who receives the data",
  description: "404 `user_not_deleted` when nobody deleted the user.",
  params: z.object({ userId: Id }),
  ok: UserDeletion,
});

export const NOT_DELETED = "user_not_deleted";

/**
 * What `confirmedConsumer` needs for the deletions of users: only the users service says whether a
 * user was deleted, and who receives the data.
 */
export function deletionsFor(service: ServiceWithUserData, users: () => Fetch) {
  return {
    queue: userDeletionQueue(service),
    schema: UserDeletion,
    confirm: ({ userId }: UserDeletion) => findDeletion(users(), userId),
    report: async ({ userId }: UserDeletion, outcome: Outcome) => {
      const body = reportOf(service, outcome);
      const options = { timeoutMs: 5_000 };
      await call(
        users(),
        deletionsContract.reportDeletion,
        { params: { userId }, body },
        options,
      );
    },
  };
}

/** How an attempt of a service ended; without an error it succeeded. */
interface Outcome {
  attempt: number;
  isLast: boolean;
  error?: unknown;
}

/** Reasons of other errors are for the log: they may name what the tenant must not know. */
export function reportOf(service: ServiceWithUserData, outcome: Outcome): PartReport {
  const { attempt, isLast, error } = outcome;
  if (error === undefined) return { service, state: "done", attempt, isLast };
  const isForReaders =
    error instanceof Error && (error instanceof ApiError || error.name === "NotDeleted");
  const reason = isForReaders ? error.message : "The log of the service has the reason.";
  return { service, state: "failed", attempt, isLast, error: reason.slice(0, MAX_REASON) };
}

async function findDeletion(
  users: Fetch,
  userId: string,
): Promise<UserDeletion | undefined> {
  try {
    return await call(users, readDeletion, { params: { userId } }, { timeoutMs: 5_000 });
  } catch (error) {
    // an earlier release of the users service has no such route: it is asked again
    if (error instanceof ApiError && error.code === NOT_DELETED) return undefined;
    throw error;
  }
}

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
      after: z.string().max(1_000).optional().describe("`next` of the previous page"),
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
  "tool-gateway": personalData("tool-gateway", "service-secret"),
} as const;
