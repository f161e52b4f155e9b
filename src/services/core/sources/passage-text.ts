import { describePlace } from "../../embedding/contract-places.ts";
import type { Source } from "./contract.ts";

/** Formats a passage for the model, with the number by which to cite it. */
export function passageText({
  index,
  fileName,
  pageNumber,
  place,
  content,
  url,
}: Source): string {
  const where = url ?? describePlace(place, pageNumber);
  return `[${index}] “${fileName}”${where === undefined ? "" : `, ${where}`}:\n${content}`;
}
