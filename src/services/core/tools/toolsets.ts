import type { Permission } from "../../../platform/http/guard.ts";
import { canvasToolset } from "../canvas/toolset.ts";
import { codeToolset } from "../code/toolset.ts";
import { flowsToolset } from "../flows/toolset.ts";
import { imagesToolset } from "../images/toolset.ts";
import { researchToolset } from "../research/toolset.ts";
import { documentsToolset } from "../sources/toolset.ts";
import { tablesToolset } from "../tables/toolset.ts";
import { webToolset } from "../web/toolset.ts";
import type { OfferDeps, PlatformTool, RunLimits, Toolset } from "./toolset.ts";

/** Every ability of the platform. A new one is a folder and a line here. */
export const TOOLSETS: readonly Toolset[] = [
  canvasToolset,
  codeToolset,
  documentsToolset,
  flowsToolset,
  imagesToolset,
  researchToolset,
  tablesToolset,
  webToolset,
];

/** Names a whole toolset in `tools`. Names of tools have no colon. */
const PREFIX = "toolset:";

const BY_NAME = new Map<string, { toolset: Toolset; tool: PlatformTool }>(
  TOOLSETS.flatMap((toolset) =>
    toolset.tools.map((tool) => [tool.name, { toolset, tool }] as const),
  ),
);

/** The tool of a fixed name. */
export function findTool(name: string): PlatformTool | undefined {
  return BY_NAME.get(name)?.tool;
}

/** The toolset that a name belongs to, of a tool or of a record. */
export function toolsetOf(name: string): Toolset | undefined {
  return BY_NAME.get(name)?.toolset ?? TOOLSETS.find(({ records }) => records?.owns(name));
}

/** Whether the platform itself has a tool of this name. */
export function isPlatformTool(name: string): boolean {
  return toolsetOf(name) !== undefined;
}

/** What a user needs to have this tool in a reply. Tools of tool servers need `tool:use`. */
export function permissionOf(name: string): Permission {
  return findTool(name)?.permission ?? toolsetOf(name)?.permission ?? "tool:use";
}

/** The limits of a run that may use these tools, if one of their toolsets sets some. */
export function limitsOf(names: readonly string[], deps: OfferDeps): RunLimits | undefined {
  const toolset = TOOLSETS.find(
    ({ limits, tools }) => limits && tools.some(({ name }) => names.includes(name)),
  );
  return toolset?.limits?.(deps);
}

/** The names of the tools of `toolset:name`; undefined for any other name. */
export function toolsOfSet(name: string): string[] | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  const toolset = TOOLSETS.find((one) => PREFIX + one.name === name);
  return toolset?.tools.map((tool) => tool.name) ?? [];
}
