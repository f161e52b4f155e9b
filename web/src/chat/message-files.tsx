import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import { LargePicture } from "../ui/large-picture.tsx";
import { inlineAddress, isPicture } from "../shell/file-queries.ts";
import type { ThreadMessage } from "./queries.ts";

type MessageFile = ThreadMessage["files"][number];

/** What was given with a message: pictures as they look, and files that open on their page. */
export function MessageFiles({ files }: { files: readonly MessageFile[] }) {
  return (
    <ul className="flex flex-wrap items-end justify-end gap-2">
      {files.map((file) => (
        <li key={file.id} className="flex min-w-0">
          {isPicture(file.mimeType) ? <Picture file={file} /> : <FileLink file={file} />}
        </li>
      ))}
    </ul>
  );
}

function FileLink({ file: { id, fileName } }: { file: MessageFile }) {
  return (
    <Link
      to="/documents/d/$id"
      params={{ id }}
      title={fileName}
      className={
        "flex min-h-8 min-w-0 items-center gap-1.5 rounded-md bg-sunken px-2 py-1 text-xs " +
        "hover:bg-hover pointer-coarse:min-h-11"
      }
    >
      <FileIcon name={fileName} isBare />
      <bdi className="max-w-60 truncate">{fileName}</bdi>
    </Link>
  );
}

/** Opens large. Where it cannot be shown it is a file as others. */
function Picture({ file }: { file: MessageFile }) {
  const words = usePictureTexts();
  const [isLarge, setLarge] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const { id, fileName } = file;
  if (isBroken) return <FileLink file={file} />;
  const address = inlineAddress(id);
  const label = words.enlarge(fileName);
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => setLarge(true)}
        className="overflow-hidden rounded-lg border border-hairline bg-sunken hover:border-hairline-strong"
      >
        <img
          src={address}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
          // its room is there before it is
          className="h-40 w-auto max-w-72 min-w-16 object-cover"
        />
      </button>
      {isLarge && (
        <LargePicture name={fileName} address={address} onClose={() => setLarge(false)} />
      )}
    </>
  );
}

const en = { enlarge: (name: string) => `Enlarge: ${isolate(name)}` };
const de = {
  enlarge: (name: string) => `Vergrößern: ${isolate(name)}`,
} satisfies typeof en;
const usePictureTexts = texts({ en, de });
