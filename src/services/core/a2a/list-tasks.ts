import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import sql, { empty } from "sql-template-tag";
import { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { readMessagesById } from "../conversations/store.ts";
import { toTask } from "./to-task.ts";

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;
const Id = z.uuid();

const STATES: Partial<Record<TaskState, ReturnType<typeof sql>>> = {
  [TaskState.TASK_STATE_WORKING]: sql`m.status = 'streaming'`,
  [TaskState.TASK_STATE_CANCELED]: sql`m.status = 'stopped'`,
  [TaskState.TASK_STATE_FAILED]: sql`m.status = 'failed'`,
  [TaskState.TASK_STATE_INPUT_REQUIRED]: sql`m.status = 'complete' and m.finish_reason = 'approval'`,
  [TaskState.TASK_STATE_COMPLETED]: sql`m.status = 'complete'
    and m.finish_reason is distinct from 'approval'`,
};

/**
 * One page of an agent's replies in the user's own conversations, the newest first.
 * @throws RequestMalformedError for a page or a context that no answer named.
 */
export async function listTasks(
  db: Database,
  { userId, agentId }: { userId: string; agentId: string },
  request: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { contextId, status, pageToken, includeArtifacts, historyLength } = request;
  const size = Math.min(Math.max(request.pageSize ?? DEFAULT_PAGE, 1), MAX_PAGE);
  for (const id of [contextId, pageToken])
    if (id && !Id.safeParse(id).success)
      throw new RequestMalformedError(
        "Send contextId and pageToken as an answer had them.",
      );
  const after = request.statusTimestampAfter;
  if (after !== undefined && Number.isNaN(Date.parse(after)))
    throw new RequestMalformedError("statusTimestampAfter is no time.");
  const state = status === TaskState.TASK_STATE_UNSPECIFIED ? sql`true` : STATES[status];
  if (!state) return { tasks: [], nextPageToken: "", pageSize: size, totalSize: 0 };
  const wanted = sql`from core.messages m join core.conversations c on c.id = m.conversation_id
    where c.user_id = ${userId} and c.deleted_at is null and m.agent_id = ${agentId}
      and m.role = 'assistant' and ${state}
      ${contextId ? sql`and c.id = ${contextId}` : empty}
      ${after ? sql`and m.created_at >= ${after}` : empty}`;
  const rows = await db.query<{ id: string }>(sql`select m.id ${wanted}
    ${pageToken ? sql`and m.id < ${pageToken}` : empty} order by m.id desc limit ${size + 1}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total ${wanted}`,
  );
  const page = rows.slice(0, size).map(({ id }) => id);
  const messages = await readMessagesById(db, page, userId);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const parents = messages.flatMap(({ parentId }) => parentId ?? []);
  const questions = new Map(
    (historyLength === 0 ? [] : await readMessagesById(db, parents, userId)).map(
      (message) => [message.id, message],
    ),
  );
  const tasks = page.flatMap((id) => {
    const message = byId.get(id);
    if (!message) return [];
    const task = toTask(message, questions.get(message.parentId ?? ""));
    return includeArtifacts ? task : { ...task, artifacts: [] };
  });
  const last = rows.length > size ? (page.at(-1) ?? "") : "";
  return { tasks, nextPageToken: last, pageSize: size, totalSize: count?.total ?? 0 };
}
