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
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { z } from "zod";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { User } from "../../../platform/http/caller.ts";
import { ApiError, NotFound } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { StorableId } from "../../../platform/http/bounds.ts";
import { conversationFor } from "../conversations/access.ts";
import type { ConversationMessage } from "../conversations/contract-messages.ts";
import { findMessage } from "../conversations/store.ts";
import type { FilesOf } from "../given-files/given-files.ts";
import type { ReceiveDeps } from "../replies/begin-reply.ts";
import { SendMessage } from "../replies/contract.ts";
import { decideCall } from "../replies/decide-call.ts";
import { streamReply, waitForReply } from "../replies/read-reply.ts";
import { receiveMessage } from "../replies/receive-message.ts";
import type { ReplyRunner } from "../replies/reply-runner.ts";
import { findReply, type ReplyRow } from "../replies/store.ts";
import { listTasks } from "./list-tasks.ts";
import { decisionOf, textOf } from "./read-message.ts";
import { readReceiver, toConfig } from "./read-receiver.ts";
import {
  deleteReceiver,
  listReceivers,
  MAX_PER_TASK,
  MAX_PER_USER,
  type Receiver,
  saveReceiver,
  type Version,
} from "./receivers-store.ts";
import {
  fileArtifacts,
  stateOf,
  textPart,
  toArtifact,
  toStatus,
  toTask,
} from "./to-task.ts";

export interface TaskDeps extends ReceiveDeps {
  cache: Cache;
  runner: ReplyRunner;
  filesOf: FilesOf;
  outgoing: Pick<Outgoing, "check">;
  encryptionKey: string;
}

interface Options {
  user: User;
  agentId: string;
  card: AgentCard;
  /** Of the client. */
  version: Version;
  /** Of the request. */
  signal: AbortSignal;
  log: Logger;
}

/** The id of the receiver that a message names without one. */
const OF_MESSAGE = "message";
/** The parts of streamed events that a task shows. */
const Streamed = z.looseObject({ delta: z.string().optional() });

/**
 * What A2A asks of an agent, by its user's conversations: a task is a reply, its context the
 * conversation. Source: Agent2Agent protocol 1.0.
 */
export class ConversationTasks implements A2ARequestHandler {
  readonly #deps: TaskDeps;
  readonly #options: Options;

  constructor(deps: TaskDeps, options: Options) {
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
      return this.#read(reply.id, configuration?.historyLength);
    });
  }

  async *sendMessageStream({
    message,
    configuration,
  }: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const push = configuration?.taskPushNotificationConfig;
    const reply = await this.#explained(() => this.#begin(message, push));
    yield* this.#follow(reply, configuration?.historyLength);
  }

  async *resubscribe({
    id,
  }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const reply = await this.#explained(() => this.#find(id, "viewer"));
    if (reply.status !== "streaming")
      throw new UnsupportedOperationError("The task has ended. Read it by GetTask.");
    yield* this.#follow(reply, undefined);
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#explained(async () => {
      await this.#find(id, "viewer");
      return this.#read(id, historyLength);
    });
  }

  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    const { user, agentId } = this.#options;
    const owner = { userId: user.userId, agentId };
    return this.#explained(() => listTasks(this.#deps.db, owner, request));
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#explained(async () => {
      const reply = await this.#find(id, "editor");
      if (reply.status !== "streaming")
        throw new TaskNotCancelableError("The task has ended already.");
      await this.#deps.runner.stop(reply.conversationId, reply.id);
      await this.#wait(reply);
      return this.#read(id, undefined);
    });
  }

  createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
  ): Promise<TaskPushNotificationConfig> {
    return this.#explained(async () => {
      const receiver = readReceiver(this.#deps.outgoing, config, crypto.randomUUID());
      const reply = await this.#findOwn(config.taskId);
      await this.#save(reply, receiver);
      return toConfig(reply.id, receiver);
    });
  }

  getTaskPushNotificationConfig({
    taskId,
    id,
  }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    return this.#explained(async () => {
      const reply = await this.#findOwn(taskId);
      const receivers = await listReceivers(this.#deps.db, reply.id);
      const found = receivers.find((one) => !id || one.id === id);
      if (!found)
        throw new TaskNotFoundError(
          "The task has no such push notification: it may have ended.",
        );
      return toConfig(reply.id, found);
    });
  }

  listTaskPushNotificationConfigs({
    taskId,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#explained(async () => {
      const reply = await this.#findOwn(taskId);
      const receivers = await listReceivers(this.#deps.db, reply.id);
      const configs = receivers.map((receiver) => toConfig(reply.id, receiver));
      return { configs, nextPageToken: "" };
    });
  }

  deleteTaskPushNotificationConfig({
    taskId,
    id,
  }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    return this.#explained(async () => {
      const reply = await this.#findOwn(taskId);
      await deleteReceiver(this.#deps.db, { messageId: reply.id, id });
    });
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
    if (message?.taskId) await this.#findOwn(message.taskId);
    else if (message?.contextId) await this.#checkOwn(message.contextId);
    const reply = await this.#receive(message);
    await this.#save(reply, receiver);
    return reply;
  }

  async #save(reply: ReplyRow, receiver: Receiver): Promise<void> {
    const { user, version } = this.#options;
    const owner = { userId: user.userId, messageId: reply.id };
    if (await saveReceiver(this.#deps, owner, receiver, version)) return;
    throw new RequestMalformedError(
      `A task has at most ${MAX_PER_TASK} push notifications, and a user ${MAX_PER_USER} that wait. ` +
        "Delete some, or wait until their tasks have ended.",
    );
  }

  /** Stores a message, or a decision on what its task waits for, and starts the reply. */
  async #receive(message: Message | undefined): Promise<ReplyRow> {
    if (!message) throw new RequestMalformedError("A message is missing.");
    const { user, agentId } = this.#options;
    const { taskId, contextId, messageId } = message;
    if (taskId) return this.#continue(await this.#find(taskId, "editor"), message);
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

  /** The events of a task: as it is, what is added to its answer, and how it ended. */
  async *#follow(
    reply: ReplyRow,
    historyLength: number | undefined,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const { user, signal } = this.#options;
    const ids = { taskId: reply.id, contextId: reply.conversationId, metadata: undefined };
    const begun = await this.#read(reply.id, historyLength);
    yield { payload: { $case: "task", value: { ...begun, artifacts: [] } } };
    let isFirst = true;
    const events = streamReply(this.#deps, user, reply, { from: 0, signal });
    for await (const texts of events) {
      const text = texts.flatMap(addedText).join("");
      if (text === "") continue;
      const artifact = toArtifact({ sources: [] }, text);
      const value = { ...ids, artifact, append: !isFirst, lastChunk: false };
      yield { payload: { $case: "artifactUpdate", value } };
      isFirst = false;
    }
    if (signal.aborted) return;
    const ended = await this.#message(reply.id);
    if (!isFirst) {
      // with its sources, which are known now
      const artifact = { ...toArtifact(ended, ""), parts: [textPart("")] };
      const value = { ...ids, artifact, append: true, lastChunk: true };
      yield { payload: { $case: "artifactUpdate", value } };
    }
    for (const artifact of fileArtifacts(ended)) {
      const value = { ...ids, artifact, append: false, lastChunk: true };
      yield { payload: { $case: "artifactUpdate", value } };
    }
    const value = { ...ids, status: toStatus(ended) };
    yield { payload: { $case: "statusUpdate", value } };
  }

  async #wait(reply: ReplyRow): Promise<void> {
    const { user, signal } = this.#options;
    await waitForReply(this.#deps, user, reply, signal);
  }

  async #read(id: string, historyLength: number | undefined): Promise<Task> {
    const reply = await this.#message(id);
    const isWanted = historyLength !== 0 && reply.parentId !== null;
    const question = isWanted
      ? await findMessage(this.#deps.db, reply.parentId ?? "")
      : undefined;
    return toTask(reply, question);
  }

  async #message(id: string): Promise<ConversationMessage> {
    const message = await findMessage(this.#deps.db, id);
    if (!message) throw notFound(id);
    return message;
  }

  /** A task in a conversation of the user's own. */
  async #findOwn(id: string): Promise<ReplyRow> {
    const reply = await this.#find(id, "editor");
    await this.#checkOwn(reply.conversationId);
    return reply;
  }

  /** Whoever may only read along could receive its end after that right is gone. */
  async #checkOwn(conversationId: string): Promise<void> {
    const { user } = this.#options;
    const { userId } = await conversationFor(this.#deps, user, conversationId, "editor");
    if (userId !== user.userId)
      throw new UnsupportedOperationError(
        "Push notifications are for tasks in conversations of your own. Follow this one by " +
          "SubscribeToTask.",
      );
  }

  /** A task of this agent that the user may see, or change. @throws TaskNotFoundError. */
  async #find(id: string, needed: "viewer" | "editor"): Promise<ReplyRow> {
    const { user, agentId } = this.#options;
    if (!z.uuid().safeParse(id).success) throw notFound(id);
    const reply = await findReply(this.#deps.db, id);
    const message = reply && (await findMessage(this.#deps.db, id));
    if (!reply || message?.agentId !== agentId) throw notFound(id);
    try {
      await conversationFor(this.#deps, user, reply.conversationId, needed);
    } catch (error) {
      throw error instanceof NotFound ? notFound(id) : error;
    }
    return reply;
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

/** The text that encoded events of a reply add to its answer. */
function addedText(encoded: string): string[] {
  return encoded.split("\n\n").flatMap((event) => {
    const [, data] = /^event: text_delta\ndata: (.*)$/s.exec(event) ?? [];
    if (data === undefined) return [];
    return Streamed.parse(JSON.parse(data)).delta ?? [];
  });
}

function notFound(id: string): TaskNotFoundError {
  return new TaskNotFoundError(`There is no task "${id}" of this agent.`);
}
