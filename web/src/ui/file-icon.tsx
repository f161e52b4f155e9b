import {
  AudioLines,
  FileCode,
  FileQuestionMark,
  FileText,
  Folder,
  Globe,
  Image,
  type LucideIcon,
  Presentation,
  Table2,
} from "lucide-react";
import { join } from "./join.ts";

const KINDS = {
  pdf: [FileText, "text-file-pdf"],
  text: [FileText, "text-file-text"],
  sheet: [Table2, "text-file-sheet"],
  slides: [Presentation, "text-file-slides"],
  image: [Image, "text-file-image"],
  audio: [AudioLines, "text-file-audio"],
  code: [FileCode, "text-file-code"],
  web: [Globe, "text-file-web"],
  folder: [Folder, "text-file-folder"],
  other: [FileQuestionMark, "text-file-other"],
} as const satisfies Record<string, readonly [LucideIcon, string]>;
type Kind = keyof typeof KINDS;

const ENDINGS: Partial<Record<Kind, string>> = {
  pdf: "pdf",
  text: "doc docx odt rtf txt md markdown epub eml msg tex",
  sheet: "xls xlsx ods csv tsv parquet",
  slides: "ppt pptx odp key",
  image: "png jpg jpeg gif webp svg bmp tif tiff heic avif",
  audio: "mp3 m4a wav ogg flac opus mp4 webm mov mkv",
  code: "js ts tsx jsx py java c cpp h rs go rb php sh sql json yaml yml xml toml css ipynb",
  web: "html htm url",
};
const KIND_OF = new Map(
  Object.entries(ENDINGS).flatMap(([kind, endings]) =>
    endings.split(" ").map((ending) => [ending, kind as Kind] as const),
  ),
);

interface FileIconProps {
  /** Its ending says what kind of file it is. */
  name: string;
  isFolder?: boolean;
  /** A page of the web: its name is a title. */
  isPage?: boolean;
  /** Small and without a ground: in text and in the margin. */
  isBare?: boolean;
}

/** The kind of a file, beside its name, so hidden from screen readers. */
export function FileIcon({
  name,
  isFolder = false,
  isPage = false,
  isBare = false,
}: FileIconProps) {
  const kind = isFolder ? "folder" : isPage ? "web" : kindOf(name);
  const [Icon, colour] = KINDS[kind];
  if (isBare) return <Icon aria-hidden size={16} className={join("shrink-0", colour)} />;
  return (
    <span
      aria-hidden
      className={join(
        "inline-flex size-8 shrink-0 items-center justify-center rounded-md",
        "bg-[color-mix(in_oklab,currentColor_11%,transparent)]",
        colour,
      )}
    >
      <Icon size={18} />
    </span>
  );
}

function kindOf(name: string): Kind {
  return KIND_OF.get(name.split(".").at(-1)?.toLowerCase() ?? "") ?? "other";
}
