import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Download, ThumbsDown, ThumbsUp } from "lucide-react";
import type { ReactNode } from "react";
import { REASONS } from "../../../../src/services/core/conversations/contract-reactions.ts";
import { useList } from "../../shell/use-list.ts";
import { useModels } from "../../shell/use-models.ts";
import { formatAgo, formatNumber, formatTime } from "../../texts/format.ts";
import { useReasonTexts } from "../../texts/reasons.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, buttonLook } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { PickField } from "../../ui/pick-field.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { DateField } from "../../ui/date-field.tsx";
import type { FeedbackFilter } from "./filter.ts";
import { type Feedback, feedbackAddress, feedbackQuery } from "./queries.ts";
import { useFeedbackTexts } from "./texts.ts";

/** What people think of answers, with filters and an export. */
export function FeedbackPage() {
  const texts = useFeedbackTexts();
  const filter = useSearch({ from: "/app/admin/feedback" });
  const list = useList(feedbackQuery(filter));
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <PartSection
      title={texts.title}
      hint={texts.hint}
      actions={
        <a href={feedbackAddress(filter)} download className={buttonLook()}>
          <Download aria-hidden size={16} />
          {texts.export}
        </a>
      }
    >
      <Filters filter={filter} />
      {list.isPending && <Loading shape="list" lines={8} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <p role="status" className="text-xs text-muted">
          {texts.count(list.data.total, formatNumber(list.data.total))}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((feedback) => (
          <Entry key={`${feedback.messageId} ${feedback.userId}`} feedback={feedback} />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty
          icon={ThumbsUp}
          picture="rows"
          title={isNarrowed ? texts.nothing : texts.nothingYet}
        >
          {texts.nothingHint}
        </Empty>
      )}
      <More list={list} />
    </PartSection>
  );
}

/** Filters the list. The choice is part of the address. */
function Filters({ filter }: { filter: FeedbackFilter }) {
  const texts = useFeedbackTexts();
  const reasons = useReasonTexts();
  const models = useModels() ?? [];
  const navigate = useNavigate();
  const show = (search: FeedbackFilter) =>
    void navigate({ to: "/admin/feedback", search, replace: true });
  const change = (name: keyof FeedbackFilter, value: string) => {
    const { [name]: _, ...others } = filter;
    show(value === "" ? others : { ...others, [name]: value });
  };
  const ids = models.map(({ id }) => id);
  const { model } = filter;
  const choices = {
    reaction: {
      label: texts.rating,
      values: [
        { value: "like", name: texts.ratings.like },
        { value: "dislike", name: texts.ratings.dislike },
      ],
    },
    reason: {
      label: texts.reason,
      values: REASONS.map((value) => ({ value, name: reasons[value] })),
    },
    model: {
      label: texts.model,
      values: [
        ...models.map(({ id, displayName }) => ({ value: id, name: displayName })),
        // a model that is no longer offered
        ...(model && !ids.includes(model) ? [{ value: model, name: model }] : []),
      ],
    },
  };
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="flex flex-wrap gap-x-1 sm:-ml-2.5">
        {(["reaction", "reason", "model"] as const).map((name) => (
          <PickField
            key={name}
            label={choices[name].label}
            value={filter[name] ?? ""}
            onChange={({ target }) => change(name, target.value)}
          >
            <option value="">{texts.any}</option>
            {choices[name].values.map(({ value, name: shown }) => (
              <option key={value} value={value}>
                {shown}
              </option>
            ))}
          </PickField>
        ))}
        {(["from", "to"] as const).map((name) => (
          <DateField
            key={name}
            label={texts[name]}
            value={filter[name] ?? ""}
            onChange={(day) => change(name, day)}
          />
        ))}
      </div>
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" onClick={() => show({})}>
          {texts.showAll}
        </Button>
      )}
    </div>
  );
}

/** Who thinks what of an answer, and why; never the answer itself. */
function Entry({ feedback }: { feedback: Feedback }) {
  const texts = useFeedbackTexts();
  const reasonTexts = useReasonTexts();
  const { at, reaction, reasons, comment, userName, model, agentId, agentName } = feedback;
  const { conversationId } = feedback;
  const modelName = useModels()?.find(({ id }) => id === model)?.displayName;
  const Thumb = reaction === "like" ? ThumbsUp : ThumbsDown;
  return (
    <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <time dateTime={at} title={formatTime(at)} className="text-xs text-muted">
        {formatAgo(at)}
      </time>
      <div className="grid min-w-0 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          <Narrow filter={{ reaction }}>
            <Thumb
              aria-hidden
              size={15}
              className={reaction === "like" ? "text-ok" : "text-danger"}
            />
            {texts.ratings[reaction]}
          </Narrow>
          <bdi className="font-medium">{userName ?? texts.somebody}</bdi>
          {reasons.map((reason) => (
            <Badge key={reason}>{reasonTexts[reason]}</Badge>
          ))}
        </p>
        {comment && (
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {comment}
          </p>
        )}
        <p className="flex flex-wrap gap-x-3 text-xs text-muted wrap-anywhere">
          {agentId === null ? (
            <span className="inline-flex min-h-6 items-center">{texts.noAgent}</span>
          ) : (
            <Narrow filter={{ agentId }}>
              <bdi>{agentName ?? texts.someAgent}</bdi>
            </Narrow>
          )}
          {model !== null && (
            <Narrow filter={{ model }}>
              <bdi title={model}>{modelName ?? model}</bdi>
            </Narrow>
          )}
          {conversationId !== null && (
            <Link
              to="/c/$id"
              params={{ id: conversationId }}
              className="inline-flex min-h-6 items-center text-accent hover:underline pointer-coarse:min-h-11"
            >
              {texts.open}
            </Link>
          )}
        </p>
      </div>
    </li>
  );
}

/** A value of an entry. Choosing it filters the list. */
function Narrow({ filter, children }: { filter: FeedbackFilter; children: ReactNode }) {
  return (
    <Link
      from="/admin/feedback"
      to="/admin/feedback"
      search={(before) => ({ ...before, ...filter })}
      className="inline-flex min-h-6 items-center gap-1.5 hover:underline pointer-coarse:min-h-11"
    >
      {children}
    </Link>
  );
}
