import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { closestSentence, findPassage, type Place } from "./find-words.ts";
import { PassageHead, type PassageSource, type PassageTab } from "./passage-head.tsx";
import { partTextQuery, pageNowQuery } from "./queries.ts";
import { TablePassage } from "./table-passage.tsx";
import { toReportedFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { formatTime } from "../texts/format.ts";
import { texts } from "../texts/language.ts";
import { TextChanges } from "../ui/text-changes.tsx";

export interface PassageProps {
  source: PassageSource;
  /** The sources beside it; none if there is only this one. */
  tabs?: readonly PassageTab[];
  /** The sentence of the answer that cites it. */
  said?: string | undefined;
  onClose: () => void;
}

/** The words that an answer cites, marked on their page, sheet or chapter. */
export function Passage(props: PassageProps) {
  const { source, tabs = [], onClose } = props;
  if (source.table)
    return (
      <TablePassage source={source} table={source.table} tabs={tabs} onClose={onClose} />
    );
  return props.source.url === undefined ? (
    <DocumentPassage {...props} />
  ) : (
    <WebPassage {...props} />
  );
}

/** The words that a page of the web had when the answer was written. */
function WebPassage({ source, said, tabs = [], onClose }: PassageProps) {
  const { fileName, content, url = "" } = source;
  return (
    <Panel
      title={fileName}
      icon={<FileIcon name={fileName} isPage isBare />}
      head={<PassageHead source={source} tabs={tabs} />}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <PageNow url={url} content={content} />
        <PageText text={content} passage={content} said={said} />
      </div>
    </Panel>
  );
}

function DocumentPassage({ source, said, tabs = [], onClose }: PassageProps) {
  const { documentId, fileName, pageNumber, place, content } = source;
  const { data, error, refetch, isPending } = useQuery(
    partTextQuery(documentId, place?.part ?? pageNumber),
  );
  return (
    <Panel
      title={fileName}
      icon={<FileIcon name={fileName} isBare />}
      head={<PassageHead source={source} tabs={tabs} />}
      onClose={onClose}
    >
      {isPending && <Loading lines={8} className="p-0" />}
      <div
        className={
          "rounded-sm bg-raised p-6 shadow-2 empty:hidden max-lg:bg-transparent " +
          "max-lg:p-0 max-lg:shadow-none"
        }
      >
        {error && (
          <div className="grid gap-4">
            <blockquote
              dir="auto"
              className="border-l-2 border-accent pl-3 whitespace-pre-wrap"
            >
              {content}
            </blockquote>
            <Problem error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {data !== undefined && <PageText text={data} passage={content} said={said} />}
      </div>
    </Panel>
  );
}

interface PageTextProps {
  text: string;
  passage: string;
  said: string | undefined;
}

function PageText({ text, passage, said }: PageTextProps) {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = page.current;
    if (!element) return undefined;
    const shown = textOf(element);
    const sentence = said === undefined ? undefined : closestSentence(passage, said);
    const cited = sentence === undefined ? undefined : findPassage(shown, sentence);
    const place = cited ?? findPassage(shown, passage);
    return place && markPlace(element, place);
  }, [text, passage, said]);
  return (
    <div ref={page}>
      <Markdown text={text} />
    </div>
  );
}

const NAME = "found";
const BLOCKS = "p, li, td, th, h3, h4, h5, h6, pre, blockquote, div";

interface Piece {
  node: Node;
  /** Where it begins in the text of the element. */
  start: number;
  text: string;
}

/** The text of an element, with a line break between blocks. */
function textOf(element: Element): string {
  return piecesOf(element)
    .map(({ text }) => text)
    .join("");
}

/**
 * Marks a place of an element's text, and brings it into sight. The text stays as it is.
 * @returns a function that removes the mark. Source: CSS Custom Highlight API.
 */
function markPlace(element: Element, place: Place): () => void {
  const range = rangeOf(element, place);
  range.startContainer.parentElement?.scrollIntoView({ block: "center" });
  if (!("highlights" in CSS)) return () => {};
  CSS.highlights.set(NAME, new Highlight(range));
  return () => {
    CSS.highlights.delete(NAME);
  };
}

function rangeOf(element: Element, { start, end }: Place): Range {
  const range = new Range();
  range.selectNodeContents(element);
  for (const { node, start: from, text } of piecesOf(element)) {
    const to = from + text.length;
    if (start >= from && start < to) range.setStart(node, start - from);
    if (end > from && end <= to) range.setEnd(node, end - from);
  }
  return range;
}

function piecesOf(element: Element): Piece[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  let passed = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const next = walker.nextNode();
    const ends = next && blockOf(next) !== blockOf(node);
    const text = `${node.textContent ?? ""}${ends ? "\n" : ""}`;
    pieces.push({ node, start: passed, text });
    passed += text.length;
    if (!next) break;
    walker.previousNode();
  }
  return pieces;
}

function blockOf({ parentElement }: Node): Element | null | undefined {
  return parentElement?.closest(BLOCKS);
}

interface PageNowProps {
  url: string;
  /** The words as the answer keeps them. */
  content: string;
}

/** Says whether a page of the web has changed since an answer cited it, and what. */
function PageNow({ url, content }: PageNowProps) {
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
