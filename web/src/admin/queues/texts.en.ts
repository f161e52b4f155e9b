export const en = {
  title: "Queues",
  hint: "Work that is done in the background, in order. What fails on every attempt is kept here.",
  none: "No queues",
  noneHint: "This process has no connection to the queue. Ask one that has.",
  queue: "Queue",
  waiting: "Waiting",
  dead: "Failed",
  look: (count: string) => `${count}: look`,
  back: "All queues",
  deadTitle: (name: string) => `Failed messages of ${name}`,
  deadHint:
    "Try them again once the cause is gone. Deleted messages are not processed any more.",
  noDead: "Nothing failed",
  noDeadHint: "Messages that fail on every attempt appear here with the reason.",
  retry: "Try again",
  retryAll: "Try all again",
  retried: (count: number) =>
    count === 1 ? "1 message is tried again." : `${count} messages are tried again.`,
  delete: "Delete",
  deleteAll: "Delete all",
  deleted: (count: number) =>
    count === 1 ? "1 message is deleted." : `${count} messages are deleted.`,
  deleteTitle: "Delete all failed messages?",
  deleteText: (name: string) =>
    `What they asked for in ${name} is not done. This cannot be undone.`,
  died: (ago: string, tries: number) =>
    `${ago}, after ${tries} ${tries === 1 ? "try" : "tries"}`,
  message: "Message",
};
