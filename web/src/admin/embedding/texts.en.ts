export const en = {
  title: "Search index",
  hint: "Documents are found by the meaning that this model sees in them, and by their words.",
  model: "Model",
  provider: "Provider",
  local: "built in: similar words are found, not meanings",
  dimensions: "Dimensions",
  unreachable:
    "This model cannot be asked any more, so documents are found by their words only. Enable it and its provider, or choose another one.",
  change: "Change of the model",
  changing: (model: string) =>
    `${model} reads all documents and takes over when it is done.`,
  failing: "The last attempt failed and is repeated until it succeeds.",
  refused: (chunks: string) =>
    `Chunks too long for it, found by their words only: ${chunks}`,
  embedded: (embedded: string, chunks: string) => `${embedded} of ${chunks} chunks`,
  cancel: "Cancel the change",
  cancelTitle: "Cancel the change?",
  cancelText: (model: string, embedded: string) =>
    `The model in use stays. Chunks that ${model} has read so far, which are discarded: ${embedded}.`,
  cancelled: (model: string) => `${model} stays in use.`,
  candidates: "Models to choose from",
  candidatesHint:
    "Another model reads all documents in the background and takes over when it is done. Search works all the time.",
  toModels: "Add embedding models to the catalogue",
  sources: {
    environment: "from the settings of the server",
    "built-in": "built in: similar words are found, not meanings",
  },
  dimensionCount: (dimensions: string) => `${dimensions} dimensions`,
  uses: { current: "in use", next: "takes over" },
  test: "Test",
  testOf: (name: string) => `Test ${name}`,
  testTitle: (name: string) => `Test of ${name}`,
  works: (dimensions: string, ms: string) =>
    `It answers: ${dimensions} dimensions in ${ms} ms.`,
  cost: (chunks: string) =>
    `Chunks that it has to read before it takes over: ${chunks}. A provider may charge for that.`,
  choose: "Use this model",
  retryHint: (chunks: string) =>
    `After a change of its limits, it can take chunks that were too long for it: ${chunks}.`,
  retryRefused: "Try these chunks again",
  chosen: (model: string) => `${model} begins to read all documents.`,
  inUse: (model: string) => `${model} is in use.`,
};
