/**
 * Characters of text, reasoning and arguments in one reply: several times what any model writes,
 * and still small enough for many replies at once.
 */
export const MAX_REPLY_CHARACTERS = 4 * 1024 * 1024;
