import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { ReplyRow } from "../replies/store.ts";
import { findOwnTask, type TaskDeps, type TaskOptions } from "./find-task.ts";
import { readReceiver, toConfig } from "./read-receiver.ts";
import {
  deleteReceiver,
  listReceivers,
  MAX_PER_TASK,
  MAX_PER_USER,
  type Receiver,
  saveReceiver,
} from "./receivers-store.ts";

export async function createNotification(
  deps: TaskDeps,
  options: TaskOptions,
  config: TaskPushNotificationConfig,
): Promise<TaskPushNotificationConfig> {
  const receiver = readReceiver(deps.outgoing, config, crypto.randomUUID());
  const reply = await findOwnTask(deps, options, config.taskId);
  await keepReceiver(deps, options, reply, receiver);
  return toConfig(reply.id, receiver);
}

/** The one of an id, or of none the first. @throws TaskNotFoundError. */
export async function getNotification(
  deps: TaskDeps,
  options: TaskOptions,
  { taskId, id }: GetTaskPushNotificationConfigRequest,
): Promise<TaskPushNotificationConfig> {
  const reply = await findOwnTask(deps, options, taskId);
  const receivers = await listReceivers(deps.db, reply.id);
  const found = receivers.find((one) => !id || one.id === id);
  if (!found)
    throw new TaskNotFoundError(
      "The task has no such push notification: it may have ended.",
    );
  return toConfig(reply.id, found);
}

export async function listNotifications(
  deps: TaskDeps,
  options: TaskOptions,
  taskId: string,
): Promise<TaskPushNotificationConfig[]> {
  const reply = await findOwnTask(deps, options, taskId);
  const receivers = await listReceivers(deps.db, reply.id);
  return receivers.map((receiver) => toConfig(reply.id, receiver));
}

export async function deleteNotification(
  deps: TaskDeps,
  options: TaskOptions,
  { taskId, id }: DeleteTaskPushNotificationConfigRequest,
): Promise<void> {
  const reply = await findOwnTask(deps, options, taskId);
  await deleteReceiver(deps.db, { messageId: reply.id, id });
}

/** @throws RequestMalformedError when the task or the user has too many. */
export async function keepReceiver(
  deps: TaskDeps,
  { user, version }: TaskOptions,
  reply: ReplyRow,
  receiver: Receiver,
): Promise<void> {
  const owner = { userId: user.userId, messageId: reply.id };
  if (await saveReceiver(deps, owner, receiver, version)) return;
  throw new RequestMalformedError(
    `A task has at most ${MAX_PER_TASK} push notifications, and a user ${MAX_PER_USER} that wait. ` +
      "Delete some, or wait until their tasks have ended.",
  );
}
