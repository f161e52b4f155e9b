/** The migrations of the queue in a service's own database, or of its outbox before a broker. */
export const QUEUE_TABLES = {
  schema: "queue",
  folder: new URL("./migrations/", import.meta.url),
};
