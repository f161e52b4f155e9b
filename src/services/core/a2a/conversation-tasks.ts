import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from "@a2a-js/sdk";
import {
  A2AError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { StorableId } from "../../../platform/http/bounds.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { findMessage } from "../conversations/store.ts";
import { SendMessage } from "../replies/contract.ts";
import { decideCall } from "../replies/decide-call.ts";
import { waitForReply } from "../replies/read-reply.ts";
import { receiveMessage } from "../replies/receive-message.ts";
import { findReply, type ReplyRow } from "../replies/store.ts";
import {
  checkOwn,
  findOwnTask,
  findTask,
  readTask,
  type TaskDeps,
  type TaskOptions,
} from "./find-task.ts";
import { followTask } from "./follow-task.ts";
import { listTasks } from "./list-tasks.ts";
import {
  createNotification,
  deleteNotification,
  getNotification,
  keepReceiver,
  listNotifications,
} from "./push-notifications.ts";
import { decisionOf, textOf } from "./read-message.ts";
import { readReceiver } from "./read-receiver.ts";
import { stateOf } from "./to-task.ts";

/** The id of the receiver that a message names without one. */
const OF_MESSAGE = "message";
/**
 * What A2A asks of an agent, by its user's conversations: a task is a reply, its context the
 * conversation. Source: Agent2Agent protocol 1.0.
 */
export class ConversationTasks implements A2ARequestHandler {
  readonly #deps: TaskDeps;
  readonly #options: TaskOptions;

  constructor(deps: TaskDeps, options: TaskOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  async getAgentCard(): Promise<AgentCard> {
    return this.#options.card;
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return this.getAgentCard();
  }

  sendMessage({ message, configuration }: SendMessageRequest): Promise<Task> {
    return this.#explained(async () => {
      const reply = await this.#begin(message, configuration?.taskPushNotificationConfig);
      const isSoon = configuration?.returnImmediately === true;
      if (!isSoon) await this.#wait(reply);
      return readTask(this.#deps, reply.id, configuration?.historyLength);
    });
  }

  async *sendMessageStream({
    message,
    configuration,
  }: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const push = configuration?.taskPushNotificationConfig;
    const reply = await this.#explained(() => this.#begin(message, push));
    yield* followTask(this.#deps, this.#options, reply, configuration?.historyLength);
  }

  async *resubscribe({
    id,
  }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const reply = await this.#explained(() =>
      findTask(this.#deps, this.#options, id, "viewer"),
    );
    if (reply.status !== "streaming")
      throw new UnsupportedOperationError("The task has ended. Read it by GetTask.");
    yield* followTask(this.#deps, this.#options, reply, undefined);
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#explained(async () => {
      await findTask(this.#deps, this.#options, id, "viewer");
      return readTask(this.#deps, id, historyLength);
    });
  }

  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    const { user, agentId } = this.#options;
    const owner = { userId: user.userId, agentId };
    return this.#explained(() => listTasks(this.#deps.db, owner, request));
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#explained(async () => {
      const reply = await findTask(this.#deps, this.#options, id, "editor");
      if (reply.status !== "streaming")
        throw new TaskNotCancelableError("The task has ended already.");
      await this.#deps.runner.stop(reply.conversationId, reply.id);
      await this.#wait(reply);
      return readTask(this.#deps, id, undefined);
    });
  }

  createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
  ): Promise<TaskPushNotificationConfig> {
    return this.#explained(() => createNotification(this.#deps, this.#options, config));
  }

  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
  ): Promise<TaskPushNotificationConfig> {
    return this.#explained(() => getNotification(this.#deps, this.#options, request));
  }

  listTaskPushNotificationConfigs({
    taskId,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#explained(async () => {
      const configs = await listNotifications(this.#deps, this.#options, taskId);
      return { configs, nextPageToken: "" };
    });
  }

  deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
  ): Promise<void> {
    return this.#explained(() => deleteNotification(this.#deps, this.#options, request));
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toProtocolError(error, this.#options.log);
    }
  }

  /** Starts a task, and keeps the receiver that its message names. */
  async #begin(
    message: Message | undefined,
    push: TaskPushNotificationConfig | undefined,
  ): Promise<ReplyRow> {
    if (!push) return this.#receive(message);
    // refused before anything begins; a message that is sent again has the same receiver
    const receiver = readReceiver(this.#deps.outgoing, push, OF_MESSAGE);
    if (message?.taskId) await findOwnTask(this.#deps, this.#options, message.taskId);
    else if (message?.contextId)
      await checkOwn(this.#deps, this.#options, message.contextId);
    const reply = await this.#receive(message);
    await keepReceiver(this.#deps, this.#options, reply, receiver);
    return reply;
  }

  /** Stores a message, or a decision on what its task waits for, and starts the reply. */
  async #receive(message: Message | undefined): Promise<ReplyRow> {
    if (!message) throw new RequestMalformedError("A message is missing.");
    const { user, agentId } = this.#options;
    const { taskId, contextId, messageId } = message;
    if (taskId)
      return this.#continue(
        await findTask(this.#deps, this.#options, taskId, "editor"),
        message,
      );
    const conversationId = contextId || undefined;
    const { signal } = this.#options;
    const content = await textOf(message, this.#deps.filesOf(user, { signal }));
    const body = SendMessage.safeParse({
      conversationId,
      content,
      agentId,
      stream: false,
    });
    if (!body.success)
      throw new RequestMalformedError(
        "Send text, and as contextId one that an earlier task has, or none.",
      );
    const key = StorableId.max(200).safeParse(messageId).data;
    const { toMake, reply } = await receiveMessage(
      this.#deps,
      user,
      body.data,
      key && `a2a:${agentId}:${key}`,
    );
    if (toMake) void this.#deps.runner.start(toMake);
    return reply;
  }

  async #continue(reply: ReplyRow, message: Message): Promise<ReplyRow> {
    const { db, runner } = this.#deps;
    const task = await findMessage(db, reply.id);
    if (!task || stateOf(task) !== TaskState.TASK_STATE_INPUT_REQUIRED)
      throw new UnsupportedOperationError(
        "The task waits for nothing. Send a message with its contextId alone, for another task.",
      );
    const { decision, toolCallId } = decisionOf(message);
    const calls = task.waiting.filter(
      (call) => toolCallId === undefined || call.toolCallId === toolCallId,
    );
    if (calls.length === 0)
      throw new RequestMalformedError("No call of this id waits in the task.");
    for (const call of calls) {
      const choice = { toolCallId: call.toolCallId, decision };
      const { conversationId } = reply;
      const { toMake } = await decideCall(
        this.#deps,
        conversationId,
        this.#options.user,
        choice,
      );
      if (toMake) void runner.start(toMake);
    }
    return (await findReply(db, reply.id)) ?? reply;
  }

  async #wait(reply: ReplyRow): Promise<void> {
    const { user, signal } = this.#options;
    await waitForReply(this.#deps, user, reply, signal);
  }
}

/** An error in words that a client may read. Of others the log has more. */
export function toProtocolError(error: unknown, log: Logger): Error {
  if (error instanceof A2AError) return error;
  if (error instanceof ApiError)
    return error.status < 500
      ? new RequestMalformedError(error.message)
      : new Error(error.message);
  log.error({ err: error }, "a request of A2A failed");
  return new Error("Something went wrong here. Try again, or ask the administrator.");
}
