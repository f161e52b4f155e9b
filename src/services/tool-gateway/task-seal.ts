import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { StateSeal } from "./request-state.ts";

/** A task at a tool server, as its client here names it: nobody else can, and no other server. */
export interface NamedTask {
  server: string;
  /** The tool that made it. */
  tool: string;
  taskId: string;
}

const NamedTask = z.object({ server: z.string(), tool: z.string(), taskId: z.string() });
const OF = { server: "", method: "tasks", target: "" };

export function sealTask(seal: StateSeal, caller: string, task: NamedTask): string {
  const named = Buffer.from(JSON.stringify(task)).toString("base64url");
  return seal.seal({ ...OF, caller }, named);
}

/** @throws ProtocolError for a task that there is not, or that is another client's. */
export function openTask(seal: StateSeal, caller: string, taskId: string): NamedTask {
  try {
    const named = seal.open({ ...OF, caller }, taskId);
    return NamedTask.parse(JSON.parse(Buffer.from(named, "base64url").toString()));
  } catch {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "There is no such task. Send its taskId as the call answered it.",
    );
  }
}
