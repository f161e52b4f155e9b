import {
  type Artifact,
  type Message,
  type Part,
  Role,
  type Task,
  TaskState,
  type TaskStatus,
} from "@a2a-js/sdk";
import type { ConversationMessage } from "../conversations/contract-messages.ts";

/** A reply as a task of A2A: its context is the conversation. */
export function toTask(
  reply: ConversationMessage,
  question: ConversationMessage | undefined,
): Task {
  const { id, conversationId: contextId } = reply;
  return {
    id,
    contextId,
    status: toStatus(reply),
    artifacts: [
      ...(reply.content === "" ? [] : [toArtifact(reply, reply.content)]),
      ...fileArtifacts(reply),
    ],
    history: question ? [toMessage(question, reply)] : [],
    metadata: undefined,
  };
}

const ANSWER = "answer";

/** The answer, or a part of it. */
export function toArtifact(
  { sources }: Pick<ConversationMessage, "sources">,
  text: string,
): Artifact {
  const named = sources.map(({ index, fileName, documentId, pageNumber }) => ({
    index,
    fileName,
    documentId,
    ...(pageNumber !== null && { pageNumber }),
  }));
  return {
    artifactId: ANSWER,
    name: ANSWER,
    description: "",
    parts: [textPart(text)],
    metadata: named.length > 0 ? { sources: named } : undefined,
    extensions: [],
  };
}

/** Files that tools of the reply made, as far as its message holds their bytes. */
export function fileArtifacts({
  toolCalls,
}: Pick<ConversationMessage, "toolCalls">): Artifact[] {
  return toolCalls
    .flatMap(({ files = [] }) => files)
    .filter(({ data }) => data !== "")
    .map(({ name, mediaType, data }, at) => ({
      artifactId: `file-${at + 1}`,
      name,
      description: "",
      parts: [filePart(name, mediaType, data)],
      metadata: undefined,
      extensions: [],
    }));
}

/** @returns what the reader must do, or why it failed, with the state. */
export function toStatus(reply: ConversationMessage): TaskStatus {
  const state = stateOf(reply);
  return {
    state,
    message: sayAbout(reply),
    timestamp: state === TaskState.TASK_STATE_WORKING ? undefined : reply.createdAt,
  };
}

export function stateOf({
  status,
  finishReason,
  waiting,
}: Pick<ConversationMessage, "status" | "finishReason" | "waiting">): TaskState {
  if (status === "streaming") return TaskState.TASK_STATE_WORKING;
  if (status === "stopped") return TaskState.TASK_STATE_CANCELED;
  if (status === "failed") return TaskState.TASK_STATE_FAILED;
  const isWaiting = finishReason === "approval" && waiting.length > 0;
  return isWaiting ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_COMPLETED;
}

function sayAbout(reply: ConversationMessage): Message | undefined {
  const { error, waiting } = reply;
  if (error) return agentMessage(reply, [textPart(error.error)]);
  if (stateOf(reply) !== TaskState.TASK_STATE_INPUT_REQUIRED) return undefined;
  const names = waiting.map(({ name }) => name).join(", ");
  const calls = waiting.map(({ toolCallId, name, arguments: values }) => ({
    toolCallId,
    name,
    arguments: values,
  }));
  const advice =
    `The agent wants to call ${names}, which waits for a decision. Answer "approve" or "deny" in this ` +
    "task, or decide in the conversation.";
  return agentMessage(reply, [textPart(advice), dataPart({ waiting: calls })]);
}

function agentMessage({ id, conversationId }: ConversationMessage, parts: Part[]): Message {
  return {
    ...EMPTY,
    messageId: `${id}-status`,
    contextId: conversationId,
    taskId: id,
    role: Role.ROLE_AGENT,
    parts,
  };
}

function toMessage(question: ConversationMessage, reply: ConversationMessage): Message {
  return {
    ...EMPTY,
    messageId: question.id,
    contextId: question.conversationId,
    taskId: reply.id,
    role: Role.ROLE_USER,
    parts: [textPart(question.content)],
  };
}

const EMPTY = { metadata: undefined, extensions: [], referenceTaskIds: [] };

export function textPart(value: string): Part {
  return { ...PART, content: { $case: "text", value }, mediaType: "text/plain" };
}

function dataPart(value: unknown): Part {
  return { ...PART, content: { $case: "data", value }, mediaType: "application/json" };
}

function filePart(filename: string, mediaType: string, data: string): Part {
  const value = Buffer.from(data, "base64");
  return { ...PART, content: { $case: "raw", value }, filename, mediaType };
}

const PART = { metadata: undefined, filename: "", mediaType: "" };
