/**
 * What administrators did at routes whose changes are recorded by method and path, by what the
 * entry says: the last part of its action and the path.
 */
export const routeWordsEn = {
  "create /api/v1/models": "added the model {name}",
  "update /api/v1/models/:id": "changed the model {name}",
  "delete /api/v1/models/:id": "deleted the model {name}",
  "create /api/v1/model-providers": "connected the provider {name}",
  "create /api/v1/model-providers/test": "tested a provider before connecting it",
  "create /api/v1/model-providers/:name/test": "tested the provider {name}",
  "update /api/v1/model-providers/:name": "changed the provider {name}",
  "delete /api/v1/model-providers/:name": "deleted the provider {name}",
  "create /api/v1/available-models": "offered the model {name} to users",
  "update /api/v1/available-models/:id": "changed how the model {name} is offered",
  "delete /api/v1/available-models/:id": "no longer offers the model {name}",
  "create /api/v1/allowed-addresses": "allowed the private address {name}",
  "delete /api/v1/allowed-addresses/:address":
    "no longer allows the private address {name}",
  "create /api/v1/embed/model/test": "tested a model for the search index",
  "update /api/v1/embed/model": "chose another model for the search index",
  "delete /api/v1/embed/model/next": "kept the search index at its model",
  "create /api/v1/mcp-servers": "added the tool server {name}",
  "update /api/v1/mcp-servers/:name": "changed the tool server {name}",
  "delete /api/v1/mcp-servers/:name": "deleted the tool server {name}",
  "create /mcp/v1/refresh": "had the lists of tools read again",
  "create /mcp/v1/servers/test": "tested a tool server before adding it",
  "create /mcp/v1/servers/:server/connect":
    "connected an account at the tool server {name}",
  "update /mcp/v1/servers/:server/values": "filled in what the tool server {name} needs",
  "create /mcp/v1/tools/approve": "approved the tool {name}",
  "update /mcp/v1/tools/:server/:tool": "set the effect of the tool {name}",
  "create /api/v1/search-engines": "added the search engine {name}",
  "create /api/v1/search-engines/test": "tested a search engine before adding it",
  "create /api/v1/search-engines/:id/test": "tested the search engine {name}",
  "update /api/v1/search-engines/order": "changed the order of the search engines",
  "update /api/v1/search-engines/:id": "changed the search engine {name}",
  "delete /api/v1/search-engines/:id": "deleted the search engine {name}",
  "create /api/v1/budgets": "created the budget {name}",
  "update /api/v1/budgets/:id": "changed the budget {name}",
  "delete /api/v1/budgets/:id": "deleted the budget {name}",
  "create /api/v1/queues/:name/dead-letters/retry":
    "tried the failed messages of the queue {name} again",
  "delete /api/v1/queues/:name/dead-letters":
    "deleted the failed messages of the queue {name}",
};

export const routeWordsDe = {
  "create /api/v1/models": "hat das Modell {name} hinzugefügt",
  "update /api/v1/models/:id": "hat das Modell {name} geändert",
  "delete /api/v1/models/:id": "hat das Modell {name} gelöscht",
  "create /api/v1/model-providers": "hat den Anbieter {name} verbunden",
  "create /api/v1/model-providers/test": "hat einen Anbieter vor dem Verbinden geprüft",
  "create /api/v1/model-providers/:name/test": "hat den Anbieter {name} geprüft",
  "update /api/v1/model-providers/:name": "hat den Anbieter {name} geändert",
  "delete /api/v1/model-providers/:name": "hat den Anbieter {name} gelöscht",
  "create /api/v1/available-models": "hat das Modell {name} zur Auswahl gestellt",
  "update /api/v1/available-models/:id":
    "hat geändert, wie das Modell {name} angeboten wird",
  "delete /api/v1/available-models/:id": "bietet das Modell {name} nicht mehr an",
  "create /api/v1/allowed-addresses": "hat die private Adresse {name} erlaubt",
  "delete /api/v1/allowed-addresses/:address":
    "erlaubt die private Adresse {name} nicht mehr",
  "create /api/v1/embed/model/test": "hat ein Modell für den Suchindex geprüft",
  "update /api/v1/embed/model": "hat ein anderes Modell für den Suchindex gewählt",
  "delete /api/v1/embed/model/next": "hat den Suchindex bei seinem Modell belassen",
  "create /api/v1/mcp-servers": "hat den Werkzeugserver {name} hinzugefügt",
  "update /api/v1/mcp-servers/:name": "hat den Werkzeugserver {name} geändert",
  "delete /api/v1/mcp-servers/:name": "hat den Werkzeugserver {name} gelöscht",
  "create /mcp/v1/refresh": "hat die Listen der Werkzeuge neu lesen lassen",
  "create /mcp/v1/servers/test": "hat einen Werkzeugserver vor dem Hinzufügen geprüft",
  "create /mcp/v1/servers/:server/connect":
    "hat ein Konto beim Werkzeugserver {name} verbunden",
  "update /mcp/v1/servers/:server/values":
    "hat eingetragen, was der Werkzeugserver {name} braucht",
  "create /mcp/v1/tools/approve": "hat das Werkzeug {name} genehmigt",
  "update /mcp/v1/tools/:server/:tool": "hat die Wirkung des Werkzeugs {name} festgelegt",
  "create /api/v1/search-engines": "hat die Suchmaschine {name} hinzugefügt",
  "create /api/v1/search-engines/test": "hat eine Suchmaschine vor dem Hinzufügen geprüft",
  "create /api/v1/search-engines/:id/test": "hat die Suchmaschine {name} geprüft",
  "update /api/v1/search-engines/order": "hat die Reihenfolge der Suchmaschinen geändert",
  "update /api/v1/search-engines/:id": "hat die Suchmaschine {name} geändert",
  "delete /api/v1/search-engines/:id": "hat die Suchmaschine {name} gelöscht",
  "create /api/v1/budgets": "hat das Budget {name} angelegt",
  "update /api/v1/budgets/:id": "hat das Budget {name} geändert",
  "delete /api/v1/budgets/:id": "hat das Budget {name} gelöscht",
  "create /api/v1/queues/:name/dead-letters/retry":
    "hat die fehlgeschlagenen Nachrichten der Warteschlange {name} wiederholt",
  "delete /api/v1/queues/:name/dead-letters":
    "hat die fehlgeschlagenen Nachrichten der Warteschlange {name} gelöscht",
} satisfies typeof routeWordsEn;
