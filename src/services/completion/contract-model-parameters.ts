import { z } from "zod";
import { jsonObject, limitKeys } from "../../platform/http/bounds.ts";

/** Options that not every provider takes. */
export const rareOptions = {
  frequencyPenalty: z.number().min(-2).max(2).optional(),
  presencePenalty: z.number().min(-2).max(2).optional(),
  seed: z
    .int()
    .min(-(2 ** 52))
    .max(2 ** 52)
    .optional(),
  logitBias: limitKeys(
    z.record(z.string().max(20), z.number().min(-100).max(100)),
    1_000,
  ).optional(),
  parallelToolCalls: z.boolean().optional(),
  reasoningEffort: z.string().max(20).optional(),
  verbosity: z.string().max(20).optional(),
  providerFields: limitKeys(jsonObject(), 60)
    .optional()
    .describe("Fields of the API that the provider speaks, sent to it as they are"),
};
export type RareOption = keyof typeof rareOptions;
export const RARE_OPTIONS = Object.keys(rareOptions) as RareOption[]; // its keys

/** What the caller calls the option: of fields of the provider's API the first one's name. */
export function nameOfOption(
  option: RareOption,
  { providerFields = {} }: { providerFields?: object | undefined },
): string {
  return option === "providerFields" ? (Object.keys(providerFields)[0] ?? option) : option;
}

const MAX_STOPS = 8;
export const temperature = z.number().min(0).max(2).optional();
export const topP = z.number().min(0).max(1).optional();
export const stop = z.array(z.string().max(10_000)).max(MAX_STOPS).optional();

/** What an agent sets for each turn of its model, beside the temperature. */
export const ModelParameters = z.object({
  topP,
  stop: z.array(z.string().min(1).max(200)).max(MAX_STOPS).optional(),
  frequencyPenalty: rareOptions.frequencyPenalty,
  presencePenalty: rareOptions.presencePenalty,
  seed: rareOptions.seed,
  reasoningEffort: rareOptions.reasoningEffort,
  verbosity: rareOptions.verbosity,
});
export type ModelParameters = z.output<typeof ModelParameters>;

/** What the administrator sets for a model, where neither the request nor its agent says it. */
export const DefaultParameters = ModelParameters.extend({ temperature });
export type DefaultParameters = z.output<typeof DefaultParameters>;
