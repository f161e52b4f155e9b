import { setTimeout as sleep } from "node:timers/promises";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { BadGateway } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import type { Notice } from "./call-tool.ts";
import type { ToolResult } from "./contract-tools.ts";
import { type CreatedTask, isTask } from "./created-task.ts";
import { answerQuestion, inputNeeded, isInputRequired } from "./input-required.ts";
import type { Ask, Questions } from "./questions.ts";
import { toResult } from "./tool-result.ts";

/** As long as a call may report progress. */
const MAX_TASK_MS = 10 * 60_000;
const MIN_INTERVAL_MS = 200;
const MAX_INTERVAL_MS = 15_000;
const DEFAULT_INTERVAL_MS = 1_000;
const MIN_HEARD_INTERVAL_MS = 1_000;
/** Over the life of a task. */
const MAX_QUESTIONS = 50;
const MAX_STATUS_CHARACTERS = 500;

interface Following {
  server: string;
  task: CreatedTask;
  signal: AbortSignal;
  questions: Questions | undefined;
  onNotice: ((notice: Notice) => void) | undefined;
  /** Sends a request about the task. */
  ask: (ask: Ask) => Promise<unknown>;
  /** Calls `onAnnounced` when the server announces the task, until the signal aborts. */
  hear: (onAnnounced: () => void, signal: AbortSignal) => void;
}

/**
 * Asks for a task until it is done, and answers what its server asks meanwhile. It is asked for as
 * often as its server says, and at once when the server announces it.
 * @throws McpError RequestTimeout, BadGateway `tool_input_needed`, `tool_failed`, and what `ask`
 * throws.
 */
export async function finishTask(following: Following): Promise<ToolResult> {
  const heard = new Announcements();
  const ended = new AbortController();
  const { task, signal, hear } = following;
  // of a task that is asked for every moment nothing is known sooner
  if (intervalOf(task.pollIntervalMs) >= MIN_HEARD_INTERVAL_MS)
    hear(() => heard.announce(), AbortSignal.any([signal, ended.signal]));
  try {
    return await followTask(following, heard);
  } finally {
    ended.abort();
  }
}

async function followTask(following: Following, heard: Announcements): Promise<ToolResult> {
  const { server, task, signal, onNotice, ask } = following;
  const { taskId } = task;
  const latest = performance.now() + MAX_TASK_MS;
  const answered = new Set<string>();
  let { pollIntervalMs } = task;
  for (let polls = 1; ; polls += 1) {
    await heard.wait(intervalOf(pollIntervalMs), signal);
    if (performance.now() > latest)
      throw new McpError(ErrorCode.RequestTimeout, "timed out");
    const state = await ask({ method: "tasks/get", params: { taskId } });
    if (!isRecord(state)) throw malformed();
    ({ pollIntervalMs = pollIntervalMs } = state);
    switch (state["status"]) {
      case "completed":
        return resultOf(state["result"]);
      case "failed":
        return failureOf(state);
      case "cancelled":
        return failed(statusOf(state) ?? "The server cancelled the task.");
      case "input_required":
        await answer(following, state["inputRequests"], answered);
        break;
      case "working":
        break;
      default:
        throw malformed();
    }
    const message = statusOf(state);
    onNotice?.({
      method: "notifications/progress",
      params: { progress: polls, ...(message !== undefined && { message }) },
    });
    if (answered.size > MAX_QUESTIONS) throw inputNeeded(server);
  }
}

/** What a server announces of a task, between two requests for it. */
class Announcements {
  #hasCome = false;
  #wake = () => {};

  announce(): void {
    this.#hasCome = true;
    this.#wake();
  }

  /** Waits so long, or until something is announced; never shorter than servers may be asked. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(MIN_INTERVAL_MS, undefined, { signal });
    if (!this.#hasCome && ms > MIN_INTERVAL_MS) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      const until = AbortSignal.any([signal, woken.signal]);
      // woken by an announcement, or by the signal, which is asked next
      await sleep(ms - MIN_INTERVAL_MS, undefined, { signal: until }).catch(() => {});
      signal.throwIfAborted();
    }
    this.#hasCome = false;
  }
}

/** Answers what was not answered yet: a server lists questions until it has read the answers. */
async function answer(
  { server, task: { taskId }, questions, ask }: Following,
  requests: unknown,
  answered: Set<string>,
): Promise<void> {
  const asked = Object.entries(isRecord(requests) ? requests : {}).filter(
    ([key]) => !answered.has(key),
  );
  if (asked.length === 0) return;
  if (!questions || answered.size + asked.length > MAX_QUESTIONS) throw inputNeeded(server);
  const answers = await Promise.all(
    asked.map(
      async ([key, one]) => [key, await answerQuestion(server, questions, one)] as const,
    ),
  );
  for (const [key] of asked) answered.add(key);
  const inputResponses = Object.fromEntries(answers);
  await ask({ method: "tasks/update", params: { taskId, inputResponses } });
}

function intervalOf(said: unknown): number {
  const ms = typeof said === "number" && Number.isFinite(said) ? said : DEFAULT_INTERVAL_MS;
  return Math.min(Math.max(ms, MIN_INTERVAL_MS), MAX_INTERVAL_MS);
}

function statusOf({ statusMessage: said }: Record<string, unknown>): string | undefined {
  return typeof said === "string" ? said.slice(0, MAX_STATUS_CHARACTERS) : undefined;
}

function resultOf(given: unknown): ToolResult {
  // the result stands as its call would have answered it
  const plain =
    isRecord(given) && given["resultType"] === "complete" ? without(given) : given;
  const result = toResult({ result: plain });
  if (isInputRequired(result) || isTask(result)) throw malformed();
  return result;
}

function without({ resultType: _, ...result }: Record<string, unknown>) {
  return result;
}

function failureOf(state: Record<string, unknown>): ToolResult {
  const { error } = state;
  const message = isRecord(error) ? error["message"] : undefined;
  return failed(
    typeof message === "string" ? message : (statusOf(state) ?? "The task failed."),
  );
}

function failed(text: string): ToolResult {
  const said = text.slice(0, MAX_STATUS_CHARACTERS);
  return { content: [{ type: "text", text: said }], isError: true };
}

function malformed(): BadGateway {
  return new BadGateway(
    "tool_failed",
    "The tool's task does not have the form of the tool protocol. Ask its operator.",
  );
}
