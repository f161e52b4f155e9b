/**
 * What an answer holds of stored texts at most, since it is made in one turn of the event loop; a
 * long book has a million characters.
 */
export const MAX_ANSWER_CHARACTERS = 4_000_000;
