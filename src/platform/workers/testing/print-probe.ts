import { probe, type ProbeInput } from "./probe.ts";

/** Probes what this process may do, and prints it: print-probe.ts INPUT. */
const [, , input = "{}"] = process.argv;
console.log(JSON.stringify(await probe(JSON.parse(input) as ProbeInput)));
process.exit();
