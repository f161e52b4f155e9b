/** What each service is for, as the OpenAPI document and the page of the API say it. */
export const SERVICE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  users: "Accounts, sign-in, groups, roles, API keys, sharing, labels and the audit log.",
  core: "Conversations, replies, agents, models, canvases, budgets, and the APIs of OpenAI and Anthropic.",
  agent: "Runs of an agent: the loop of model calls and tool calls.",
  "tool-gateway": "Tools and the servers that offer them, also as one server of MCP.",
  completion: "Calls of model providers, and what they cost.",
  automations: "Flows that run on a schedule, on arriving files or on request.",
  documents: "Documents, folders, files and vector stores.",
  parser: "Files to text, with pages, tables and pictures.",
  "pdf-backend": "PDF files to text, for the parser.",
  integrations: "Flows of Langflow, offered as agents and tools.",
  embedding: "Vectors of texts, and the models that make them.",
  retrieval: "Search in documents by meaning and by words.",
  web: "Search in the web, and pages of it as text.",
  sandbox: "Runs programs of a model in isolation.",
  server: "Health, metrics, queues, events and this document.",
};
