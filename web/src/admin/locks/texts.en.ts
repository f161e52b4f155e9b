export const en = {
  title: "Locks",
  hint:
    "While somebody edits a canvas or an agent, others cannot change it. A lock ends when they leave, " +
    "or soon after their browser is gone.",
  none: "Nobody edits anything right now",
  noneHint: "A lock that keeps others from editing would be listed here, to be released.",
  holder: "Held by",
  gone: "a user who is gone",
  thing: "Locked",
  kinds: {
    conversation: "Canvases of a conversation",
    folder: "A folder",
    document: "A document",
    agent: "An agent",
    template: "A template",
  },
  of: (name: string) => `of ${name}`,
  since: "Since",
  until: "Ends, if not renewed",
  actions: "Actions",
};
