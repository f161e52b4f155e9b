/**
 * Arguments of Node for a process with an embedded database, as of the tests themselves: most end
 * before optimised code saves what it costs.
 */
export const BASELINE = ["--liftoff-only"];

/** An environment for the command line: nothing of the tests' but where compiled code is kept. */
export function commandEnv(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
