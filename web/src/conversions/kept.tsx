import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Languages, Search, Trash2 } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Button, buttonLook } from "../ui/button.tsx";
import { ChooseBox } from "../ui/choose-box.tsx";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { More } from "../ui/more.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { PickField } from "../ui/pick-field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { type Chosen, useChosen } from "../ui/use-chosen.ts";
import { type Conversion, conversionsQuery, deleteConversions } from "./queries.ts";
import { TOOLS } from "./routes.ts";
import { useTextTexts } from "./texts.ts";

const KEYS = [["conversions"]];

/** The user's stored conversions, with search and deletion. */
export function Kept() {
  const texts = useTextTexts();
  const { q, tool } = useSearch({ from: "/app/text/kept" });
  const list = useList(conversionsQuery(q, tool));
  const [isDeleting, setDeleting] = useState(false);
  const mayDelete = usePermission("conversion:delete");
  const items = list.data?.items ?? [];
  const chosen = useChosen(items.map(({ id }) => id));
  const isNarrowed = q !== undefined || tool !== undefined;
  return (
    <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Filters />
      {mayDelete && (
        <ChosenBar chosen={chosen} list={list}>
          <Button look="danger" onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        </ChosenBar>
      )}
      {list.isPending && <Loading shape="list" lines={8} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul aria-label={texts.tabs.kept} className="divide-y divide-hairline">
        {items.map((conversion) => (
          <KeptRow
            key={conversion.id}
            conversion={conversion}
            chosen={mayDelete ? chosen : undefined}
          />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty
          icon={isNarrowed ? Search : Languages}
          {...(!isNarrowed && { picture: "rows" })}
          title={isNarrowed ? texts.nothing : texts.empty}
          action={
            !isNarrowed && (
              <Link to="/text" className={buttonLook("primary")}>
                {texts.tabs.tools}
              </Link>
            )
          }
        >
          {isNarrowed ? texts.nothingHint : texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
      {isDeleting && (
        <Deletion
          ids={chosen.ids}
          onClose={() => setDeleting(false)}
          onDone={chosen.none}
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
        className="min-w-0 flex-1 basis-56 max-sm:basis-full"
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
  chosen: Chosen | undefined;
}

function KeptRow({ conversion, chosen }: KeptRowProps) {
  const texts = useTextTexts();
  const { id, type, input, output, status, targetLanguage, createdAt } = conversion;
  const facts = [
    texts.tools[type],
    targetLanguage,
    status !== "complete" && texts.statuses[status],
  ];
  return (
    <li className="flex items-start gap-2 py-2">
      {chosen && <ChooseBox chosen={chosen} id={id} name={input.slice(0, 40)} />}
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
  return (
    <ConfirmChange
      title={texts.deleteTitle(ids.length)}
      text={texts.deleteText}
      action={texts.delete}
      run={() => deleteConversions(ids)}
      keys={KEYS}
      done={texts.deleted}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
