import { z } from "zod";

/** Of the network, or a command that the operator offers. */
export const ToolServerAddress = z
  .url({ protocol: /^(?:https?|stdio)$/ })
  .max(10_000)
  .describe("An address of the network, or `stdio:<name>` for a command of MCP_COMMANDS");
