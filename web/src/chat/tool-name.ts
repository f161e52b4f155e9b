import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { toolTitlesQuery } from "./queries.ts";
import { useToolTexts } from "./tool-texts.ts";

interface ToolName {
  /** As people call it. */
  title: string;
  /** Where a title is all that its server says: what it is really called, and where it is. */
  origin: string | undefined;
  /** Otherwise a title may come. */
  isKnown: boolean;
}

/**
 * What a tool is called, or says that it has done. Without a title it is its technical name.
 */
export function useToolName(name: string, isDone = false): ToolName {
  const texts = useToolTexts();
  const names = isDone ? texts.done : texts.names;
  const own = Object.entries(names).find(([key]) => key === name)?.[1];
  const titles = useQuery({ ...toolTitlesQuery, enabled: own === undefined });
  if (own !== undefined) return { title: own, origin: undefined, isKnown: true };
  const offered = titles.data?.get(name);
  return {
    isKnown: !awaitsFirst(titles),
    title: offered?.title ?? name,
    origin: offered && [offered.server, offered.title && name].filter(Boolean).join(" · "),
  };
}

/**
 * Whether what these tools are called is known; what fails to load is not waited for. Once it was
 * known it stays so: what stands there does not vanish for a tool that comes later.
 * @param names undefined until they have come
 */
export function useAreNamed(names: readonly string[] | undefined): boolean {
  const texts = useToolTexts();
  const [wereNamed, setNamed] = useState(false);
  const isForeign = names?.some((name) => !Object.hasOwn(texts.names, name)) ?? false;
  const areNamed = !awaitsFirst(useQuery({ ...toolTitlesQuery, enabled: isForeign }));
  if (names && areNamed && !wereNamed) setNamed(true);
  return wereNamed || areNamed;
}
