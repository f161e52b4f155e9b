import { isRecord } from "../../platform/json/is-record.ts";

/**
 * A server may answer a call with a task, which is asked for until it is done.
 * Source: Model Context Protocol, Tasks extension (SEP-2663), 2026-07-28.
 */
export interface CreatedTask {
  resultType: "task";
  taskId: string;
  pollIntervalMs?: unknown;
}

/** Its name among the capabilities. */
export const TASKS = "io.modelcontextprotocol/tasks";
export const TASK_METHODS = ["tasks/get", "tasks/update", "tasks/cancel"] as const;
export const MAX_TASK_ID_CHARACTERS = 1_000;

export function isTask(value: unknown): value is CreatedTask {
  if (!isRecord(value) || value["resultType"] !== "task") return false;
  const { taskId } = value;
  return (
    typeof taskId === "string" && taskId !== "" && taskId.length <= MAX_TASK_ID_CHARACTERS
  );
}
