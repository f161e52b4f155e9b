import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FilePen, GitCompare, Languages, Lightbulb, ScanText } from "lucide-react";
import { type ReactNode, useId } from "react";
import { usePermission } from "../shell/queries.ts";
import { formatAgo } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { Glyph } from "../ui/glyph.tsx";
import { agentsQuery, lastDocumentsQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

const STARTERS = [
  ["summarise", ScanText],
  ["compare", GitCompare],
  ["draft", FilePen],
  ["translate", Languages],
  ["explain", Lightbulb],
] as const;
const SHOWN_AGENTS = 6;

interface StartMoreProps {
  onStarter: (text: string) => void;
  onAgent: (id: string) => void;
}

/** Below the composer before the first message; a section without content is not drawn. */
export function StartMore({ onStarter, onAgent }: StartMoreProps) {
  return (
    <div className="mx-auto grid w-full max-w-[46rem] grid-cols-[minmax(0,1fr)] gap-7 px-4 pb-12">
      <Starters onStarter={onStarter} />
      <Agents onAgent={onAgent} />
      <Documents />
    </div>
  );
}

/** Beginnings of questions: they fill the composer, and never send. */
function Starters({ onStarter }: Pick<StartMoreProps, "onStarter">) {
  const texts = useChatTexts();
  return (
    <div
      role="group"
      aria-label={texts.starters}
      className="-mx-4 overflow-x-auto px-2 [scrollbar-width:none] md:mx-0 md:-ml-2 md:px-0"
    >
      <ul className="flex gap-1 md:flex-wrap">
        {STARTERS.map(([key, Icon]) => (
          <li key={key} className="shrink-0">
            <Button
              look="quiet"
              className="px-2 text-muted hover:text-ink"
              onClick={() => onStarter(texts.starterTexts[key])}
            >
              <Icon aria-hidden size={16} className="shrink-0" />
              {texts.starterNames[key]}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The agents that the person marked, else those that changed last. */
function Agents({ onAgent }: Pick<StartMoreProps, "onAgent">) {
  const texts = useChatTexts();
  const { favorites = [], others = [] } = useQuery(agentsQuery).data ?? {};
  const shown = (favorites.length > 0 ? favorites : others).slice(0, SHOWN_AGENTS);
  if (shown.length === 0) return null;
  return (
    <Part title={texts.yourAgents} to="/agents" more={texts.allAgents}>
      <ul className="flex flex-wrap gap-1.5">
        {shown.map(({ id, name, icon }) => (
          <li key={id} className="max-w-full">
            <button
              type="button"
              onClick={() => onAgent(id)}
              title={name}
              className={
                "flex min-h-9 max-w-full items-center gap-2 rounded-full border bg-raised " +
                "border-hairline-strong pr-3.5 pl-1.5 font-medium hover:border-control " +
                "hover:shadow-1 pointer-coarse:min-h-11"
              }
            >
              <Glyph value={icon} id={id} name={name} size="small" />
              <bdi className="truncate">{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Documents() {
  const texts = useChatTexts();
  const mayRead = usePermission("document:read");
  const { data } = useQuery({ ...lastDocumentsQuery, enabled: mayRead });
  if (!data || data.items.length === 0) return null;
  return (
    <Part title={texts.lastDocuments} to="/documents" more={texts.allDocuments}>
      <ul className="grid gap-x-10 sm:grid-cols-2">
        {data.items.map(({ id, fileName, updatedAt }) => (
          <li key={id} className="min-w-0">
            <Link
              to="/documents/d/$id"
              params={{ id }}
              title={fileName}
              className="-mx-2 flex min-h-14 items-center gap-3 rounded-md px-2 hover:bg-hover"
            >
              <FileIcon name={fileName} />
              <span className="min-w-0">
                <bdi className="block truncate font-medium">{fileName}</bdi>
                <span className="block text-sm text-muted">{formatAgo(updatedAt)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface PartProps {
  title: string;
  /** Where the rest is. */
  to: string;
  more: string;
  children: ReactNode;
}

function Part({ title, to, more, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <header className="flex items-baseline gap-2 pb-2">
        <h2 id={id} className="flex-1 font-sans text-md tracking-normal">
          {title}
        </h2>
        <Link
          to={to}
          className="inline-flex min-h-6 items-center text-sm text-muted hover:text-accent pointer-coarse:min-h-11"
        >
          {more}
        </Link>
      </header>
      {children}
    </section>
  );
}
