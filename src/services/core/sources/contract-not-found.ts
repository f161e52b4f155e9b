import { cutText } from "../../../platform/cut-text.ts";
import { describePlace } from "../../embedding/contract-places.ts";
import type { NotFound } from "./contract.ts";

const MAX_QUOTED_CHARACTERS = 300;

/** Says in English why nothing was found. */
export function describeNotFound({
  reason,
  waiting,
  waitingCount,
  unavailable,
}: NotFound): string {
  const names = waiting.map((name) => `“${name}”`).join(", ");
  const more = waitingCount - waiting.length;
  const listed = more > 0 ? `${names} and ${more} more` : names;
  const sentences = {
    below_threshold: "No passage of the documents is near enough to the question.",
    not_processed: `The documents have not been processed yet, or could not be read: ${listed}.`,
    not_available:
      "The documents to answer from are not shared with the user, or do not exist.",
    no_documents: "There are no documents that the user may search.",
  };
  const others = [
    reason === "below_threshold" &&
      waitingCount > 0 &&
      `Not searched, because not processed: ${listed}.`,
    reason !== "not_available" &&
      unavailable > 0 &&
      `Not searched, because not shared with the user, or gone: ${unavailable} of the documents to answer from.`,
  ];
  return [sentences[reason], ...others.filter(Boolean)].join(" ");
}

/** The same for a model, with the nearest passages, which it may offer but not answer from. */
export function notFoundText(notFound: NotFound): string {
  const { nearest } = notFound;
  const why = describeNotFound(notFound);
  if (nearest.length === 0) return why;
  const offered = nearest.map(({ fileName, place, pageNumber, content }) => {
    const where = describePlace(place, pageNumber);
    const quoted = cutText(content.replace(/\s+/g, " ").trim(), MAX_QUOTED_CHARACTERS);
    return `- “${fileName}”${where === undefined ? "" : `, ${where}`}: ${quoted}`;
  });
  return (
    `${why} Nearest, though below the threshold; name these documents to the user as where to ` +
    `look, and do not answer from them:\n${offered.join("\n")}`
  );
}
