import { aSandbox } from "../src/services/sandbox/testing/a-sandbox.ts";
import { interleaved } from "./measure.ts";
import type { Stage } from "./server.ts";

const CALLS = 20;
/** It says itself how long the interpreter took. */
const CODE = `import time
begun = time.perf_counter()
total = sum(n * n for n in range(200_000))
time.perf_counter() - begun`;

/** Measures a call in a session that lives against the same code in its interpreter. */
export async function codeCalls(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  await using sandbox = await aSandbox();
  const startedAt = performance.now();
  await sandbox.run(CODE);
  const first = performance.now() - startedAt;
  console.log(`The first call of an installation takes ${first.toFixed(0)} ms.`);
  const again = performance.now();
  await sandbox.run(CODE, { conversationId: crypto.randomUUID() });
  console.log(
    `The first call of a session takes ${(performance.now() - again).toFixed(0)} ms.`,
  );
  let inside = Number.NaN;
  const call = async () => {
    const begun = performance.now();
    let seconds = 0;
    for (let n = 0; n < CALLS; n += 1) seconds += Number((await sandbox.run(CODE)).text);
    inside = (seconds * 1_000) / CALLS;
    return { "ms a call": (performance.now() - begun) / CALLS };
  };
  return await interleaved(
    [
      { name: "run_python", run: call },
      // what the calls just before said
      { name: "the interpreter alone", run: async () => ({ "ms a call": inside }) },
    ],
    stage.rounds,
  );
}
