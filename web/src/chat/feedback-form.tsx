import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useRef } from "react";
import { REASONS } from "../../../src/services/core/conversations/contract-reactions.ts";
import { useChange } from "../shell/use-change.ts";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { useReasonTexts } from "../texts/reasons.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/join.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { reactionQuery } from "./feedback-queries.ts";
import { useFeedbackTexts } from "./feedback-texts.ts";
import {
  conversationQuery,
  type Reaction,
  setReaction,
  type ThreadMessage,
} from "./queries.ts";

interface FeedbackFormProps {
  message: ThreadMessage;
  /** It was not rated as bad before, so nothing was said. */
  isFirst: boolean;
  /** Ends once the rating itself is stored. */
  stored: RefObject<Promise<void>>;
  onTakeBack: () => void;
  onClose: () => void;
}

/** Says why an answer is bad: shows what was said before, and changes it or takes it back. */
export function FeedbackForm(props: FeedbackFormProps) {
  const { message, isFirst } = props;
  const query = useQuery({ ...reactionQuery(message.id), enabled: !isFirst });
  const { data = isFirst ? NOTHING_SAID : undefined, error, refetch } = query;
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  return data ? <Reasons {...props} said={data} /> : <Loading lines={3} />;
}

type Reason = (typeof REASONS)[number];
interface ReasonsProps extends FeedbackFormProps {
  said: { reasons: Reason[]; comment: string | null };
}

const NOTHING_SAID: ReasonsProps["said"] = { reasons: [], comment: null };

const MAX_COMMENT_CHARACTERS = 4_000;

function Reasons({ message, said, stored, onTakeBack, onClose }: ReasonsProps) {
  const texts = useFeedbackTexts();
  const titleId = useId();
  const form = useRef<HTMLFormElement>(null);
  const { reasons: chosen, comment } = said;
  const draft = useFormDraft(`feedback.${message.id}`, {
    reasons: chosen,
    comment: comment ?? "",
  });
  const { values } = draft;
  useEffect(() => {
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const close = () => {
    returnFocus(form.current);
    draft.forget();
    onClose();
  };
  const saving = useChange({
    async run(reaction: Reaction) {
      await stored.current;
      return setReaction(message.id, reaction);
    },
    keys: [
      conversationQuery(message.conversationId).queryKey,
      reactionQuery(message.id).queryKey,
    ],
    onDone() {
      notify(texts.sent);
      close();
    },
  });
  return (
    <form
      ref={form}
      aria-labelledby={titleId}
      className="grid gap-3 rounded-lg border border-hairline-strong bg-raised p-4 print:hidden"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const { reasons } = values;
        const written = values.comment.trim() || null;
        saving.mutate(
          { reaction: "dislike", reasons, comment: written },
          { onError: notifyFailure },
        );
      }}
    >
      <h3 id={titleId} className="text-base">
        {texts.title}
      </h3>
      <ReasonChips
        label={texts.title}
        chosen={values.reasons}
        onChange={(reasons) => draft.change({ reasons })}
      />
      <TextArea
        label={texts.comment}
        hint={texts.whoReads}
        rows={2}
        maxLength={MAX_COMMENT_CHARACTERS}
        value={values.comment}
        onChange={({ target }) => draft.change({ comment: target.value })}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={saving.isPending}>
          {texts.send}
        </Button>
        <Button onClick={close}>{texts.cancel}</Button>
        <Button
          look="quiet"
          className="sm:ml-auto"
          onClick={() => {
            close();
            onTakeBack();
          }}
        >
          {texts.takeBack}
        </Button>
      </div>
    </form>
  );
}

interface ReasonChipsProps {
  label: string;
  chosen: readonly Reason[];
  onChange: (reasons: Reason[]) => void;
}

function ReasonChips({ label, chosen, onChange }: ReasonChipsProps) {
  const texts = useReasonTexts();
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {REASONS.map((reason) => {
        const isChosen = chosen.includes(reason);
        return (
          <button
            key={reason}
            type="button"
            aria-pressed={isChosen}
            onClick={() =>
              // in one order, so that the same choice is the same draft
              onChange(REASONS.filter((one) => chosen.includes(one) !== (one === reason)))
            }
            className={join(
              "min-h-8 rounded-full border px-3 text-sm font-medium pointer-coarse:min-h-11",
              isChosen
                ? "border-accent bg-accent-soft text-accent"
                : "border-hairline-strong text-muted hover:border-control hover:text-ink",
            )}
          >
            {texts[reason]}
          </button>
        );
      })}
    </div>
  );
}

/** To the button that opened the form, where the focus is in the form that closes. */
function returnFocus(form: HTMLFormElement | null): void {
  if (!form?.contains(document.activeElement)) return;
  form.closest("article")?.querySelector<HTMLElement>("button[aria-expanded]")?.focus();
}
