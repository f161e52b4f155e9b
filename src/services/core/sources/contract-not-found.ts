import type { NotFound } from "./contract.ts";

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
