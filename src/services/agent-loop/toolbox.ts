import { call, type Fetch } from "../../platform/http/call.ts";
import { Unavailable } from "../../platform/http/errors.ts";
import { toolSessionsContract } from "../core/tools/contract.ts";
import { type ListedTool, toolGatewayContract } from "../tool-gateway/contract.ts";
import type { ToolResult } from "../tool-gateway/contract-tools.ts";
import type { PlatformTools, RunRequest } from "./contract.ts";
import type { Usage } from "../completion/contract.ts";
import type {
  EndsBecause,
  ToolEvent,
  ToolFigures,
  ToolFile,
  ToolView,
} from "./contract-events.ts";
import type { ListTools } from "./remember-tools.ts";
import { type FileRoom, fitFile, openFileRoom } from "./keep-files.ts";
import { renderResult } from "./render-result.ts";

/** The result of a call, as the model reads it, and events for the reader of the reply. */
export interface ToolAnswer {
  content: string;
  files?: readonly ToolFile[];
  isError: boolean;
  events?: readonly ToolEvent[];
  /** What the tool used of models itself. */
  usage?: Usage | undefined;
  view?: ToolView | undefined;
  figures?: ToolFigures | undefined;
}

/** The tools that one run may use, whoever runs them. */
export interface Toolbox {
  tools: readonly ListedTool[];
  /** Those that the model is sent now. Absent: all of them. */
  readonly offered?: readonly ListedTool[];
  /** Permitted names that no tool has, or none that can be reached. */
  missing: readonly string[];
  /**
   * `endsBecause`: the run ends with this call. `callId`: of the call, as the model made it.
   * @throws ApiError of the tool, or of the service that runs it.
   */
  call(
    name: string,
    values: Record<string, unknown>,
    signal: AbortSignal,
    endsBecause?: EndsBecause,
    callId?: string,
  ): Promise<ToolAnswer>;
}

export interface ToolboxDeps {
  gateway: Fetch;
  listTools: ListTools;
  /** Absent when no core has an address here. */
  core: Fetch | undefined;
  gatewayTimeoutMs: number;
  /** Flows and searches may take as long as the run. */
  runTimeoutMs: number;
}

/** Opens the permitted tools: those of the platform, and those of tool servers by other names. */
export async function openToolbox(
  deps: ToolboxDeps,
  { tools: names = [], platformTools, toolChoice, context }: RunRequest,
  signal: AbortSignal,
): Promise<Toolbox> {
  const platform = toolChoice === "none" ? undefined : platformTools;
  const ofPlatform = new Set(platform?.tools.map(({ name }) => name));
  const ofServers = new Set(
    toolChoice === "none" ? [] : names.filter((name) => !ofPlatform.has(name)),
  );
  const listed = ofServers.size > 0 ? await deps.listTools(ofServers, signal) : [];
  const room = openFileRoom();
  // in a fixed order, whichever server answered first: what a provider cached begins with them
  const tools = [
    ...(platform?.tools ?? []),
    ...listed.filter(({ name }) => ofServers.has(name)).toSorted(byName),
  ];
  return {
    tools,
    missing: [...ofServers].filter((name) => !tools.some((tool) => tool.name === name)),
    call: (name, values, until, endsBecause, callId) =>
      platform && ofPlatform.has(name)
        ? callPlatform(
            deps,
            room,
            platform,
            { name, arguments: values, endsBecause, callId },
            until,
          )
        : callServer(
            deps,
            room,
            { name, arguments: values, userId: context?.userId },
            tools.find((tool) => tool.name === name),
            until,
          ),
  };
}

function byName({ name: a }: ListedTool, { name: b }: ListedTool): number {
  return a < b ? -1 : Number(a > b);
}

async function callServer(
  { gateway, gatewayTimeoutMs }: ToolboxDeps,
  room: FileRoom,
  body: { name: string; arguments: Record<string, unknown>; userId?: string | undefined },
  tool: ListedTool | undefined,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const options = { signal, timeoutMs: gatewayTimeoutMs };
  const result = await call(gateway, toolGatewayContract.callTool, { body }, options);
  return {
    ...renderResult(result, room),
    isError: result.isError === true,
    view: tool && viewOf(tool, result, room),
  };
}

/** Of one result, as JSON. */
const MAX_VIEW_CHARACTERS = 256_000;

/** Where the result is too large, or the run has no room, the view gets its text alone. */
function viewOf(
  { server, view: uri }: ListedTool,
  result: ToolResult,
  room: FileRoom,
): ToolView | undefined {
  if (uri === undefined) return undefined;
  const characters = JSON.stringify(result).length;
  if (characters > Math.min(MAX_VIEW_CHARACTERS, room.charactersLeft))
    return { server, uri };
  room.charactersLeft -= characters;
  return { server, uri, result };
}

async function callPlatform(
  { core, runTimeoutMs }: ToolboxDeps,
  room: FileRoom,
  { sessionId }: PlatformTools,
  body: {
    name: string;
    arguments: Record<string, unknown>;
    endsBecause: EndsBecause | undefined;
    callId: string | undefined;
  },
  signal: AbortSignal,
): Promise<ToolAnswer> {
  if (!core)
    throw new Unavailable(
      "core_not_configured",
      "The agent loop cannot reach core, which runs this tool. Set LLM_CORE_URL.",
    );
  const input = { params: { sessionId }, body };
  const options = { signal, timeoutMs: runTimeoutMs };
  const { files, ...result } = await call(
    core,
    toolSessionsContract.callPlatformTool,
    input,
    options,
  );
  return { ...result, ...(files && { files: files.map((file) => fitFile(room, file)) }) };
}
