export const en = {
  title: "Administration",
  parts: {
    users: "Users",
    groups: "Groups",
    roles: "Roles",
    models: "Models",
    tools: "Tool servers",
    flows: "Flow permissions",
    parsing: "Parsing",
    embedding: "Search index",
    queues: "Queues",
    locks: "Locks",
    audit: "Audit log",
    feedback: "Feedback",
    system: "System health",
    branding: "Branding and notice",
  },
};
