import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Failure, toFailure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { texts } from "../../texts/language.ts";
import { Button } from "../../ui/button.tsx";
import { join } from "../../ui/join.ts";
import { Loading } from "../../ui/loading.tsx";
import { PartText } from "../part-text.tsx";
import type { PassageSource } from "../passage-head.tsx";
import { originalPageQuery, pictureAddress } from "../queries.ts";
import { type Area, findOnPage } from "./find-on-page.ts";
import type { Zoom } from "./page-foot.tsx";

interface PagePictureProps {
  source: PassageSource;
  said: string | undefined;
  page: number;
  /** Whether it is the page that the answer cites. */
  isCited: boolean;
  zoom: Zoom;
  /** Whether the picture did not load. */
  isBroken: boolean;
  setBroken: (isBroken: boolean) => void;
}

/** The picture of a page with the cited words marked; where there is none, why, and the text. */
export function PagePicture(props: PagePictureProps) {
  const { source, said, page, isCited, zoom, isBroken, setBroken } = props;
  const { documentId, content, fileName } = source;
  const words = usePictureTexts();
  const { data, error, refetch } = useQuery(originalPageQuery(documentId, page));
  const areas = useMemo(
    () => (data && isCited ? findOnPage(data.words, { passage: content, said }) : []),
    [data, isCited, content, said],
  );
  if (error || isBroken)
    return (
      <Instead
        failure={error ? toFailure(error) : undefined}
        onRetry={() => {
          setBroken(false);
          void refetch();
        }}
      >
        <PartText source={source} said={isCited ? said : undefined} part={page} />
      </Instead>
    );
  if (!data)
    return (
      <>
        {/* drawn while its words are read */}
        <img src={pictureAddress(documentId, page)} alt="" className="hidden" />
        <Loading lines={12} className="px-0" />
      </>
    );
  return (
    <>
      {isCited && areas.length === 0 && (
        <p className="mb-3 text-xs text-muted">{words.unmarked}</p>
      )}
      <Paper
        address={pictureAddress(documentId, page)}
        label={words.pageOf(page, fileName)}
        ratio={data.width / data.height}
        areas={areas}
        zoom={zoom}
        onBroken={() => setBroken(true)}
      />
    </>
  );
}

interface PaperProps {
  address: string;
  label: string;
  /** Its width by its height. */
  ratio: number;
  areas: readonly Area[];
  zoom: Zoom;
  onBroken: () => void;
}

/** Longer or wider than any sheet: only a hostile file has them. */
const MIN_RATIO = 1 / 20;
const MAX_RATIO = 20;

function Paper({ address, label, ratio, areas, zoom, onBroken }: PaperProps) {
  const [isDrawn, setDrawn] = useState(false);
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center", inline: "center" });
  }, [areas, zoom]);
  return (
    <div
      className={join("relative isolate bg-[#fffefb]", !isDrawn && "animate-pulse")}
      style={{
        width: `${zoom * 100}%`,
        aspectRatio: Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio)),
      }}
    >
      <img
        src={address}
        alt={label}
        onLoad={() => setDrawn(true)}
        onError={onBroken}
        className={join("size-full", !isDrawn && "opacity-0")}
      />
      {/* in the dark the page stays paper, but does not dazzle */}
      <div
        aria-hidden
        className="absolute inset-0 bg-[light-dark(transparent,#ddd6c6)] mix-blend-multiply"
      />
      {areas.map(({ left, top, width, height }, at) => (
        <div
          key={at}
          ref={at === 0 ? mark : undefined}
          data-mark
          aria-hidden
          className={join(
            "absolute rounded-[2px] bg-[#ffe9a8] mix-blend-multiply",
            !isDrawn && "invisible",
          )}
          style={{
            left: share(left),
            top: share(top),
            width: share(width),
            height: share(height),
          }}
        />
      ))}
    </div>
  );
}

const share = (part: number) => `${(part * 100).toFixed(2)}%`;

interface InsteadProps {
  failure: Failure | undefined;
  onRetry: () => void;
  children: React.ReactNode;
}

/** Errors that another try may not have. */
const mayPass = (failure: Failure | undefined) =>
  failure === undefined || failure.status >= 500 || failure.status === 429;

function Instead({ failure, onRetry, children }: InsteadProps) {
  const words = usePictureTexts();
  const reason = useErrorText(failure);
  return (
    <div className="grid gap-4">
      <div
        role="status"
        className={
          "grid justify-items-start gap-2 rounded-r-md border-l-3 border-warn bg-warn-soft p-3 text-sm"
        }
      >
        <p>
          <strong className="font-semibold">{words.notDrawn}</strong> {reason}
        </p>
        {mayPass(failure) && <Button onClick={onRetry}>{words.retry}</Button>}
      </div>
      {children}
    </div>
  );
}

const en = {
  pageOf: (page: number, file: string) => `Page ${page} of ${file}`,
  unmarked: "The cited words were not found on the picture of the page. Its text has them.",
  notDrawn: "The page cannot be shown as it looks; this is its text.",
  retry: "Try again",
};
const de = {
  pageOf: (page: number, file: string) => `Seite ${page} von ${file}`,
  unmarked:
    "Die zitierten Worte wurden auf dem Bild der Seite nicht gefunden. Ihr Text enthält sie.",
  notDrawn: "Die Seite lässt sich nicht zeigen, wie sie aussieht; das ist ihr Text.",
  retry: "Erneut versuchen",
} satisfies typeof en;
const usePictureTexts = texts({ en, de });
