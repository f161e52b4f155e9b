import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { join } from "../ui/join.ts";
import { type Search, tagsQuery } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";

/** The user's tags; the chosen one filters the list. */
export function TagFilter({ search }: { search: Search }) {
  const texts = useHistoryTexts();
  const tags = useQuery(tagsQuery).data?.items ?? [];
  if (tags.length === 0) return null;
  return (
    <ul aria-label={texts.tags} className="flex max-h-24 flex-wrap gap-1 overflow-y-auto">
      {tags.map(({ name, conversations }) => {
        const isChosen = name === search.tag;
        return (
          <li key={name}>
            <Link
              to="/history"
              search={{ ...search, tag: isChosen ? undefined : name }}
              aria-pressed={isChosen}
              role="button"
              className={join(
                "inline-flex min-h-6 items-center gap-1 rounded-full border px-2 py-0.5 text-xs",
                "pointer-coarse:min-h-11",
                isChosen
                  ? "border-accent bg-accent text-on-accent"
                  : "border-control hover:bg-sunken",
              )}
            >
              <bdi>{name}</bdi>
              <span className={isChosen ? "" : "text-muted"}>{conversations}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
