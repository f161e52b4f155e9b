import { z } from "zod";

const Output = z.looseObject({
  component_id: z.string().nullish(),
  results: z.record(z.string(), z.unknown()).nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
  artifacts: z.looseObject({ message: z.unknown() }).partial().nullish(),
  messages: z.array(z.looseObject({ message: z.unknown() })).nullish(),
});
const Result = z.looseObject({
  outputs: z
    .array(z.looseObject({ outputs: z.array(Output.nullable().catch(null)).nullish() }))
    .nullish(),
});

export interface ReadOutput {
  /**
   * Returns the texts of the outputs, separated by a blank line. Empty if the flow returned no
   * text.
   */
  output: string;
  outputs: { component: string; text?: string; data?: unknown }[];
}

/**
 * Returns the output of a run: its text, or else its data as JSON. Outputs may be null or missing.
 */
export function readOutput(result: unknown): ReadOutput {
  const parsed = Result.safeParse(result);
  const all = (parsed.data?.outputs ?? [])
    .flatMap((run) => run.outputs ?? [])
    .filter((output) => output !== null);
  const outputs = all.map((output) => {
    const component = output.component_id ?? "";
    const text = textOf(output);
    if (text !== undefined) return { component, text };
    return { component, ...(output.outputs && { data: output.outputs }) };
  });
  return {
    output: outputs.flatMap(({ text }) => (text ? [text] : [])).join("\n\n"),
    outputs,
  };
}

/** Returns the first value present among the places where Langflow's versions put it. */
function textOf({
  results,
  outputs,
  messages,
  artifacts,
}: z.output<typeof Output>): string | undefined {
  const candidates: unknown[] = [
    at(results, "message", "text"),
    at(results, "message", "data", "text"),
    at(results, "text", "text"),
    ...Object.values(outputs ?? {}).flatMap((output) => [
      at(output, "message"),
      at(output, "message", "text"),
      at(output, "message", "message"),
    ]),
    at(messages?.[0], "message"),
    at(artifacts, "message"),
  ];
  return candidates.find((candidate): candidate is string => typeof candidate === "string");
}

function at(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const name of path)
    found =
      typeof found === "object" && found !== null
        ? (found as Record<string, unknown>)[name]
        : undefined; // an object's fields by name
  return found;
}
