import { setTimeout as sleep } from "node:timers/promises";
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { encodedEventStream } from "../../platform/http/stream.ts";
import { MAX_TASK_ID_CHARACTERS, TASKS } from "./created-task.ts";
import type { Gateway } from "./gateway.ts";
import type { McpRequest } from "./mcp-request.ts";
import { sendAboutTask } from "./mcp-tasks.ts";
import type { StateSeal } from "./request-state.ts";
import { openTask } from "./task-seal.ts";

/**
 * Tasks that a client of 2026-07-28 listens to. Tool servers are asked in its place, so it hears of
 * tasks of servers that announce nothing, too. Source: Model Context Protocol, Tasks extension.
 */

/** Of one stream; the client asks for others itself. */
const MAX_TASKS = 20;
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 15_000;
/** Then the client listens again. */
const MAX_STREAM_MS = 3_600_000;
const ENDED = ["completed", "failed", "cancelled"];

const Listening = z.object({
  method: z.literal("subscriptions/listen"),
  id: z.union([z.string(), z.number()]),
  params: z.object({
    notifications: z.object({
      taskIds: z
        .array(
          z
            .string()
            .min(1)
            .max(4 * MAX_TASK_ID_CHARACTERS),
        )
        .min(1)
        .max(1_000),
      toolsListChanged: z.boolean().optional(),
    }),
    _meta: z.object({
      [CLIENT_CAPABILITIES_META_KEY]: z.object({
        extensions: z.object({ [TASKS]: z.looseObject({}) }),
      }),
    }),
  }),
});
export type Listening = z.output<typeof Listening>;

/** What a request listens to, where that has tasks and its client knows them. */
export function listenedTasks(body: unknown): Listening | undefined {
  return Listening.safeParse(body).data;
}

interface Deps {
  gateway: Gateway;
  states: StateSeal;
}

/** Ends with its last task, where the client listens to nothing else. */
export function openTaskStream(deps: Deps, mcp: McpRequest, asked: Listening): Response {
  // the client listens again
  return encodedEventStream(notifications(deps, mcp, asked), () => "");
}

async function* notifications(
  { gateway, states }: Deps,
  mcp: McpRequest,
  { id, params: { notifications: wanted } }: Listening,
): AsyncGenerator<string[]> {
  const { caller, userId, signal } = mcp;
  const encode = (message: object) =>
    `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
  const meta = { [SUBSCRIPTION_ID_META_KEY]: id };
  const notice = (method: string, params: object) =>
    encode({ method, params: { ...params, _meta: meta } });
  const lists = wanted.toolsListChanged === true;
  /** The last state of each task, as it was sent. */
  const open = new Map<string, string>(
    wanted.taskIds
      .filter((taskId) => isOwn(states, caller, taskId))
      .slice(0, MAX_TASKS)
      .map((taskId) => [taskId, ""] as const),
  );
  let haveToolsChanged = false;
  const stop = lists ? gateway.onToolsChanged(() => (haveToolsChanged = true)) : () => {};
  /** @returns what is new of a task, and when to ask again. */
  const look = async (taskId: string) => {
    const state = await sendAboutTask(
      { mcp, states },
      "tasks/get",
      { taskId },
      { userId, signal },
    );
    const { resultType: _, _meta: __, ...task } = state;
    const text = JSON.stringify(task);
    const isNew = text !== open.get(taskId);
    if (ENDED.includes(String(task["status"]))) open.delete(taskId);
    else open.set(taskId, text);
    return {
      task: isNew ? task : undefined,
      intervalMs: intervalOf(task["pollIntervalMs"]),
    };
  };
  try {
    yield [
      notice("notifications/subscriptions/acknowledged", {
        notifications: {
          ...(lists && { toolsListChanged: true }),
          taskIds: [...open.keys()],
        },
      }),
    ];
    const latest = performance.now() + MAX_STREAM_MS;
    while (!signal.aborted && (open.size > 0 || lists) && performance.now() < latest) {
      const looks = await Promise.all(
        [...open.keys()].map((taskId) =>
          look(taskId).catch(() => {
            // its server has forgotten it, or rights have ended: `tasks/get` says which
            open.delete(taskId);
            return { task: undefined, intervalMs: MAX_INTERVAL_MS };
          }),
        ),
      );
      const messages = looks.flatMap(({ task }) =>
        task ? [notice("notifications/tasks", task)] : [],
      );
      if (haveToolsChanged) messages.push(notice("notifications/tools/list_changed", {}));
      haveToolsChanged = false;
      if (messages.length > 0) yield messages;
      const intervalMs = Math.min(MAX_INTERVAL_MS, ...looks.map((one) => one.intervalMs));
      if (open.size > 0 || lists)
        // the client has left
        await sleep(intervalMs, undefined, { signal }).catch(() => {});
    }
    if (!signal.aborted)
      yield [encode({ id, result: { resultType: "complete", _meta: meta } })];
  } finally {
    stop();
  }
}

/** Whether it is a task of this client. Others are left out of what is acknowledged. */
function isOwn(states: StateSeal, caller: string, taskId: string): boolean {
  try {
    openTask(states, caller, taskId);
    return true;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

function intervalOf(said: unknown): number {
  const ms = typeof said === "number" && Number.isFinite(said) ? said : MIN_INTERVAL_MS;
  return Math.min(Math.max(ms, MIN_INTERVAL_MS), MAX_INTERVAL_MS);
}
