import { shortenText } from "../../platform/shorten-text.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { type PageQuery, slicePage } from "../../platform/http/page.ts";
import { type ListedTool, MAX_SUMMARY_CHARACTERS } from "./contract.ts";
import type { Gateway } from "./gateway.ts";
import { isHarmless } from "./permitted-tools.ts";

const MAX_TITLE_CHARACTERS = 200;

interface Deps {
  gateway: Pick<Gateway, "listForModels">;
  guard: Guard;
}

/** One page of the tools that exist, each with whether the user's replies may use it. */
export async function listOfferedTools(
  { gateway, guard }: Deps,
  user: User,
  query: PageQuery & { query?: string | undefined },
) {
  // scopes of an API key limit the routes that it calls, not the tools that a reply uses
  const byRoles: User = { ...user, via: "jwt" };
  const words = query.query?.trim().toLowerCase() ?? "";
  const page = slicePage(
    query,
    gateway.listForModels().filter((tool) => fits(tool, words)),
  );
  const items = await Promise.all(
    page.items.map(async (tool) => ({
      ...toOfferedTool(tool),
      permitted: await guard.allows("tool:use", byRoles, { tool: tool.name }),
    })),
  );
  return { ...page, items };
}

/** Whether a tool has these words, in lower case, in its name, title or server. */
export function fits(
  {
    name,
    title,
    annotations,
    server,
  }: Pick<ListedTool, "name" | "title" | "annotations" | "server">,
  words: string,
): boolean {
  const texts = [name, title, annotations?.title, server];
  return texts.some((text) => text?.toLowerCase().includes(words));
}

function toOfferedTool({
  name,
  title,
  server,
  description,
  annotations,
  effect,
}: ListedTool) {
  const displayTitle = title ?? annotations?.title;
  return {
    name,
    title: displayTitle && shortenText(displayTitle, MAX_TITLE_CHARACTERS),
    server,
    description: shortenText(description, MAX_SUMMARY_CHARACTERS),
    effect: effect ?? "destructive",
    destructive: !isHarmless({ effect }),
  };
}
