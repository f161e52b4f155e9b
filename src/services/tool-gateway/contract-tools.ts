import { z } from "zod";

/** Source: Model Context Protocol, CallToolResult. */
export const ToolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type ToolResult = z.output<typeof ToolResult>;
