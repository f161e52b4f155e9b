import { Download } from "lucide-react";
import { useState } from "react";
import type { ToolFile } from "../../../src/services/agent-loop/contract-events.ts";
import { LargePicture } from "../ui/large-picture.tsx";
import { useCodeCellTexts } from "./code-cell-texts.ts";
import { fileAddress, pictureAddress } from "./code-queries.ts";

/** What an `img` may show: scripts in an SVG do not run there. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|svg\+xml)$/;

export function isPicture({ mediaType, fileId }: ToolFile): boolean {
  return fileId !== undefined && SHOWN.test(mediaType);
}

/** A picture on white paper, as charts are drawn. A click opens it large; a button saves it. */
export function StoredPicture({ file }: { file: ToolFile }) {
  const texts = useCodeCellTexts();
  const [isLarge, setLarge] = useState(false);
  const picture = pictureAddress(file.fileId ?? "");
  const save = {
    address: fileAddress(file.fileId ?? ""),
    fileName: lastPart(file.name),
  };
  return (
    <figure className="group relative my-1 w-fit">
      <button
        type="button"
        aria-label={texts.enlarge(file.name)}
        title={texts.enlarge(file.name)}
        onClick={() => setLarge(true)}
        className="block min-h-6 min-w-6 cursor-zoom-in rounded-sm"
      >
        <img
          src={picture}
          alt={file.name}
          loading="lazy"
          className="max-h-96 max-w-full rounded-sm"
          style={{ background: "white" }}
        />
      </button>
      <a
        href={save.address}
        download={save.fileName}
        aria-label={texts.save(file.name)}
        title={texts.save(file.name)}
        className={
          "absolute top-2 right-2 grid size-8 place-items-center rounded-md border " +
          "border-hairline-strong bg-raised text-ink shadow-1 hover:bg-hover print:hidden " +
          "opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 " +
          "pointer-coarse:size-11 pointer-coarse:opacity-100"
        }
      >
        <Download aria-hidden size={16} />
      </a>
      {isLarge && (
        <LargePicture
          name={lastPart(file.name)}
          address={picture}
          save={save}
          isOnPaper
          onClose={() => setLarge(false)}
        />
      )}
    </figure>
  );
}

export function lastPart(name: string): string {
  return name.split("/").at(-1) ?? name;
}
