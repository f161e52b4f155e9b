/** Of one call, with all processes that the code starts. */
export const MAX_PROCESSOR_MS = 60_000;
/** A call that waits, such as one that sleeps, ends after this time. */
export const MAX_CALL_MS = 120_000;
/** Of a session: the interpreter, the code's values, and files that are open. */
export const MAX_MEMORY_BYTES = 512 * 2 ** 20;
/** Of a session's folder. */
export const MAX_FILES_BYTES = 100 * 2 ** 20;
/** That one call writes; the others are named and left out. */
export const MAX_FILES = 50;
/** Of one call. It ends when it prints more. */
export const MAX_OUTPUT_CHARACTERS = 100_000;
export const MAX_CODE_CHARACTERS = 100_000;
export const MAX_SESSIONS_PER_USER = 2;
export const SESSION_IDLE_MS = 600_000;
/** The folder of a session, as its code sees it. */
export const FOLDER = "/files";
