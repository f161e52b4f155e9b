/**
 * Characters of text, reasoning and arguments in one reply: several times what any model writes,
 * and still small enough for many replies at once.
 */
export const MAX_REPLY_CHARACTERS = 4 * 1024 * 1024;
/** Tool calls of one reply. The loop runs far fewer at once. */
export const MAX_REPLY_CALLS = 128;
/** What a provider wants back with a message, such as its encrypted reasoning. */
export const MAX_STATE_CHARACTERS = 256 * 1024;
