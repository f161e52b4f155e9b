import type { z } from "zod";
import type { ToolEvent } from "../../agent-loop/contract-events.ts";
import type { ToolEffect } from "../../tool-gateway/contract.ts";
import type { CanvasDeps } from "../canvas/access.ts";
import type { Flows } from "../flows/flows.ts";
import type { PassageFinder } from "../sources/find-passages.ts";
import type { ToolSession } from "./tool-sessions.ts";

/** The dependencies of the platform's tools. */
export interface ToolDeps extends CanvasDeps {
  /** Absent when documents cannot be searched here. */
  finder?: PassageFinder | undefined;
  /** Absent when no integrations service has an address here. */
  flows?: Flows | undefined;
}

export interface ToolOutput {
  content: string;
  isError?: boolean;
  events?: ToolEvent[];
}

/** A tool that core runs itself, as the user of the session. */
export interface PlatformTool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  input: Input;
  effect: ToolEffect;
  /** @throws ApiError. */
  run(
    deps: ToolDeps,
    session: ToolSession,
    input: z.output<Input>,
    signal: AbortSignal,
  ): Promise<ToolOutput>;
}

/** Declares a tool, so that `run` gets the type of its input. */
export function platformTool<Input extends z.ZodObject>(
  tool: PlatformTool<Input>,
): PlatformTool {
  // `callTool` parses the input with the tool's own schema before it runs the tool
  return tool as unknown as PlatformTool;
}
