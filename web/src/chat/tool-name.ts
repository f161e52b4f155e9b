import { useQuery } from "@tanstack/react-query";
import { toolTitlesQuery } from "./queries.ts";
import { useToolTexts } from "./tool-texts.ts";

interface ToolName {
  /** As people call it. */
  title: string;
  /** Where a title is all that its server says: what it is really called, and where it is. */
  origin: string | undefined;
}

/**
 * What a tool is called, or says that it has done. Without a title it is its technical name.
 */
export function useToolName(name: string, isDone = false): ToolName {
  const texts = useToolTexts();
  const names = isDone ? texts.done : texts.names;
  const own = Object.entries(names).find(([key]) => key === name)?.[1];
  const { data } = useQuery({ ...toolTitlesQuery, enabled: own === undefined });
  if (own !== undefined) return { title: own, origin: undefined };
  const offered = data?.get(name);
  return {
    title: offered?.title ?? name,
    origin: offered && [offered.server, offered.title && name].filter(Boolean).join(" · "),
  };
}
