import type { ToolFile } from "../../../src/services/agent-loop/contract-events.ts";
import { useCodeCellTexts } from "./code-cell-texts.ts";
import { fileAddress, pictureAddress } from "./code-queries.ts";

/** What an `img` may show: scripts in an SVG do not run there. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|svg\+xml)$/;

export function isPicture({ mediaType, fileId }: ToolFile): boolean {
  return fileId !== undefined && SHOWN.test(mediaType);
}

/** A picture on white paper, as charts are drawn; a click saves it. */
export function StoredPicture({ file }: { file: ToolFile }) {
  const texts = useCodeCellTexts();
  const address = fileAddress(file.fileId ?? "");
  return (
    <a
      href={address}
      download={lastPart(file.name)}
      title={texts.save(file.name)}
      className="my-1 block w-fit"
    >
      <img
        src={pictureAddress(file.fileId ?? "")}
        alt={file.name}
        loading="lazy"
        className="max-h-96 max-w-full rounded-sm"
        style={{ background: "white" }}
      />
    </a>
  );
}

export function lastPart(name: string): string {
  return name.split("/").at(-1) ?? name;
}
