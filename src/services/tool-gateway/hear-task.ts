import { isRecord } from "../../platform/json/is-record.ts";
import { MessageReader } from "./read-messages.ts";
import { type ServerConnection, sendMessage } from "./send-message.ts";
import { MAX_ANSWER_BYTES } from "./tool-fetch.ts";

/**
 * Calls `onAnnounced` when a server of 2026-07-28 announces a task, until the signal aborts or the
 * server ends the stream. What it says there is asked for again: an announcement is no answer.
 * Source: Model Context Protocol, Tasks extension, notifications.
 * @returns whether the server announces tasks.
 * @throws what `sendMessage` throws; any other error means that the stream broke.
 */
export async function hearTask(
  connection: ServerConnection,
  taskId: string,
  onAnnounced: () => void,
): Promise<boolean> {
  const { remote, signal } = connection;
  const id = crypto.randomUUID();
  const ask = {
    method: "subscriptions/listen",
    params: { notifications: { taskIds: [taskId] } },
  };
  const { params, headers } = remote.prepare(ask, id, {});
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: ask.method, params });
  const answer = await sendMessage(connection, { method: "POST", body, headers });
  const stop = () => answer.body.destroy();
  if (!answer.isEventStream) {
    stop();
    return false;
  }
  const reader = new MessageReader();
  let bytesLeft = MAX_ANSWER_BYTES;
  let announces = false;
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      bytesLeft -= chunk.byteLength;
      if (bytesLeft < 0) break;
      for (const message of reader.push(chunk)) {
        const said = readSaid(message, taskId);
        if (said === "nothing") return announces;
        if (said === undefined) continue;
        announces = true;
        onAnnounced();
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
  return announces;
}

/** `task`: also that it is heard from now on, since something may have happened before. */
function readSaid(message: unknown, taskId: string): "task" | "nothing" | undefined {
  if (!isRecord(message)) return undefined;
  const { method, params } = message;
  if (method === undefined) return "nothing"; // the answer: an error, or the end
  if (!isRecord(params)) return undefined;
  if (method === "notifications/tasks")
    return params["taskId"] === taskId ? "task" : undefined;
  if (method !== "notifications/subscriptions/acknowledged") return undefined;
  const { notifications } = params;
  const ids = isRecord(notifications) ? notifications["taskIds"] : undefined;
  return Array.isArray(ids) && ids.includes(taskId) ? "task" : "nothing";
}
