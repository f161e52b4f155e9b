import { BadRequest } from "../../../platform/http/errors.ts";

/**
 * Fields that only the provider knows go to it with the credentials of the organisation. Some of
 * them would choose another model than the caller may use, another price, address or credential, as
 * `models` of OpenRouter and `api_base` of LiteLLM do.
 */

/**
 * What clients tell OpenAI for their account there. Here it would change the account of the
 * platform: who asked, what OpenAI keeps, which price it takes. It is left out.
 */
export const OPENAI_ACCOUNTING: readonly string[] = [
  "user",
  "store",
  "metadata",
  "service_tier",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
];

/**
 * How a model is to write, and nothing else. Source: the references of vLLM, SGLang, llama.cpp,
 * Ollama, LM Studio, OpenRouter and OpenAI.
 */
const PASSED_ON: readonly string[] = `
  top_k min_p top_a typical_p tfs_z epsilon_cutoff eta_cutoff repetition_penalty
  repeat_penalty repeat_last_n length_penalty no_repeat_ngram_size penalize_nl
  penalty_alpha mirostat mirostat_mode mirostat_tau mirostat_eta dry_multiplier
  dry_base dry_allowed_length dry_sequence_breakers dry_penalty_last_n xtc_probability
  xtc_threshold smoothing_factor dynatemp_range dynatemp_exponent temperature_last
  samplers min_tokens min_new_tokens stop_token_ids stop_regex ignore_eos bad_words
  allowed_token_ids skip_special_tokens no_stop_trim spaces_between_special_tokens
  include_stop_str_in_output add_generation_prompt continue_final_message
  add_special_tokens chat_template_kwargs enable_thinking thinking thinking_budget
  think reasoning reasoning_format include_reasoning separate_reasoning guided_json
  guided_regex guided_choice guided_grammar structured_outputs grammar json_schema
  regex ebnf prediction random_seed safe_prompt cache_prompt num_ctx
`
  .trim()
  .split(/\s+/);

/** What chooses a model, a price, an address or a credential at a server of images or sound. */
const STEERING: readonly string[] = `
  models fallbacks route provider plugins preset model_list api_base base_url api_key
  api_version custom_llm_provider extra_headers headers extra_body extra_query
  organization store metadata service_tier
`
  .trim()
  .split(/\s+/);

/**
 * The fields of a request for text beside those that are named here.
 * @throws BadRequest `option_unsupported` for one that is not known to be harmless.
 */
export function providerFields(
  request: Readonly<Record<string, unknown>>,
  named: object,
): Record<string, unknown> {
  const fields = Object.entries(request).filter(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      !Object.hasOwn(named, name) &&
      !OPENAI_ACCOUNTING.includes(name),
  );
  const unknown = fields.find(([name]) => !PASSED_ON.includes(name));
  if (unknown) throw notPassedOn(unknown[0]);
  return Object.fromEntries(fields);
}

/** @throws BadRequest `option_unsupported` for what chooses who answers. */
export function refuseSteering(request: object): void {
  const name = Object.keys(request).find((one) => STEERING.includes(one));
  if (name !== undefined) throw notPassedOn(name);
}

function notPassedOn(name: string): BadRequest {
  return new BadRequest(
    "option_unsupported",
    `${name} is not passed on to providers. Leave it out.`,
    { params: { name } },
  );
}
