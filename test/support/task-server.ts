import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { startStatelessServer, type StatelessServer } from "./stateless-server.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const Params = z.looseObject({
  taskId: z.string(),
  inputResponses: z.record(z.string(), z.unknown()).optional(),
});

const Listened = z.looseObject({
  notifications: z.looseObject({ taskIds: z.array(z.string()).optional() }),
});

/** The states that a task has one after the other; the last one stays. */
export type Script = Record<string, unknown>[];

export interface TaskServer extends StatelessServer {
  /** What was answered and cancelled, by the ids of tasks. */
  updates: { taskId: string; inputResponses?: Record<string, unknown> | undefined }[];
  cancelled: string[];
  /** Streams in which tasks are announced, by the ids that they name. */
  heard: { taskIds: string[]; announce(state: object): void; isOpen(): boolean }[];
  /** The capabilities of the last call. */
  declared(): unknown;
}

/** A tool server that answers calls with tasks (Tasks extension, 2026-07-28). */
export async function startTaskServer(
  scripts: Record<string, Script>,
  {
    pollIntervalMs = 1,
    announces = false,
  }: { pollIntervalMs?: number; announces?: boolean } = {},
): Promise<TaskServer> {
  const polls = new Map<string, number>();
  const updates: TaskServer["updates"] = [];
  const cancelled: string[] = [];
  const heard: TaskServer["heard"] = [];
  const time = "2026-11-25T10:30:00Z";
  const base = (taskId: string) => ({
    taskId,
    status: "working",
    createdAt: time,
    lastUpdatedAt: time,
    ttlMs: 60_000,
    pollIntervalMs,
  });
  const begin = (name: string) => ({
    run: () =>
      ({ resultType: "task", ...base(`task of ${name}`) }) as unknown as CallToolResult, // of the extension
  });
  const server = await startStatelessServer(
    Object.fromEntries(Object.keys(scripts).map((name) => [name, begin(name)])),
    {
      capabilities: { extensions: { [TASKS]: {} } },
      listen(params, response) {
        const { taskIds } = Listened.parse(params).notifications;
        if (!announces || !taskIds) return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        const send = (method: string, said: object) =>
          response.write(
            `data: ${JSON.stringify({ jsonrpc: "2.0", method, params: said })}\n\n`,
          );
        send("notifications/subscriptions/acknowledged", { notifications: { taskIds } });
        let isOpen = true;
        response.on("close", () => (isOpen = false));
        heard.push({
          taskIds,
          announce: (state) => send("notifications/tasks", state),
          isOpen: () => isOpen,
        });
        return true;
      },
      extend(one) {
        const on = (method: string, answer: (params: z.output<typeof Params>) => object) =>
          one.setRequestHandler(
            method,
            { params: Params, result: z.looseObject({}) },
            (params: z.output<typeof Params>, { mcpReq }: ServerContext) => ({
              // the SDK takes the answers out of the params
              ...answer({ ...params, inputResponses: mcpReq.inputResponses }),
            }),
          );
        on("tasks/get", ({ taskId }) => {
          const script = scripts[taskId.slice("task of ".length)];
          if (!script) throw Object.assign(new Error("Task not found"), { code: -32_602 });
          const at = polls.get(taskId) ?? 0;
          polls.set(taskId, at + 1);
          return { ...base(taskId), ...script[Math.min(at, script.length - 1)] };
        });
        on("tasks/update", ({ taskId, inputResponses }) => {
          updates.push({ taskId, inputResponses });
          return {};
        });
        on("tasks/cancel", ({ taskId }) => {
          cancelled.push(taskId);
          return {};
        });
      },
    },
  );
  const declared = () => {
    const call = server.seen.findLast(({ method }) => method === "tools/call");
    const meta = call?.params["_meta"] as Record<string, unknown> | undefined; // every request has one
    return meta?.["io.modelcontextprotocol/clientCapabilities"];
  };
  return Object.assign(server, { updates, cancelled, heard, declared });
}

export const done = (text: string) => ({
  status: "completed",
  result: { content: [{ type: "text", text }] },
});
