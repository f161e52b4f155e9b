import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useState } from "react";
import type { DraftFile } from "../../shell/drafts.ts";
import { usePermission } from "../../shell/queries.ts";
import { useSettled } from "../../shell/use-settled.ts";
import { formatBytes } from "../../texts/format.ts";
import { FileIcon } from "../../ui/file-icon.tsx";
import { Glyph } from "../../ui/glyph.tsx";
import { join } from "../../ui/join.ts";
import { isInUpperHalf, scrollTo, useFieldState } from "../field-list.ts";
import { useListKeys } from "../use-list-keys.ts";
import { type Found, mentionedQuery, documentsInFolder } from "./queries.ts";
import { MENTION_BOX, MentionsLoading } from "./mentions-loading.tsx";
import type { Mention } from "./read-mention.ts";
import { useMentionTexts } from "./texts.ts";
import { newId } from "../../api/new-id.ts";
import { notify, notifyFailure } from "../../ui/notices.tsx";
import { MAX_FILES } from "../use-attachments.ts";

interface MentionListProps {
  mention: Mention;
  /** The text in which it is typed; the focus stays there. */
  input: RefObject<HTMLTextAreaElement | null>;
  /** Already attached. */
  files: readonly DraftFile[];
  onAgent: (id: string) => void;
  onFiles: (added: readonly DraftFile[]) => void;
  onClose: () => void;
}

/**
 * What fits the words after `@` or `#`. The arrow keys choose, Enter and Tab take it, Escape closes
 * the list. What is taken goes out of the text: who answers and what is attached stand elsewhere.
 */
export function MentionList(props: MentionListProps) {
  const { mention, input, onAgent, onClose } = props;
  const texts = useMentionTexts();
  const id = useId();
  const { found, isLoading } = useFound(mention);
  const [at, setAt] = useState(0);
  const current = Math.min(at, found.length - 1);
  const [isBelow] = useState(() => isInUpperHalf(input.current));
  const attach = useAttaching(props);
  useEffect(() => setAt(0), [mention.sign, mention.words]);
  useFieldState(
    input,
    found.length > 0 ? { list: id, option: `${id}-${current}` } : undefined,
  );
  const take = (one: Found | undefined) => {
    if (!one) return;
    cut(input.current, mention);
    if (one.kind === "agent") onAgent(one.id);
    else void attach(one);
  };
  const keys = {
    ArrowDown: () => setAt((current + 1) % found.length),
    ArrowUp: () => setAt((current + found.length - 1) % found.length),
    Enter: () => take(found[current]),
    Tab: () => take(found[current]),
    Escape: onClose,
  };
  useListKeys(found.length > 0 ? keys : isLoading ? { ...WAIT, Escape: onClose } : NO_KEYS);
  if (found.length === 0 && !isLoading) return null;
  return (
    <div className={join(MENTION_BOX, isBelow ? "top-full mt-1" : "bottom-full mb-1")}>
      <p role="status" className="sr-only">
        {texts.lists[mention.sign]}: {isLoading ? texts.loading : texts.count(found.length)}
      </p>
      {found.length === 0 && <MentionsLoading />}
      <ul id={id} role="listbox" aria-label={texts.lists[mention.sign]}>
        {found.map((one, place) => (
          <li
            key={one.id}
            id={`${id}-${place}`}
            ref={place === current ? scrollTo : undefined}
            role="option"
            aria-selected={place === current}
            // the focus, and on a phone its keyboard, stays with the text
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
            onMouseMove={() => setAt(place)}
            className={join(
              "flex min-h-10 items-center gap-3 rounded-md px-2 py-1 pointer-coarse:min-h-11",
              place === current && "bg-accent-soft",
            )}
          >
            <Picture one={one} />
            <span className="min-w-0">
              <bdi className="block truncate font-medium">{one.name}</bdi>
              <Hint one={one} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const NO_KEYS = {};
/** What is not there yet cannot be taken, and half a name is not what was to be sent. */
const WAIT = { Enter: () => {}, Tab: () => {} };

function Picture({ one }: { one: Found }) {
  if (one.kind === "agent")
    return <Glyph value={one.icon} id={one.id} name={one.name} size="small" />;
  return <FileIcon name={one.name} isFolder={one.kind === "folder"} isBare />;
}

function Hint({ one }: { one: Found }) {
  const texts = useMentionTexts();
  const hints = {
    agent: () => one.hint,
    folder: () => texts.folder,
    document: () => one.kind === "document" && formatBytes(one.size),
  };
  const hint = hints[one.kind]();
  return hint ? <span className="block truncate text-xs text-muted">{hint}</span> : null;
}

/** What fits, as far as the roles permit: until the server answers, of what is there. */
function useFound({ sign, words }: Mention): { found: Found[]; isLoading: boolean } {
  const mayAsk = usePermission("agent:read");
  const mayRead = usePermission("document:read");
  const settled = useSettled(words);
  const isPermitted = sign === "@" ? mayAsk : mayRead;
  const query = useQuery({
    ...mentionedQuery({ sign, words: settled }),
    enabled: isPermitted,
  });
  const { data = [], isPlaceholderData, isFetching } = query;
  const isLoading = isPermitted && (settled !== words || isFetching);
  if (!isLoading && !isPlaceholderData) return { found: data, isLoading };
  const has = ({ name }: Found) => name.toLowerCase().includes(words.toLowerCase());
  return { found: data.filter(has), isLoading };
}

/** Takes the mention out of the text, as if it had been deleted by hand: the caret stays there. */
function cut(field: HTMLTextAreaElement | null, { start, words }: Mention): void {
  if (!field) return;
  field.setRangeText("", start, start + words.length + 1, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

interface Attaching {
  files: readonly DraftFile[];
  onFiles: (added: readonly DraftFile[]) => void;
}

type Attachable = Exclude<Found, { kind: "agent" }>;

/** @returns what attaches a document, or those of a folder, as far as a message takes them. */
function useAttaching({ files, onFiles }: Attaching) {
  const texts = useMentionTexts();
  const room = MAX_FILES - files.length;
  const attached = new Set(files.map(({ documentId }) => documentId));
  return async (one: Attachable) => {
    if (room <= 0) return notify(texts.full(MAX_FILES));
    if (one.kind === "document") {
      if (!attached.has(one.id)) onFiles([toFile(one)]);
      return;
    }
    try {
      const { items, total } = await documentsInFolder(one.id, MAX_FILES);
      const added = items.filter(({ id }) => !attached.has(id)).slice(0, room);
      if (total === 0) return notify(texts.emptyFolder(one.name));
      onFiles(
        added.map(({ id, fileName, size, mimeType }) =>
          toFile({ id, name: fileName, size, type: mimeType }),
        ),
      );
      const missing = total - items.filter(({ id }) => attached.has(id)).length;
      if (added.length < missing) notify(texts.notAll(added.length, missing));
    } catch (error) {
      notifyFailure(error);
    }
  };
}

function toFile({
  id,
  name,
  size,
  type,
}: Omit<DraftFile, "key"> & { id: string }): DraftFile {
  return { key: newId(), documentId: id, name, size, type };
}
