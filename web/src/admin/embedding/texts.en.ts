export const en = {
  title: "Search index",
  hint: "Documents are found by the meaning that this model sees in them, and by their words.",
  model: "Model",
  provider: "Provider",
  local: "built in: similar words are found, not meanings",
  dimensions: "Dimensions",
  change: "Another model",
  changeHint:
    "The settings of the server name the model. After a restart with others, the new model reads " +
    "all documents in the background, and takes over when it is done. Search works all the time.",
  changing: (model: string) =>
    `${model} reads all documents and takes over when it is done.`,
  failing: "The last attempt failed and is repeated until it succeeds.",
  refused: (chunks: string) =>
    `Chunks too long for it, found by their words only: ${chunks}`,
  embedded: (embedded: string, chunks: string) => `${embedded} of ${chunks} chunks`,
};
