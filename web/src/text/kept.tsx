import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Languages, Search } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { useChange } from "../shell/use-change.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { PickField } from "../ui/pick-field.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { type Conversion, conversionsQuery, deleteConversions } from "./queries.ts";
import { TOOLS } from "./routes.ts";
import { useTextTexts } from "./texts.ts";

const KEYS = [["conversions"]];

/** The user's stored conversions, with search and deletion. */
export function Kept() {
  const texts = useTextTexts();
  const { q, tool } = useSearch({ from: "/app/text/kept" });
  const list = useList(conversionsQuery(q, tool));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isDeleting, setDeleting] = useState(false);
  const mayDelete = usePermission("conversion:delete");
  const items = list.data?.items ?? [];
  const shownChosen = chosen.filter((id) => items.some((item) => item.id === id));
  const choose = (id: string, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id));
  const isNarrowed = q !== undefined || tool !== undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Filters />
      {shownChosen.length > 0 && (
        <ChosenBar
          label={texts.chosen(shownChosen.length)}
          allLabel={texts.chooseAll}
          noneLabel={texts.chooseNone}
          onAll={() => setChosen(items.map(({ id }) => id))}
          onNone={() => setChosen([])}
        >
          <Button look="danger" onClick={() => setDeleting(true)}>
            {texts.delete}
          </Button>
        </ChosenBar>
      )}
      {list.isPending && <Loading lines={8} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul aria-label={texts.tabs.kept} className="divide-y divide-hairline">
        {items.map((conversion) => (
          <KeptRow
            key={conversion.id}
            conversion={conversion}
            isChosen={chosen.includes(conversion.id)}
            onChoose={mayDelete ? (is) => choose(conversion.id, is) : undefined}
          />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty
          icon={isNarrowed ? Search : Languages}
          title={isNarrowed ? texts.nothing : texts.empty}
        >
          {isNarrowed ? texts.nothingHint : texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
      {isDeleting && (
        <Deletion
          ids={shownChosen}
          onClose={() => setDeleting(false)}
          onDone={() => setChosen([])}
        />
      )}
    </div>
  );
}

/** The search words, as in the address. */
function Filters() {
  const texts = useTextTexts();
  const { q, tool } = useSearch({ from: "/app/text/kept" });
  const navigate = useNavigate({ from: "/text/kept" });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56"
        value={q}
        onSearch={(next) => void navigate({ search: { q: next, tool }, replace: true })}
      />
      <PickField
        label={texts.tool}
        value={tool ?? ""}
        onChange={(event) => {
          const next = TOOLS.find((one) => one === event.target.value);
          void navigate({ search: { q, tool: next }, replace: true });
        }}
      >
        <option value="">{texts.anyTool}</option>
        {TOOLS.map((one) => (
          <option key={one} value={one}>
            {texts.tools[one]}
          </option>
        ))}
      </PickField>
    </div>
  );
}

interface KeptRowProps {
  conversion: Conversion;
  isChosen: boolean;
  onChoose: ((isChosen: boolean) => void) | undefined;
}

function KeptRow({ conversion, isChosen, onChoose }: KeptRowProps) {
  const texts = useTextTexts();
  const { id, type, input, output, status, targetLanguage, createdAt } = conversion;
  const facts = [
    texts.tools[type],
    targetLanguage,
    status !== "complete" && texts.statuses[status],
  ];
  return (
    <li className="flex items-start gap-2 py-2">
      <label className="flex size-7 shrink-0 items-center justify-center pointer-coarse:size-11">
        <input
          type="checkbox"
          aria-label={texts.choose(input.slice(0, 40))}
          checked={isChosen}
          disabled={!onChoose}
          onChange={(event) => onChoose?.(event.target.checked)}
          className="size-4 accent-accent"
        />
      </label>
      <div className="min-w-0 flex-1">
        <Link
          to="/text/kept/$id"
          params={{ id }}
          className="block min-h-6 truncate font-medium hover:underline"
        >
          <span dir="auto">{input}</span>
        </Link>
        {output && (
          <p className="truncate text-muted">
            <span dir="auto">{output}</span>
          </p>
        )}
        <p className="truncate text-xs text-muted">
          {facts.filter(Boolean).join(" · ")} ·{" "}
          <time dateTime={createdAt} title={formatTime(createdAt)}>
            {formatAgo(createdAt)}
          </time>
        </p>
      </div>
    </li>
  );
}

interface DeletionProps {
  ids: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

/** Asks, then deletes texts permanently. */
export function Deletion({ ids, onClose, onDone }: DeletionProps) {
  const texts = useTextTexts();
  const remove = useChange({
    run: () => deleteConversions(ids),
    keys: KEYS,
    onDone(count) {
      notify(texts.deleted(count));
      onClose();
      onDone();
    },
  });
  return (
    <Confirm
      title={texts.deleteTitle(ids.length)}
      text={texts.deleteText}
      action={texts.delete}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
