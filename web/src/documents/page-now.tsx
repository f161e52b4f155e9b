import { useQuery } from "@tanstack/react-query";
import { toReportedFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { formatTime } from "../texts/format.ts";
import { texts } from "../texts/language.ts";
import { TextChanges } from "../ui/text-changes.tsx";
import { pageNowQuery } from "./passage-queries.ts";

interface PageNowProps {
  url: string;
  /** The words as the answer keeps them. */
  content: string;
}

/** Says whether a page of the web has changed since an answer cited it, and what. */
export function PageNow({ url, content }: PageNowProps) {
  const words = usePageNowTexts();
  const { data, error } = useQuery(pageNowQuery(url, content));
  const problem = useErrorText(data?.problem && toReportedFailure(data.problem));
  // who may not use the web, or cannot now, reads the words as they are kept
  if (error || !data) return null;
  if (data.state === "same")
    return (
      <p role="status" className="text-xs text-muted">
        {words.same(formatTime(data.readAt ?? ""))}
      </p>
    );
  const isGone = data.state === "unreadable";
  return (
    <div
      role="status"
      className="grid gap-2 rounded-r-md border-l-3 border-warn bg-warn-soft p-3 text-sm"
    >
      <p>
        <strong className="font-semibold">{isGone ? words.gone : words.changed}</strong>{" "}
        {isGone ? problem : data.changes ? words.now : words.nothingAlike}
      </p>
      {data.changes && <TextChanges changes={data.changes} context={200} />}
    </div>
  );
}

const en = {
  same: (time: string) => `The page still says this (${time}).`,
  changed: "This page has changed since.",
  gone: "This page cannot be compared.",
  now: "What it says now:",
  nothingAlike: "No part of it is like the words below.",
};
const de = {
  same: (time: string) => `Die Seite sagt das noch (${time}).`,
  changed: "Diese Seite hat sich seither geändert.",
  gone: "Diese Seite lässt sich nicht vergleichen.",
  now: "Das steht dort jetzt:",
  nothingAlike: "Kein Teil von ihr gleicht den Worten unten.",
} satisfies typeof en;

const usePageNowTexts = texts({ en, de });
