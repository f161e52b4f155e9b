export const en = {
  title: "Reading of files",
  hint:
    "Parsers are asked in this order until one can read the file. The settings of the server say " +
    "which of them are set up.",
  isDefault: "asked first",
  /** Names in other languages than the server's, by key. */
  names: {} as Record<string, string>,
  works: "ready",
  down: "does not answer",
  notSetUp: "not set up",
  ocr: "Scans and pictures",
  ocrHint: "What reads pages that are pictures, and describes pictures in documents.",
  limits: "Limits",
  maxFile: "Largest file",
  memory: "Memory of a file's process",
  time: "Time of a process",
  jobTime: "Time of a file with all steps",
  processes: "Files at once",
  perMinute: "Files a minute for each person",
  isolation: "Isolation",
  isolated: (kind: string) =>
    kind === "none" ? "none: install bubblewrap or util-linux on the server" : kind,
  keptOut: "A hostile file cannot reach",
  notKeptOut: "It is not kept from",
  isolationParts: {
    files: "other files",
    network: "the network",
    processes: "other processes",
    user: "the user of the server",
  },
  formats: "Formats",
};
