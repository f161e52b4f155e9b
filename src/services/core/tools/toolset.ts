import type { z } from "zod";
import type { ApiError } from "../../../platform/http/errors.ts";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import type { Permission } from "../../../platform/http/guard.ts";
import type { RunEnding } from "../../agent-loop/contract.ts";
import type { ToolEvent, ToolFigures, ToolFile } from "../../agent-loop/contract-events.ts";
import type { Usage } from "../../completion/contract.ts";
import type { ListedTool, ToolEffect } from "../../tool-gateway/contract.ts";
import type { CanvasDeps } from "../canvas/access.ts";
import type { Code } from "../code/code.ts";
import type { Flows } from "../flows/flows.ts";
import type { Images } from "../images/images.ts";
import type { Resource } from "../../users/contract-sharing.ts";
import type { Labels } from "../labels/labels.ts";
import type { ResearchBudget } from "../research/contract-state.ts";
import type { PassageFinder } from "../sources/find-passages.ts";
import type { Texts } from "../sources/texts-client.ts";
import type { Tables } from "../tables/tables-client.ts";
import type { Web } from "../web/web-client.ts";
import type { ToolSession } from "./tool-sessions.ts";

/** The dependencies of the platform's tools. */
export interface ToolDeps extends CanvasDeps {
  labels: Labels;
  /** Where tools show what they do while a reply is read. */
  cache?: Cache | undefined;
  /** Absent when documents cannot be searched here. */
  finder?: PassageFinder | undefined;
  /** Absent when no documents service has an address here. */
  texts?: Texts | undefined;
  /** Absent when no integrations service has an address here. */
  flows?: Flows | undefined;
  /** Absent when no web service has an address here. */
  web?: Web | undefined;
  /** Absent when no documents or no parser have an address here. */
  tables?: Tables | undefined;
  /** Absent when no sandbox service has an address here. */
  code?: Code | undefined;
  /** Where models make images. */
  images?: Images | undefined;
  /** Tools may ask a model for a part of the work. */
  completion?: Fetch | undefined;
  /** Of one reply that researches. */
  researchBudget?: ResearchBudget | undefined;
}

/** Those that decide which tools a run gets. */
export type OfferDeps = Pick<
  ToolDeps,
  "finder" | "flows" | "images" | "tables" | "web" | "code" | "researchBudget"
>;

/** What a run has when its tools are chosen. */
export interface ToolContext extends Pick<
  ToolSession,
  "userId" | "conversationId" | "retrieval"
> {
  /** The model calls no tools. */
  withoutTools?: true | undefined;
}

/** What a tool does, said once: approval, lists and the page read it. */
export interface Effects {
  /** It changes nothing. */
  readOnly: boolean;
  /** A second call with the same arguments changes nothing more. */
  idempotent: boolean;
  /** What it changes cannot be had back. Its calls wait for the user's decision. */
  destructive: boolean;
  /** It reaches what is outside of the installation. */
  openWorld: boolean;
}

export interface ToolOutput {
  content: string;
  isError?: boolean;
  files?: ToolFile[];
  /** How much it found, for people: only what is known. */
  figures?: ToolFigures;
  events?: ToolEvent[];
  /** What it read besides the documents of its sources, whose labels the run carries on. */
  reads?: Resource[];
  /** What it used of models, which counts for the run. */
  usage?: Usage;
}

/** A tool that core runs itself, as the user of the session. */
export interface PlatformTool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  input: Input;
  effects: Effects;
  /** Of this tool alone. Default: that of its toolset. */
  permission?: Permission;
  /** Whether a run has what it alone works on. Default: where its toolset suits it. */
  suits?(run: ToolContext): boolean;
  /** Why it alone cannot be used here. Default: it can where its toolset can. */
  lacks?(deps: OfferDeps, signal: AbortSignal): Promise<ApiError | undefined>;
  /** @throws ApiError. */
  run(
    deps: ToolDeps,
    session: ToolSession,
    input: z.output<Input>,
    signal: AbortSignal,
  ): Promise<ToolOutput>;
}

/** Tools that are records, such as flows: each has the name that was made for it. */
export interface RecordTools {
  owns(name: string): boolean;
  /** Leaves out those that the user may not use or that cannot be looked up now. */
  list(
    deps: OfferDeps,
    names: readonly string[],
    userId: string,
    signal: AbortSignal,
  ): Promise<ListedTool[]>;
  /** @throws ZodError for arguments that do not fit, ApiError. */
  run(
    deps: ToolDeps,
    session: ToolSession,
    name: string,
    values: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutput>;
}

/** An ability: tools that are permitted, offered and explained together. */
export interface Toolset {
  /** Agents and messages name all of its tools as `toolset:` and this. */
  name: string;
  title: string;
  description: string;
  /** What a user's roles must grant: administrators switch the toolset by it. */
  permission: Permission;
  tools: readonly PlatformTool[];
  records?: RecordTools;
  /** Its tools go to every run that it suits, or for which this is so, without being named. */
  unasked?: true | ((run: ToolContext) => boolean);
  /** Its tools number passages that the reply cites. Citations of others are removed. */
  givesSources?: true;
  /** Whether a run has what the tools work on. Default: every run has. */
  suits?(run: ToolContext): boolean;
  /** The same where it must be looked up. Default: it has. */
  holds?(deps: OfferDeps, run: ToolContext, signal: AbortSignal): Promise<boolean>;
  /** Returns why its tools cannot be used here, such as a missing setting. Default: they can. */
  lacks?(deps: OfferDeps, signal: AbortSignal): Promise<ApiError | undefined>;
  /** For the model, when it is offered the tools. */
  instructions?: string;
  /** What a run with its tools may use, and by which tools it ends then. Default: as any run. */
  limits?(deps: OfferDeps): RunLimits | undefined;
  /** The same, and more that it bounds itself, for people. */
  budget?(deps: OfferDeps): Record<string, number> | undefined;
}

export interface RunLimits {
  tokens: number;
  ending: RunEnding;
}

/** Declares a tool, so that `run` gets the type of its input. */
export function platformTool<Input extends z.ZodObject>(
  tool: PlatformTool<Input>,
): PlatformTool {
  // `callPlatformTool` parses the input with the tool's own schema before it runs the tool
  return tool as unknown as PlatformTool;
}

export function defineToolset(toolset: Toolset): Toolset {
  return toolset;
}

/** The effects as approval reads them, and as annotations of the Model Context Protocol. */
export function toEffect({ readOnly, idempotent, destructive, openWorld }: Effects) {
  const effect: ToolEffect = readOnly
    ? "read_only"
    : destructive
      ? "destructive"
      : "additive";
  const annotations = {
    readOnlyHint: readOnly,
    idempotentHint: idempotent,
    destructiveHint: destructive,
    openWorldHint: openWorld,
  };
  return { effect, annotations };
}
