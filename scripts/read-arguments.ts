import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * Reads the arguments of a script. `--help` prints its usage; an argument that it does not take
 * ends it with 2 and the usage.
 */
export function readArguments<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuseArguments((error as Error).message, usage); // a TypeError
  }
}

/** Ends a script that cannot run with its arguments. */
export function refuseArguments(reason: string, usage: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}
