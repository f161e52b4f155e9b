type Sentence = string | ((params: Record<string, unknown>) => string);

/** German sentences by the code of an error. */
export const errors: Record<string, Sentence> = {};
