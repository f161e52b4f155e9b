/** The version of Parlance. */
export const VERSION = "0.1.0";
