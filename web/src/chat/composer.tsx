import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Draft } from "../shell/drafts.ts";
import { join } from "../ui/join.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { useDropTarget } from "../shell/drop-target.ts";
import { useChatTexts } from "./texts.ts";
import { MentionsComing } from "./mentions/mentions-loading.tsx";
import { readMention } from "./mentions/read-mention.ts";
import { useAttachments } from "./use-attachments.ts";
import { isComposing } from "../ui/is-composing.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const Attachments = lazyPart(() => import("./attachments.tsx"), "Attachments");
const TemplateList = lazyPart(() => import("./template-list.tsx"), "TemplateList");
const TemplateOfAddress = lazyPart(
  () => import("./template-list.tsx"),
  "TemplateOfAddress",
);
const MentionList = lazyPart(() => import("./mentions/mention-list.tsx"), "MentionList");

interface ComposerProps {
  draft: Draft;
  /** Whether it stands below answers, which have a margin on wide screens. */
  hasMargin: boolean;
  change: (next: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;
  onSend: (draft: Draft) => void;
  /** Stops the answer in progress; absent while there is none. */
  onStop: (() => void) | undefined;
  onEditLast: () => void;
  /** Lets this agent answer. */
  onAgent: (id: string) => void;
  /** What the model may use; absent where an agent decides. */
  switches: ReactNode;
  /** The choice of who answers, beside the buttons. */
  picker: ReactNode;
}

/**
 * The input for messages. Accepts files by button, drop or paste; `/` inserts a template, `@`
 * chooses an agent, `#` attaches documents.
 */
export function Composer(props: ComposerProps) {
  const { draft, hasMargin, change, onStop, switches, picker } = props;
  const input = useRef<HTMLTextAreaElement>(null);
  const attachments = useAttachments({ files: draft.files, change });
  const isDropping = useDropTarget(attachments.add);
  const { mention, setCaret, close } = useMention(draft.text);
  const { canSend, submit, hint, onKeyDown } = useSubmit(props);
  const write = (next: Parameters<ComposerProps["change"]>[0]) => {
    change(next);
    input.current?.focus();
  };
  useEffect(() => {
    // on a touch screen the keyboard would cover the page before anything is written
    if (!isTouch()) input.current?.focus({ preventScroll: true });
  }, []);
  return (
    <form
      className={join(
        "relative mx-auto w-full max-w-[46rem] px-4 pb-2 print:hidden",
        hasMargin && "notes:max-w-[66rem] notes:pr-[19rem] notes:pl-12",
      )}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="relative">
        {isDropping && <DropHint />}
        <ChosenTemplate
          onInsert={(text) =>
            write((before) => ({ text: [text, before.text].filter(Boolean).join("\n\n") }))
          }
        />
        <Templates
          text={draft.text}
          input={input}
          onInsert={(text) => write({ text })}
          onClose={() => change({ text: "" })}
        />
        {mention && (
          <Suspense fallback={<MentionsComing />}>
            <MentionList
              mention={mention}
              input={input}
              files={draft.files}
              onAgent={props.onAgent}
              onFiles={(added) =>
                change((before) => ({ files: [...before.files, ...added] }))
              }
              onClose={close}
            />
          </Suspense>
        )}
        <div
          className={
            "rounded-xl border border-control bg-raised shadow-2 focus-within:border-accent " +
            "focus-within:ring-3 focus-within:ring-accent-soft"
          }
        >
          {draft.files.length > 0 && (
            <Suspense fallback={null}>
              <Attachments files={draft.files} {...attachments} />
            </Suspense>
          )}
          <Field
            ref={input}
            text={draft.text}
            onText={(text) => change({ text })}
            onCaret={setCaret}
            onKeyDown={onKeyDown}
            onFiles={attachments.add}
          />
          <ComposerButtons
            onFiles={attachments.add}
            // the focus stays: Enter on the button of the microphone must not send the message
            onText={(text) => change((before) => ({ text: withWords(before.text, text) }))}
            onTextEnd={() => input.current?.focus()}
            onStop={onStop}
            canSend={canSend}
            switches={switches}
            picker={picker}
          />
        </div>
      </div>
      <p role="status" className="min-h-4 pt-1 text-xs text-muted empty:invisible">
        {hint}
      </p>
    </form>
  );
}

/** Sends a complete draft, also by key. While an answer is made, says to wait for it. */
function useSubmit({ draft, onSend, onStop, onEditLast }: ComposerProps) {
  const texts = useChatTexts();
  const [hint, setHint] = useState("");
  const isUploading = draft.files.some(({ documentId }) => !documentId);
  const isEmpty = draft.text.trim() === "" && draft.files.length === 0;
  const canSend = !isEmpty && !isUploading;
  useEffect(() => setHint(""), [draft.text, onStop === undefined]);
  const submit = () => {
    if (onStop) setHint(texts.waitForReply);
    else if (canSend) onSend(draft);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const isSending = event.key === "Enter" && !event.shiftKey && !isTouch();
    if (isSending) submit();
    else if (event.key === "ArrowUp" && draft.text === "") onEditLast();
    else if (event.key === "Escape" && onStop) onStop();
    else return;
    event.preventDefault();
  };
  return { canSend, submit, hint, onKeyDown };
}

/** The mention that the caret is in, until it is closed. */
function useMention(text: string) {
  const [caret, setCaret] = useState(0);
  const [closed, setClosed] = useState<number>();
  const mention = text.startsWith("/") ? undefined : readMention(text, caret);
  const start = mention?.start;
  useEffect(() => setClosed(undefined), [start]);
  return {
    mention: start === closed ? undefined : mention,
    setCaret,
    close: () => setClosed(start),
  };
}

/** The template that the address names, as the pages of templates lead here. */
function ChosenTemplate({ onInsert }: Pick<TemplatesProps, "onInsert">) {
  const { template } = useSearch({ strict: false });
  const navigate = useNavigate();
  if (template === undefined) return null;
  const close = () =>
    void navigate({ to: "/", search: ({ template: _, ...rest }) => rest, replace: true });
  return (
    <Suspense fallback={null}>
      <TemplateOfAddress key={template} id={template} onInsert={onInsert} onClose={close} />
    </Suspense>
  );
}

interface TemplatesProps {
  text: string;
  input: RefObject<HTMLTextAreaElement | null>;
  onInsert: (text: string) => void;
  onClose: () => void;
}

/** The templates to insert, while the text begins with `/`. */
function Templates({ text, ...list }: TemplatesProps) {
  if (!text.startsWith("/")) return null;
  return (
    <Suspense fallback={null}>
      <TemplateList query={text.slice(1)} {...list} />
    </Suspense>
  );
}

interface FieldProps {
  ref: Ref<HTMLTextAreaElement>;
  text: string;
  onText: (text: string) => void;
  /** Where the caret is. */
  onCaret: (at: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onFiles: (files: File[]) => void;
}

/** A longer text is a file: it would bury what is asked about it. */
const MAX_PASTED = 8_000;

/** Grows with its text. Files and long texts that are pasted are attached. */
function Field({ ref, text, onText, onCaret, onKeyDown, onFiles }: FieldProps) {
  const texts = useChatTexts();
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    const text = event.clipboardData.getData("text/plain");
    if (files.length === 0 && text.length > MAX_PASTED)
      files.push(new File([text], texts.pastedText, { type: "text/plain" }));
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  return (
    <textarea
      ref={ref}
      name="message"
      aria-label={texts.composer}
      placeholder={texts.placeholder}
      value={text}
      dir="auto"
      rows={1}
      onChange={(event) => onText(event.target.value)}
      onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      className={
        "block field-sizing-content max-h-[min(16rem,40dvh)] min-h-12 w-full resize-none " +
        "bg-transparent px-4.5 pt-3.5 pb-1 text-base leading-normal outline-none " +
        "placeholder:text-muted"
      }
    />
  );
}

function DropHint() {
  const texts = useChatTexts();
  return (
    <p
      className={
        "pointer-events-none absolute inset-0 z-10 grid place-items-center " +
        "rounded-xl border-2 border-dashed border-accent bg-page text-accent"
      }
    >
      {texts.drop}
    </p>
  );
}

/** On a touch screen Enter inserts a line break, as its keyboard shows. */
function isTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

function withWords(text: string, words: string): string {
  return text === "" || /\s$/.test(text) ? text + words : `${text} ${words}`;
}
