import { shortenText } from "../../../platform/shorten-text.ts";
import { describePlace } from "../../embedding/contract-places.ts";
import { type NotFound, describeNotFound } from "./contract.ts";
const MAX_QUOTED_CHARACTERS = 300;

/** Tells a model why nothing was found, and what is nearest: to offer, not to answer from. */
export function notFoundText(notFound: NotFound): string {
  const { nearest } = notFound;
  const why = describeNotFound(notFound);
  if (nearest.length === 0) return why;
  const offered = nearest.map(({ fileName, place, pageNumber, content }) => {
    const where = describePlace(place, pageNumber);
    const quoted = shortenText(content.replace(/\s+/g, " ").trim(), MAX_QUOTED_CHARACTERS);
    return `- “${fileName}”${where === undefined ? "" : `, ${where}`}: ${quoted}`;
  });
  return (
    `${why} Nearest, though below the threshold; name these documents to the user as where to ` +
    `look, and do not answer from them:\n${offered.join("\n")}`
  );
}
