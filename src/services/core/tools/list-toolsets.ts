import type { User } from "../../../platform/http/caller.ts";
import type { ApiError } from "../../../platform/http/errors.ts";
import { type PageQuery, slicePage } from "../../../platform/http/page.ts";
import { reportError } from "../../../platform/http/reported-error.ts";
import type { PermittedUse } from "../permitted-use.ts";
import { type OfferDeps, type PlatformTool, toEffect, type Toolset } from "./toolset.ts";
import { TOOLSETS } from "./toolsets.ts";

/** One page of the toolsets, with what is missing for one and what the user may use. */
export async function listToolsets(
  deps: OfferDeps & { use: PermittedUse },
  user: User,
  query: PageQuery,
  signal: AbortSignal,
) {
  const page = slicePage(query, TOOLSETS);
  const items = await Promise.all(
    page.items.map((one) => describe(deps, user, one, signal)),
  );
  return { ...page, items };
}

async function describe(
  deps: OfferDeps & { use: PermittedUse },
  user: User,
  toolset: Toolset,
  signal: AbortSignal,
) {
  const { name, title, description, permission, tools } = toolset;
  const unasked = toolset.unasked !== undefined;
  const names = tools.map((tool) => tool.name);
  const [lack, lacks, permitted] = await Promise.all([
    toolset.lacks?.(deps, signal),
    Promise.all(tools.map((tool) => tool.lacks?.(deps, signal))),
    deps.use.tools(user, undefined, names),
  ]);
  const described = { name, title, description, permission, unasked };
  const listed = tools.map((tool, at) =>
    toTool(tool, permitted.includes(tool.name), lacks[at]),
  );
  const budget = toolset.budget?.(deps);
  return {
    ...described,
    tools: listed,
    ...(budget && { budget }),
    ...(lack && { missing: reportError(lack) }),
  };
}

function toTool(
  { name, description, effects }: PlatformTool,
  permitted: boolean,
  lack: ApiError | undefined,
) {
  const { effect } = toEffect(effects);
  const tool = { name, description, effect, openWorld: effects.openWorld, permitted };
  return { ...tool, ...(lack && { missing: reportError(lack) }) };
}
