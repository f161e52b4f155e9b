/** Of one provider. */
const MAX_KEYS = 20;

/** The keys of a provider: its `apiKey` may hold several, separated by commas. */
export function keysOf({ apiKey }: Record<string, unknown>): string[] {
  if (typeof apiKey !== "string" || !apiKey.includes(",")) return [];
  const keys = apiKey.split(",").map((key) => key.trim());
  return keys.filter((key) => key !== "").slice(0, MAX_KEYS);
}

/** A config for each of the keys, or the config itself. */
export function withEachKey<Config extends Record<string, unknown>>(
  config: Config,
): Config[] {
  const keys = keysOf(config);
  return keys.length === 0 ? [config] : keys.map((apiKey) => ({ ...config, apiKey }));
}

/** The config with the first of its keys, for what is asked rarely. */
export function withFirstKey<Config extends Record<string, unknown>>(
  config: Config,
): Config {
  const [apiKey] = keysOf(config);
  return apiKey === undefined ? config : { ...config, apiKey };
}
