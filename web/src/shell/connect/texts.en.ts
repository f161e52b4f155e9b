export const en = {
  cancel: "Cancel",
  provider: "Provider",
  test: "Test the connection",
  testing: "Asking the provider which models it has …",
  works: (count: number) =>
    count === 1 ? "It works. It offers one model." : `It works. It offers ${count} models.`,
  chooseModels: "Models to use",
  filterModels: "Search models",
  embedding: "for the search index",
  useModels: (count: number) =>
    count === 1 ? "Use this model" : `Use these ${count} models`,
  connected: "Connected. It answers from now on.",
};
