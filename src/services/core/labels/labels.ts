import sql from "sql-template-tag";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import {
  type CarriedLabel,
  joinLabels,
  judgeByLabels,
} from "../../users/contract-judge-labels.ts";
import { LABELS_CHANGED, labelsContract } from "../../users/contract-labels.ts";
import type { Resource } from "../../users/contract-sharing.ts";

/** Where what a run makes is kept. */
export interface Keeper {
  userId: string;
  /** Absent when the run belongs to no conversation. */
  conversationId?: string | undefined;
}

/** The labels of what runs read. */
export interface Labels extends AsyncDisposable {
  /**
   * The labels of what a run reads now, with those that it has already. Its conversation carries
   * them before anything is made of it.
   * @throws Conflict `label_shared_outside` where the conversation is shared beyond them.
   */
  collect(
    keeper: Keeper,
    read: readonly Resource[],
    known?: readonly CarriedLabel[],
  ): Promise<CarriedLabel[]>;
  /** Whether anything carries a label; while nothing does, runs need not look for any. */
  isInUse(): Promise<boolean>;
  /** Labels by their ids, as their rules are now. */
  ofIds(ids: readonly string[]): Promise<CarriedLabel[]>;
  /** Lets a conversation carry these, too. @throws Conflict `label_shared_outside`. */
  carry(conversationId: string, labels: readonly CarriedLabel[]): Promise<void>;
  /** @throws Forbidden `label_forbids_export` for who is in none of the groups of a label. */
  refuseExport(userId: string, resource: Resource): Promise<void>;
}

const TIMEOUT_MS = 5_000;
/** The longest time for which a first label stays unseen when its notification is lost. */
const MAX_AGE_MS = 10_000;
/** The users service accepts at most this many at once. */
const MAX_PER_CALL = 500;

interface Deps {
  db: Database;
  cache: Cache;
  users: Fetch;
}

/** Where nothing carries a label, no step of a run asks for any. */
export async function createLabels({ db, cache, users }: Deps): Promise<Labels> {
  let use: { expiresAt: number; inUse: Promise<boolean> } | undefined;
  const subscription = await cache.subscribe(LABELS_CHANGED, () => (use = undefined));
  const options = { timeoutMs: TIMEOUT_MS };

  function isAnyInUse(): Promise<boolean> {
    if (use && use.expiresAt > performance.now()) return use.inUse;
    const inUse = call(users, labelsContract.labelsInUse, {}, options).then(
      (answer) => answer.inUse,
    );
    const current = { expiresAt: performance.now() + MAX_AGE_MS, inUse };
    inUse.catch(() => {
      // the next step asks again
      if (use === current) use = undefined;
    });
    use = current;
    return inUse;
  }

  async function find(resources: readonly Resource[]): Promise<CarriedLabel[]> {
    if (resources.length === 0 || !(await isAnyInUse())) return [];
    let found: CarriedLabel[] = [];
    for (const some of inGroups(resources, MAX_PER_CALL)) {
      const body = { resources: some };
      const { labels } = await call(users, labelsContract.labelsOf, { body }, options);
      found = joinLabels(found, labels);
    }
    return found;
  }

  async function carry(conversationId: string, labels: readonly CarriedLabel[]) {
    if (labels.length === 0) return;
    const [row] = await db.query<{ ownerId: string }>(
      sql`select user_id as "ownerId" from core.conversations where id = ${conversationId}`,
    );
    if (!row) return;
    const resource = {
      resourceType: "conversation" as const,
      resourceId: conversationId,
      ownerId: row.ownerId,
    };
    const body = { resource, labelIds: labels.map(({ id }) => id) };
    await call(users, labelsContract.carryLabels, { body }, options);
  }

  return {
    carry,
    isInUse: isAnyInUse,
    async collect({ conversationId }, read, known = []) {
      const found = await find(distinct(read));
      const added = found.filter(({ id }) => !known.some((label) => label.id === id));
      if (conversationId !== undefined) await carry(conversationId, added);
      return joinLabels(known, added);
    },
    async ofIds(labelIds) {
      if (labelIds.length === 0) return [];
      const body = { resources: [], labelIds: [...labelIds] };
      return (await call(users, labelsContract.labelsOf, { body }, options)).labels;
    },
    async refuseExport(userId, resource) {
      if (!(await isAnyInUse())) return;
      const body = { resources: [resource], userId };
      const { labels, groups } = await call(
        users,
        labelsContract.labelsOf,
        { body },
        options,
      );
      const { label } = judgeByLabels(labels, { kind: "share", groups });
      if (label) throw exportRefused(label.name);
    },
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

function distinct(resources: readonly Resource[]): Resource[] {
  const key = ({ resourceType, resourceId }: Resource) => `${resourceType} ${resourceId}`;
  return [...new Map(resources.map((one) => [key(one), one])).values()];
}

function exportRefused(label: string): Forbidden {
  return new Forbidden(
    "label_forbids_export",
    `The label “${label}” lets only the groups of its rule take this out, and you are in none of ` +
      "them. Ask a member of one, or an administrator.",
    { params: { label } },
  );
}
