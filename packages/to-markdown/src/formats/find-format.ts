import { FORMATS, type Format } from "./formats.ts";

const byKind = new Map(FORMATS.map((format) => [format.kind, format]));
const byExtension = indexBy(({ extensions }) => extensions);
const byMimeType = indexBy(({ mimeTypes }) => mimeTypes);

/** The format with this short name, if it can be read. */
export function formatOfKind(kind: string): Format | undefined {
  return byKind.get(kind);
}

/** The format of a file name's extension. */
export function formatOfName(fileName: string): Format | undefined {
  return byExtension.get(/\.(\w+)$/.exec(fileName.toLowerCase())?.[1] ?? "");
}

/** The format of a media type, whatever its parameters. */
export function formatOfMimeType(mimeType: string): Format | undefined {
  return byMimeType.get(mimeType.toLowerCase().split(";", 1)[0]?.trim() ?? "");
}

function indexBy(keysOf: (format: Format) => readonly string[]): Map<string, Format> {
  return new Map(
    FORMATS.flatMap((format) => keysOf(format).map((key) => [key, format] as const)),
  );
}
