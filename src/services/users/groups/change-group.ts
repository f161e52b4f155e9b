import type { Revocations } from "../../../platform/auth/revocations.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import type { AuditAction } from "../contract-audit.ts";
import type { Group } from "../contract-groups.ts";
import { findGroup } from "./groups-store.ts";
import { announcingRoles } from "./roles-of-groups.ts";

export interface ChangeDeps {
  db: Database;
  /** This process's copy, refreshed before a request that changes roles returns. */
  revocations: Pick<Revocations, "refresh">;
}

type Details = Record<string, unknown>;

/**
 * Runs changes of groups, each in a transaction and with its entry in the audit log. New roles of
 * members apply from the next request on.
 */
export function createGroupChanges({ db, revocations }: ChangeDeps) {
  const inTransaction = async <T>(work: () => Promise<T>) => {
    const result = await db.tx(() => announcingRoles(db, work));
    await revocations.refresh();
    return result;
  };
  const record = (caller: Caller, id: string, action: AuditAction, details: Details) =>
    recordEvent(db, actorOf(caller), {
      action,
      resourceType: "group",
      resourceId: id,
      details,
    });
  return {
    /** Changes that record themselves. */
    run: inTransaction,
    create: (caller: Caller, details: Details, work: () => Promise<Group>) =>
      inTransaction(async () => {
        const group = await work();
        await record(caller, group.id, "group.created", details);
        return group;
      }),
    /** Changes a group of the caller's organisation. */
    change: <T>(
      caller: Caller,
      id: string,
      action: AuditAction,
      details: Details,
      work: (group: Group) => Promise<T>,
    ) =>
      inTransaction(async () => {
        const result = await work(await findGroup(db, id, tenantOf(caller)));
        await record(caller, id, action, details);
        return result;
      }),
  };
}

/** The organisation of a user or an identity provider. Services act in any. */
export function tenantOf(caller: Caller): string | undefined {
  return caller.kind === "user" || caller.kind === "scim" ? caller.clientId : undefined;
}
