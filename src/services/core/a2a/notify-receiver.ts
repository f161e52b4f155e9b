import { type Task, TaskState } from "@a2a-js/sdk";
import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";
import { V1PushNotificationSerializer } from "@a2a-js/sdk/server";
import { openSecret } from "../../../platform/auth/secrets.ts";
import { backoff } from "../../../platform/backoff.ts";
import { traceHeaders } from "../../../platform/http/context.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { findMessage } from "../conversations/store.ts";
import type { NotifyDeps } from "./notify-tasks.ts";
import {
  deleteReceiver,
  type DueReceiver,
  markTold,
  type ReceiverSecrets,
  tellLater,
  type Version,
} from "./receivers-store.ts";
import { toTask } from "./to-task.ts";

const MAX_TRIES = 5;
const FIRST_WAIT_MS = 2_000;
const SERIALIZERS: Record<Version, Pick<V1PushNotificationSerializer, "serialize">> = {
  "1.0": new V1PushNotificationSerializer(),
  "0.3": new V03PushNotificationSerializer(),
};

interface Limits {
  /** Of the process. */
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * Tells a receiver how its task stands, as a whole task without its files. It is forgotten when the
 * task has ended, also where it never answers. Source: A2A 1.0, push notifications.
 */
export async function notifyReceiver(
  deps: NotifyDeps,
  receiver: DueReceiver,
  limits: Limits,
): Promise<void> {
  const { db, log } = deps;
  const message = await findMessage(db, receiver.messageId);
  if (!message) return; // deleted meanwhile, and its receivers with it
  const task = withoutFiles(toTask(message, undefined));
  const failure = await post(deps, receiver, task, limits).catch((error: unknown) => error);
  if (limits.signal.aborted) return; // the next process tells it
  const isOver =
    failure === undefined || receiver.tries >= MAX_TRIES || failure instanceof BadRequest;
  if (failure !== undefined)
    log.warn(
      { err: failure, taskId: task.id, tries: receiver.tries, gaveUp: isOver },
      "a receiver of A2A was not told about a task",
    );
  if (!isOver) return tellLater(db, receiver, backoff(receiver.tries, FIRST_WAIT_MS));
  const isWaiting = task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
  return isWaiting ? markTold(db, receiver) : deleteReceiver(db, receiver);
}

/** @throws Error for every answer but success: redirects are not followed. */
async function post(
  { outgoing, encryptionKey }: Pick<NotifyDeps, "outgoing" | "encryptionKey">,
  { url, scheme, sealed, version }: DueReceiver,
  task: Task,
  { signal, timeoutMs }: Limits,
): Promise<void> {
  const secrets = JSON.parse(openSecret(sealed, encryptionKey)) as ReceiverSecrets; // sealed by us
  const payload = { $case: "task" as const, value: task };
  const { body, contentType } = SERIALIZERS[version].serialize({ payload }, task);
  const response = await outgoing.fetch(url, {
    method: "POST",
    headers: {
      ...traceHeaders(),
      "content-type": contentType,
      ...(scheme && { authorization: `${scheme} ${secrets.credentials ?? ""}`.trim() }),
      ...(secrets.token && { "x-a2a-notification-token": secrets.token }),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}

/** Clients read files by GetTask. */
function withoutFiles(task: Task): Task {
  const hasText = ({ parts }: Task["artifacts"][number]) =>
    parts.every(({ content }) => content?.$case === "text");
  return { ...task, artifacts: task.artifacts.filter(hasText) };
}
