import type { ToolDescriptor } from "../../../completion/contract.ts";
import { type CompletionOptions, toolChoiceUnknown } from "../to-messages.ts";
import { describeSearch } from "./search-files.ts";
import type { ResponseRequest } from "./contract.ts";
import type { ClientTool, FileSearchTool, Tool, ToolChoice } from "./contract-items.ts";

/** A tool of the client's, behind the name by which the model calls it. */
export interface OfferedTool {
  type: "function" | "custom" | "file_search";
  name: string;
  namespace?: string;
  /** Of `file_search`, which runs here. */
  search?: FileSearchTool;
  descriptor: ToolDescriptor;
}

/** By the names that the model sees. */
export type OfferedTools = Map<string, OfferedTool>;

/** A tool of a namespace has the namespace in its name. */
export function modelName(name: string, namespace: string | null | undefined): string {
  return namespace ? `${namespace}__${name}` : name;
}

/** Tools that OpenAI runs are left out, but for the search of files. */
export function readTools(tools: readonly Tool[]): OfferedTools {
  const offered: OfferedTools = new Map();
  for (const tool of tools) {
    if (isNamespace(tool)) for (const one of tool.tools) offer(offered, one, tool.name);
    else if (isClientTool(tool)) offer(offered, tool);
  }
  const search = tools.find(isFileSearch);
  if (search) offerSearch(offered, search);
  return offered;
}

/** The name of a function of the client's is taken. */
function offerSearch(offered: OfferedTools, search: FileSearchTool): void {
  const type = "file_search";
  const name = offered.has(type) ? `hosted_${type}` : type;
  offered.set(name, { type, name: type, search, descriptor: describeSearch(name) });
}

/** The search of files that is offered, by the name that the model sees. */
export function searchIn(tools: OfferedTools) {
  for (const [name, { search }] of tools) if (search) return { name, tool: search };
  return undefined;
}

function isFileSearch(tool: Tool): tool is FileSearchTool {
  return tool.type === "file_search";
}

function offer(offered: OfferedTools, tool: ClientTool, namespace?: string): void {
  const { type, name } = tool;
  const called = modelName(name, namespace);
  offered.set(called, {
    type,
    name,
    ...(namespace !== undefined && { namespace }),
    descriptor: {
      name: called,
      ...(type === "custom" ? describeCustom(tool) : describe(tool)),
    },
  });
}

type Description = Omit<ToolDescriptor, "name">;

function describe({
  description,
  parameters,
}: Extract<ClientTool, { type: "function" }>): Description {
  const inputSchema = parameters ?? { type: "object", properties: {} };
  return { description: description ?? "", inputSchema };
}

/** Models call with JSON, so the free text of a custom tool is a property. */
function describeCustom({
  description,
  format,
}: Extract<ClientTool, { type: "custom" }>): Description {
  const grammar = format?.definition
    ? `\n\nThe input follows this grammar (${format.syntax ?? format.type}):\n${format.definition}`
    : "";
  return {
    description: (description ?? "") + grammar,
    inputSchema: {
      type: "object",
      properties: {
        input: { type: "string", description: "The whole input, as plain text" },
      },
      required: ["input"],
    },
  };
}

function isNamespace(tool: Tool): tool is Extract<Tool, { type: "namespace" }> {
  return tool.type === "namespace";
}

function isClientTool(tool: Tool): tool is ClientTool {
  return tool.type === "function" || tool.type === "custom";
}

/** @throws BadRequest `tool_choice_unknown` for a tool that is not offered. */
export function chooseTools(
  offered: OfferedTools,
  { tool_choice: choice, parallel_tool_calls: parallel }: ResponseRequest,
): Pick<CompletionOptions, "tools" | "toolChoice" | "parallelToolCalls"> {
  const { names, mode } = readChoice(choice ?? "auto", searchIn(offered)?.name);
  for (const name of names ?? []) if (!offered.has(name)) throw toolChoiceUnknown(name);
  const chosen = [...offered].filter(([name]) => !names || names.includes(name));
  if (chosen.length === 0) return {};
  return {
    tools: chosen.map(([, { descriptor }]) => descriptor),
    toolChoice: mode,
    ...(parallel === false && { parallelToolCalls: false }),
  };
}

interface Choice {
  /** Absent: all. */
  names?: string[];
  mode: "auto" | "none" | "required";
}

function readChoice(choice: ToolChoice, search: string | undefined): Choice {
  if (typeof choice === "string") return { mode: choice };
  if ("tools" in choice) {
    const own = choice.tools.flatMap((tool) =>
      "name" in tool
        ? [modelName(tool.name, tool.namespace)]
        : tool.type === "file_search" && search !== undefined
          ? [search]
          : [],
    );
    return { names: own, mode: choice.mode };
  }
  if ("name" in choice)
    return { names: [modelName(choice.name, choice.namespace)], mode: "required" };
  if (choice.type === "file_search" && search !== undefined)
    return { names: [search], mode: "required" };
  throw toolChoiceUnknown(choice.type);
}
